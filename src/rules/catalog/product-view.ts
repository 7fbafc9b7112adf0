import type { ProductSort } from "../../contract/schemas.ts";
import { comparePositions } from "../../domain/sort.ts";
import { firstOfGroups } from "./groups/product-groups.ts";
import { type SortKey, sortKeyOf } from "./product-sort.ts";
import { countWords, type KnownWord } from "./search/corrections.ts";
import type { FoldedProduct } from "./search/product-search.ts";

/** The place of a product in a list. */
export interface PlacedRow {
  /** The number that the list is sorted by. */
  readonly position: number;
  readonly id: string;
}

/** A product at its place. */
export type PlacedProduct<Product> = PlacedRow & { readonly product: Product };

/** The active products of a store. Each answer is made when it is first asked for, and kept. */
export interface ProductView<Product extends FoldedProduct> {
  /** Gives the products in an order, with `first` one of each group. */
  inOrder(sort: ProductSort, group: "first" | undefined): readonly PlacedProduct<Product>[];
  /** Gives the products of a group, in the order of a list. */
  membersOf(group: string): readonly Product[];
  /** Gives the words of their names, with the number of products that have each. */
  words(): readonly KnownWord[];
}

/**
 * Makes the view of the products of a store, for a storage that holds all of them in memory. Drafts
 * are left out. Make a new view once a product was written.
 */
export function productView<Product extends FoldedProduct>(
  products: Iterable<Product>,
): ProductView<Product> {
  const active = [...products].filter(({ record }) => record.active);
  const firsts = once(() => withoutOthers(active));
  const groups = once(() => groupsOf(active));
  const words = once(() => wordsOf(active));
  const orders = new Map<string, readonly PlacedProduct<Product>[]>();

  return {
    inOrder(sort, group) {
      const key = sortKeyOf(sort);
      const name = `${key.field} ${key.descending} ${group}`;
      const known = orders.get(name);
      if (known) return known;

      const listed = group === "first" ? firsts() : active;
      const { field } = key;
      const rows = listed.map((product) => {
        const { id, [field]: position } = product.record;
        return { id, position, product };
      });
      rows.sort((one, other) => compareIn(key, one, other));
      orders.set(name, rows);
      return rows;
    },
    membersOf: (group) => groups().get(group) ?? [],
    words,
  };
}

/** Compares two places of an order. */
export const compareIn = ({ descending }: SortKey, one: PlacedRow, other: PlacedRow): number =>
  descending ? comparePositions(other, one) : comparePositions(one, other);

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Leaves out the products that do not stand for their group. */
function withoutOthers<Product extends FoldedProduct>(
  products: readonly Product[],
): readonly Product[] {
  const firsts = firstOfGroups(
    products.flatMap(({ record }) => (record.group ? { ...record, group_id: record.group } : [])),
  );
  return products.filter(({ record }) => !record.group || firsts.has(record.id));
}

function groupsOf<Product extends FoldedProduct>(
  products: readonly Product[],
): ReadonlyMap<string, readonly Product[]> {
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const { group } = product.record;
    if (!group) continue;
    const members = groups.get(group) ?? [];
    groups.set(group, members);
    members.push(product);
  }
  for (const members of groups.values())
    members.sort((one, other) => comparePositions(one.record, other.record));
  return groups;
}

const wordsOf = (products: readonly FoldedProduct[]): readonly KnownWord[] =>
  [...countWords(products.map(({ folded }) => folded[0]))].map(([word, count]) => ({
    word,
    products: count,
  }));
