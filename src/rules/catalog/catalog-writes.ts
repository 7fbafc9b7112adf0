import type { ProductRecord } from "../records.ts";
import { type GroupFault, marksOf, refuseGroups } from "./groups/product-groups.ts";

export { isStale, maxRowsPerStore } from "./stale-records.ts";

/** What stands beside the products that a call writes. */
export interface StoredCatalog {
  /** The ids, by slug, of the products that the call does not write. */
  readonly slugs: ReadonlyMap<string, string>;
  readonly category_ids: ReadonlySet<string>;
  /** The ids, by folded SKU and by external id, of the products that the call does not write. */
  readonly skus: ReadonlyMap<string, string>;
  readonly external_ids: ReadonlyMap<string, string>;
  /** The products of the groups that the call writes to. */
  readonly groups: ReadonlyMap<string, readonly ProductRecord[]>;
}

/** Makes it of all other products of a store, for a storage that holds them in memory. */
export function catalogOf(
  others: readonly ProductRecord[],
  category_ids: Iterable<string>,
): StoredCatalog {
  const byMark = (mark: "sku" | "external_id") =>
    new Map(
      others.flatMap((product) => {
        const value = marksOf(product)[mark];
        return value === null ? [] : [[value, product.id] as const];
      }),
    );
  const groups = new Map<string, ProductRecord[]>();
  for (const product of others)
    if (product.group) groups.set(product.group, [...(groups.get(product.group) ?? []), product]);

  return {
    slugs: new Map(others.map(({ slug, id }) => [slug, id])),
    skus: byMark("sku"),
    external_ids: byMark("external_id"),
    groups,
    category_ids: new Set(category_ids),
  };
}

/** Which of several products cannot be stored, and why. */
export type ProductRefusal = { readonly index: number } & (
  | { readonly outcome: "unknown_category" | `${UniqueField}_taken` }
  | { readonly outcome: "group_refused"; readonly fault: GroupFault }
);

/** A field whose value no other product of the store may have. */
export type UniqueField = "slug" | "sku" | "external_id";

/**
 * Finds the first of several products that cannot be stored, by its index. It gives
 * null when all can be stored.
 */
export function refuseProducts(
  products: readonly ProductRecord[],
  stored: StoredCatalog,
): ProductRefusal | null {
  const taken = uniqueValues(stored);

  for (const [index, product] of products.entries()) {
    for (const { field, of, owners } of taken) {
      const value = of(product);
      if (value === null) continue;
      const owner = owners.get(value);
      if (owner !== undefined && owner !== product.id) return { outcome: `${field}_taken`, index };
      owners.set(value, product.id);
    }

    if (product.category_ids.some((id) => !stored.category_ids.has(id)))
      return { outcome: "unknown_category", index };
  }
  const refused = refuseGroups(products, stored.groups);
  return refused && { outcome: "group_refused", ...refused };
}

interface UniqueValues {
  readonly field: UniqueField;
  of(product: ProductRecord): string | null;
  /** The ids of the products that have the values. */
  readonly owners: Map<string, string>;
}

const uniqueValues = ({ slugs, skus, external_ids }: StoredCatalog): readonly UniqueValues[] => [
  { field: "slug", of: ({ slug }) => slug, owners: new Map(slugs) },
  { field: "sku", of: (product) => marksOf(product).sku, owners: new Map(skus) },
  {
    field: "external_id",
    of: (product) => marksOf(product).external_id,
    owners: new Map(external_ids),
  },
];
