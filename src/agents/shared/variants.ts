import type { Product, ProductGroup, ProductOption } from "../../contract/schemas.ts";

/** What a buyer can choose and buy: a product, or one of the products of its group. */
export type Variant = NonNullable<ProductGroup["variants"]>[number];

/** The query of a list that gives one product of each group. */
export const oneOfEachGroup = { group: "first" } as const;

/** Gives the variants of a product that was read whole. Without a group it is its only one. */
export const variantsOf = ({ id, slug, price, available, ...product }: Product) =>
  product.group?.variants ?? [{ id, slug, options: product.options ?? [], price, available }];

/** Gives what a buyer chooses from: each option with its values. */
export const choicesOf = ({ options = [], group }: Product): NonNullable<ProductGroup["options"]> =>
  group?.options ?? options.map(({ name, value }) => ({ name, values: [value] }));

/** Names the values of a variant, e.g. `Red / S`. */
export const labelOf = ({ options }: { readonly options: readonly ProductOption[] }): string =>
  options.map(({ value }) => value).join(" / ");

/**
 * Reads the variants of those products of a list that stand for a group. One is read after the
 * other, so that a page never takes all connections of a pool. One that is gone meanwhile stays as
 * the list had it.
 */
export async function withVariants(
  products: readonly Product[],
  read: (id: string) => Promise<Product | null>,
): Promise<readonly Product[]> {
  const whole: Product[] = [];
  for (const product of products)
    whole.push((product.group && (await read(product.id))) || product);
  return whole;
}

const groupPrefix = "group_";

/**
 * Gives the id of a product as agents know it: of a group, one that none of its variants has. Its
 * first variant by position is in it, so that it can be found by it.
 */
export function productIdOf(product: Product): string {
  const [first] = product.group?.variants ?? [];
  return first ? groupPrefix + first.id : product.id;
}

/** Gives the id of the variant by which a group is found. Null for an id that is of no group. */
export const variantOfGroupId = (id: string): string | null =>
  id.startsWith(groupPrefix) ? id.slice(groupPrefix.length) : null;
