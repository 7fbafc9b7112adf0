import { fold } from "../../domain/text/fold.ts";
import { productDocument } from "../../rules/catalog/render.ts";
import { onHandOf } from "../../rules/catalog/stock.ts";
import type { Partition, ProductRecord } from "../../rules/records.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import type { StoredProduct } from "./catalog-state.ts";

/** Both values of `livemode`. */
export const modes = [true, false] as const;

/** Gives a store's own rows. Their map is made on first use. */
export function rowsOfStore<Row>(
  rowsByStore: Map<string, Map<string, Row>>,
  store_id: string,
): Map<string, Row> {
  const known = rowsByStore.get(store_id);
  if (known) return known;

  const rows = new Map<string, Row>();
  rowsByStore.set(store_id, rows);
  return rows;
}

/** Gives a product's pieces that may be sold now, or null when they are not counted. */
export const onHand = (
  state: MemoryState,
  partition: Partition,
  product_id: string,
): number | null => onHandOf(state.catalog.stock.get(rowKey(partition, product_id)));

/** Stores a product with the documents that its present stock gives. */
export function putProduct(state: MemoryState, record: ProductRecord): void {
  const { store_id, id } = record;
  const documentOf = (livemode: boolean): string =>
    productDocument(record, onHand(state, { store_id, livemode }, id));

  const product: StoredProduct = {
    record,
    folded: [fold(record.name), record.slug],
    live: documentOf(true),
    test: documentOf(false),
  };
  rowsOfStore(state.catalog.products, store_id).set(id, product);
}

export function bumpCatalogVersion({ access }: MemoryState, store_id: string): void {
  const store = access.stores.get(store_id);
  if (!store) return;
  access.stores.set(store_id, { ...store, catalog_version: store.catalog_version + 1 });
}
