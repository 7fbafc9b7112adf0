import type { ProductOption } from "../../../contract/schemas.ts";
import { comparePositions } from "../../../domain/sort.ts";
import { fold } from "../../../domain/text/fold.ts";
import type { ProductRecord } from "../../records.ts";
import { combinationOf, optionNames } from "./product-options.ts";

/** The most products of a group, and the most options of each of them. */
export const maxVariants = 100;
export const maxOptions = 3;
/** The most characters of an option's name, and of its value. */
export const maxOptionText = { name: 50, value: 100 } as const;

/** What a storage keeps of a product beside its record, to find it and its group. */
export interface ProductMarks {
  readonly group_id: string | null;
  /** No two products of a group have the same one. Null without a group. */
  readonly combination: string | null;
  /** Folded, as a search is: SKUs that differ by case alone are the same. */
  readonly sku: string | null;
  readonly external_id: string | null;
}

type Marked = Pick<ProductRecord, "group" | "options" | "sku" | "external_id">;

/** Gives what a storage keeps of a product beside its record. */
export const marksOf = (product: Marked): ProductMarks => ({
  group_id: product.group ?? null,
  combination: product.group ? combinationOf(product) : null,
  sku: product.sku ? fold(product.sku) : null,
  external_id: product.external_id ?? null,
});

/** What an owner has typed to find a product by its codes. */
export interface CodeSearch {
  /** Folded. */
  readonly search?: string | undefined;
  /** As it was typed. */
  readonly code?: string | undefined;
}

/** Tells whether an owner's search names the product by the beginning of its SKU or by its id. */
export function hasCode(product: Marked, { search, code }: CodeSearch): boolean {
  const { sku, external_id } = marksOf(product);
  const beginsSku = search !== undefined && (sku?.startsWith(search.trim()) ?? false);
  return beginsSku || (code !== undefined && external_id === code.trim());
}

/** A product of a group, with what says whether it is the one that stands for the group. */
export interface GroupMember extends Pick<ProductRecord, "id" | "active" | "price" | "position"> {
  readonly group_id: string;
}

/**
 * Compares products of a group: the cheapest is first, so that a card stands where its lowest price
 * belongs.
 */
const compareMembers = (one: GroupMember, other: GroupMember): number =>
  one.price - other.price || comparePositions(one, other);

/** Gives the ids of the products that stand for their groups: of each, its first active one. */
export function firstOfGroups(members: Iterable<GroupMember>): ReadonlySet<string> {
  const firsts = new Map<string, GroupMember>();
  for (const member of members) {
    const first = firsts.get(member.group_id);
    if (member.active && (!first || compareMembers(member, first) < 0))
      firsts.set(member.group_id, member);
  }
  return new Set([...firsts.values()].map(({ id }) => id));
}

/** Why a product cannot stand in its group. */
export type GroupFault =
  | { readonly reason: "no_options" | "full" }
  | { readonly reason: "other_names"; readonly names: readonly string[] }
  | { readonly reason: "combination_taken"; readonly by: string };

type Grouped = Pick<ProductRecord, "id"> & { readonly options?: readonly ProductOption[] };

/**
 * Finds the first of several products that cannot stand in its group, by its index. `stored` has
 * the products of each group as they are; of those that the call writes, only the new state counts.
 */
export function refuseGroups(
  products: readonly (Grouped & Pick<ProductRecord, "group">)[],
  stored: ReadonlyMap<string, readonly Grouped[]>,
): { readonly index: number; readonly fault: GroupFault } | null {
  const written = new Map(products.map((product) => [product.id, product]));
  const groups = new Map<string, Group>();

  for (const [index, product] of products.entries()) {
    if (!product.group || written.get(product.id) !== product) continue;
    const known = groups.get(product.group);
    const others = stored.get(product.group)?.filter(({ id }) => !written.has(id));
    const group = known ?? groupOf(others ?? []);
    groups.set(product.group, group);
    const fault = join(group, product);
    if (fault) return { index, fault };
  }
  return null;
}

/** The products of a group so far. */
interface Group {
  names: readonly string[] | null;
  readonly byCombination: Map<string, string>;
}

const groupOf = (members: readonly Grouped[]): Group => ({
  names: members[0] ? optionNames(members[0]) : null,
  byCombination: new Map(members.map((member) => [combinationOf(member), member.id])),
});

function join(group: Group, product: Grouped): GroupFault | null {
  const names = optionNames(product);
  if (names.length === 0) return { reason: "no_options" };
  group.names ??= names;
  if (names.join("\n") !== group.names.join("\n"))
    return { reason: "other_names", names: group.names };

  const combination = combinationOf(product);
  const by = group.byCombination.get(combination);
  if (by !== undefined) return { reason: "combination_taken", by };
  if (group.byCombination.size >= maxVariants) return { reason: "full" };
  group.byCombination.set(combination, product.id);
  return null;
}
