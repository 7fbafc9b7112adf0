import { comparePositions } from "../../../../domain/sort.ts";
import type { ProductPut } from "../../../../owner/catalog/product-input.ts";
import type { OwnerProduct } from "../../../../owner/catalog/products.ts";
import { maxOptions, maxVariants } from "../../../../rules/catalog/groups/product-groups.ts";
import {
  combinationOf,
  optionNames,
  optionValues,
} from "../../../../rules/catalog/groups/product-options.ts";
import { namedLines, quoteWith, unquote } from "../../../forms/form-field.ts";

type Options = NonNullable<OwnerProduct["options"]>;

/** The values of each option, as they were typed or as a group has them. */
export type OptionValues = ReadonlyMap<string, readonly string[]>;

/** A product, and the group that it is in or would be the first one of. */
export interface Family {
  readonly product: OwnerProduct;
  readonly group: string;
  /** The products of the group, in the order of its variants. Empty for a product without one. */
  readonly members: readonly OwnerProduct[];
}

/** What is made of the typed values. */
export interface VariantPlan {
  /** What a product without a group becomes itself. Null for one that is in a group. */
  readonly own: Options | null;
  /** The combinations that the group does not have, in the order of the values. */
  readonly missing: readonly Options[];
}

export type PlanFault =
  | { readonly text: "variants_fault_lines" | "variants_fault_none" }
  | { readonly text: "variants_fault_names"; readonly names: string }
  | { readonly text: "variants_fault_many"; readonly total: string };

/** Puts the variants of a group in their order. */
export const inOrder = (members: readonly OwnerProduct[]): readonly OwnerProduct[] =>
  [...members].sort(comparePositions);

/**
 * Writes options and their values as they are typed: `Size: S, M`, one option on each line. Values
 * with a comma are separated by semicolons: `Volume: 1,5 l; 2 l;`. A name with a colon and a value
 * with a semicolon are in quotes: `"Size: EU": "S; slim", M`.
 */
export const valuesText = (members: readonly OwnerProduct[]): string =>
  [...optionValues(members)]
    .map(([name, values]) => {
      const hasComma = values.some((value) => value.includes(","));
      const written = values.map((value) => quoteWith(value, ";"));
      const list = hasComma ? `${written.join("; ")};` : written.join(", ");
      return `${quoteWith(name, ":")}: ${list}`;
    })
    .join("\n");

/** Gives the values of a list. Commas separate them, or semicolons where one is not quoted. */
function partsOf(list: string): readonly string[] {
  const bare = `,${list}`.replace(/([,;])\s*"(?:[^"]|"")*"\s*(?=[,;]|$)/g, "$1");
  const sign = bare.includes(";") ? ";" : ",";
  const part = new RegExp(`${sign}(?:\\s*"((?:[^"]|"")*)"\\s*(?=${sign}|$)|([^${sign}]*))`, "g");
  return [...`${sign}${list}`.matchAll(part)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? plain.trim() : unquote(quoted).trim(),
  );
}

/**
 * Reads lines such as `Size: S, M, L`. In a line with a semicolon, semicolons alone separate the
 * values. Gives null when a line has no name or no value, or a name stands twice.
 */
function readValues(text: string): OptionValues | null {
  const read = new Map<string, readonly string[]>();
  for (const [name, values] of namedLines(text)) {
    const known = new Set(partsOf(values).filter((value) => value !== ""));
    if (name === "" || known.size === 0 || read.has(name)) return null;
    read.set(name, [...known]);
  }
  return read.size === 0 || read.size > maxOptions ? null : read;
}

/** Says which variants the typed values ask for and the group does not have. */
export function planVariants(text: string, { product, members }: Family): VariantPlan | PlanFault {
  const values = readValues(text);
  if (values === null) return { text: "variants_fault_lines" };
  const names = members[0] ? optionNames(members[0]) : [...values.keys()];
  if (names.join("\n") !== [...values.keys()].join("\n"))
    return { text: "variants_fault_names", names: names.join(", ") };

  const asked = [...values.values()].reduce((total, { length }) => total * length, 1);
  if (asked > maxVariants) return { text: "variants_fault_many", total: String(asked) };

  const wanted = combinationsOf(values);
  const known = new Set(members.map(combinationOf));
  const own = members.length > 0 ? null : ownOptions(product, wanted);
  if (own) known.add(combinationOf({ options: own }));
  const missing = wanted.filter((options) => !known.has(combinationOf({ options })));

  const total = known.size + missing.length;
  if (total > maxVariants) return { text: "variants_fault_many", total: String(total) };
  return missing.length === 0 && own === null ? { text: "variants_fault_none" } : { own, missing };
}

const combinationsOf = (values: OptionValues): readonly Options[] =>
  [...values].reduce<readonly Options[]>(
    (found, [name, all]) =>
      found.flatMap((options) => all.map((value) => [...options, { name, value }])),
    [[]],
  );

/** A product without a group stays what its options say, or becomes the first combination. */
function ownOptions(product: OwnerProduct, wanted: readonly Options[]): Options {
  const own = combinationOf(product);
  const named = optionNames(product).join("\n");
  const isOwn = (options: Options): boolean =>
    combinationOf({ options }) === own && optionNames({ options }).join("\n") === named;
  return wanted.find(isOwn) ?? wanted[0] ?? [];
}

/** Gives all that a product says, for a call that replaces it. Its stock stays as it is. */
export function putOf(product: OwnerProduct): ProductPut {
  const { created_at: _, updated_at: __, stock: ___, ...fields } = product;
  return fields;
}

/**
 * Makes the products of a plan. New ones are copies of the product without its codes, and stand
 * behind it in the order of the values. Of counted pieces they have none yet.
 */
export function putsOf({ product, group, members }: Family, plan: VariantPlan): ProductPut[] {
  const { id: _, slug, sku: __, external_id: ___, ...copied } = putOf(product);
  const last = Math.max(product.position, ...members.map(({ position }) => position));
  const stock = product.stock === null ? null : 0;
  const made = plan.missing.map((options, index) => ({
    ...copied,
    group,
    options,
    stock,
    position: last + 1 + index,
  }));
  return plan.own === null ? made : [{ ...putOf(product), group, options: plan.own }, ...made];
}
