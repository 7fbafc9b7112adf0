import type { ListingStore, ProductStock } from "#core/storage/reads/listing-store.ts";
import { countColumns, readCount } from "../catalog/stock/stock-count.ts";
import { ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

export const sqlStockLists = (engine: SqlEngine): Pick<ListingStore, "countStock"> => ({
  countStock: (partition, product_ids) =>
    engine.read(function* (): QueryGenerator<readonly ProductStock[]> {
      if (product_ids.length === 0) return [];

      const rows = yield* many(
        engine.db
          .selectFrom("stock")
          .select(["product_id", ...countColumns])
          .where(ofPartition(partition))
          .where("product_id", "in", product_ids),
      );
      return rows.map((row) => ({ product_id: row.product_id, ...readCount(row) }));
    }),
});
