import { catalogOf } from "../../rules/catalog/catalog-writes.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type {
  FoundProducts,
  ProductsDecision,
  ProductsSubject,
} from "../../storage/record-store.ts";
import { written } from "../access/written.ts";
import { bumpCatalogVersion, modes, putProduct, rowsOfStore } from "../catalog/catalog-rows.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

/** Makes the step that puts products. */
export function stepProducts<Result>(
  state: MemoryState,
  { store_id, products, author }: ProductsSubject,
  decide: (found: FoundProducts) => ProductsDecision<Result>,
): Result {
  const rows = rowsOfStore(state.catalog.products, store_id);
  const named = new Set(products.map(({ id }) => id));
  const others = [...rows.values()].filter(({ record }) => !named.has(record.id));
  const before = [...named].flatMap((id) => rows.get(id)?.record ?? []);

  const { result, puts } = decide({
    store_exists: state.access.stores.has(store_id),
    records: new Map(before.map((record) => [record.id, record])),
    ...catalogOf(
      others.map(({ record }) => record),
      rowsOfStore(state.catalog.categories, store_id).keys(),
    ),
  });
  if (!puts) return result;

  for (const { record, set_stock } of puts) {
    if (set_stock) setStock(state, record);
    putProduct(state, record);
  }
  bumpCatalogVersion(state, store_id);
  const after = puts.map(({ record }) => record);
  return written(state, { result, change: { kind: "products", store_id, before, after } }, author);
}

/**
 * Sets the stock of both modes. With null as the stock the counting ends. Held
 * pieces stay held in either case.
 */
function setStock(state: MemoryState, { store_id, id, stock }: ProductRecord): void {
  const counts = state.catalog.stock;
  for (const livemode of modes) {
    const key = rowKey({ store_id, livemode }, id);
    const known = counts.get(key);
    if (stock !== null) counts.set(key, { stock, held: known?.held ?? 0, counted: true });
    else if (known) counts.set(key, { ...known, counted: false });
  }
}
