import { isStale, type ProductRefusal, refuseProducts } from "../rules/catalog/catalog-writes.ts";
import type { ProductPut, RecordStore } from "../storage/record-store.ts";

/** What became of products that were put. The index is that of the first one refused. */
export type PutProductsResult =
  | { readonly outcome: "stored" }
  | { readonly outcome: "stale" }
  | { readonly outcome: "unknown_store" }
  | ProductRefusal;

/**
 * Inserts products, or replaces those with the same ids: all of them, or none. A dry run makes the
 * same decision, and writes nothing.
 */
export const putProducts = (
  records: RecordStore,
  store_id: string,
  puts: readonly ProductPut[],
  { dry_run = false } = {},
): Promise<PutProductsResult> => {
  const products = puts.map(({ record }) => record);
  const reads_records = puts.some(({ before }) => before !== undefined);

  return records.stepProducts<PutProductsResult>(
    { step: "putProducts", store_id, products, reads_records },
    (found) => {
      if (!found.store_exists) return { result: { outcome: "unknown_store" } };
      if (puts.some(({ record, before }) => isStale(found.records.get(record.id), before)))
        return { result: { outcome: "stale" } };

      const refusal = refuseProducts(products, found);
      if (refusal) return { result: refusal };
      return { result: { outcome: "stored" }, ...(!dry_run && { puts }) };
    },
  );
};
