import { fold } from "../domain/fold.ts";
import type {
  CategoryRecord,
  CouponRecord,
  Partition,
  PaymentMethodRecord,
  ProductRecord,
} from "../rules/records.ts";
import { productDocument } from "../rules/render.ts";
import type { CatalogStore, ProductRow } from "../storage/types.ts";
import { catalogOwner } from "./catalog-owner.ts";
import { type MemoryState, rowKey } from "./state.ts";

export interface StoredProduct {
  readonly record: ProductRecord;
  readonly folded: readonly [name: string, slug: string];
  readonly live: string;
  readonly test: string;
}

export interface StockRow {
  readonly stock: number;
  readonly held: number;
}

export interface CatalogState {
  /** By store, then by id. */
  readonly products: Map<string, Map<string, StoredProduct>>;
  readonly categories: Map<string, Map<string, CategoryRecord>>;
  readonly methods: Map<string, Map<string, PaymentMethodRecord>>;
  readonly coupons: Map<string, Map<string, CouponRecord>>;
  /** By partition and product id. */
  readonly stock: Map<string, StockRow>;
  /** Uses by partition and coupon id. */
  readonly coupon_uses: Map<string, number>;
}

export const createCatalogState = (): CatalogState => ({
  products: new Map(),
  categories: new Map(),
  methods: new Map(),
  coupons: new Map(),
  stock: new Map(),
  coupon_uses: new Map(),
});

/** A store's own map, made on first use. */
export function within<T>(maps: Map<string, Map<string, T>>, store_id: string): Map<string, T> {
  const known = maps.get(store_id) ?? new Map<string, T>();
  maps.set(store_id, known);
  return known;
}

export function onHand(
  state: MemoryState,
  partition: Partition,
  product_id: string,
): number | null {
  const row = state.catalog.stock.get(rowKey(partition, product_id));
  return row ? row.stock - row.held : null;
}

export const storedProduct = (state: MemoryState, record: ProductRecord): StoredProduct => ({
  record,
  folded: [fold(record.name), record.slug],
  live: productDocument(
    record,
    onHand(state, { store_id: record.store_id, livemode: true }, record.id),
  ),
  test: productDocument(
    record,
    onHand(state, { store_id: record.store_id, livemode: false }, record.id),
  ),
});

export function bumpCatalog(state: MemoryState, store_id: string): void {
  const store = state.access.stores.get(store_id);
  if (store)
    state.access.stores.set(store_id, { ...store, catalog_version: store.catalog_version + 1 });
}

const byPlace = (
  a: { position: number; id: string },
  b: { position: number; id: string },
): number => a.position - b.position || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

export function memoryCatalog(state: MemoryState): CatalogStore {
  const { products, categories, methods } = state.catalog;
  const mode = (partition: Partition): "live" | "test" => (partition.livemode ? "live" : "test");

  return {
    ...catalogOwner(state),
    async findProduct(partition, id_or_slug) {
      const own = within(products, partition.store_id);
      const found =
        own.get(id_or_slug) ??
        [...own.values()].find((product) => product.record.slug === id_or_slug);
      return found?.record.active ? { document: found[mode(partition)] } : null;
    },
    async listProducts(query) {
      const category = resolveCategory(
        [...within(categories, query.store_id).values()],
        query.category_slug,
        query.category_id,
      );
      if (category === "conflict") return { outcome: "category_conflict" };
      if (category === "unknown") return { outcome: "listed", rows: [] };
      const { search, after, offset = 0, limit } = query;
      const rows: ProductRow[] = [...within(products, query.store_id).values()]
        .filter(
          ({ record, folded }) =>
            record.active &&
            (category === null || record.category_ids.includes(category)) &&
            (search === undefined || folded.some((text) => text.includes(search))),
        )
        .map((product) => ({
          id: product.record.id,
          position: product.record.position,
          document: product[mode(query)],
        }))
        .filter((row) => after === undefined || byPlace(row, after) > 0)
        .sort(byPlace);
      return { outcome: "listed", rows: rows.slice(offset, offset + limit + 1) };
    },
    listCategories: async (store_id) =>
      [...within(categories, store_id).values()]
        .filter((category) => category.enabled)
        .sort(byPlace)
        .slice(0, 1_000),
    listPaymentMethods: async (store_id) =>
      [...within(methods, store_id).values()].sort(byPlace).slice(0, 1_000),
  };
}

/** The id that both names mean; null when none was given. Disabled categories are as unknown. */
export function resolveCategory(
  all: readonly CategoryRecord[],
  slug: string | undefined,
  id: string | undefined,
): string | null | "conflict" | "unknown" {
  if (slug === undefined && id === undefined) return null;
  const named = all.filter(
    (category) => category.enabled && (category.slug === slug || category.id === id),
  );
  const bySlug = slug === undefined ? undefined : named.find((category) => category.slug === slug);
  const byId = id === undefined ? undefined : named.find((category) => category.id === id);
  if (slug !== undefined && id !== undefined)
    return bySlug && byId
      ? bySlug === byId
        ? byId.id
        : "conflict"
      : bySlug || byId
        ? "conflict"
        : "unknown";
  return (bySlug ?? byId)?.id ?? "unknown";
}
