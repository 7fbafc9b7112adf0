import { sql } from "kysely";
import {
  changesAvailability,
  type StockChange,
  type StockCount,
} from "#core/rules/catalog/stock.ts";
import type { Partition, ProductRecord } from "#core/rules/records.ts";
import { fromJson, ofPartitionParams, partitionColumns } from "../../engine/columns.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many, one, prepareEach, type QueryGenerator } from "../../engine/queries.ts";
import { bumpCatalogVersion } from "../catalog-version.ts";
import { readProductColumns } from "../owner/product-rows.ts";
import { GuardFailed } from "./guard-failed.ts";
import { countColumns, readCount } from "./stock-count.ts";

/**
 * Locks the stock rows of products in the order of their ids, and gives their counts
 * by product. A product that was never counted has no row.
 */
export function prepareStockLock({ db, dialect }: SqlEngine) {
  const lock = prepareEach(
    (count: number) => count,
    (count, param) => {
      const ids = Array.from({ length: count }, (_, index) => param<string>(`p${index}`));
      return dialect.forUpdate(
        db
          .selectFrom("stock")
          .select(["product_id", ...countColumns])
          .where(ofPartitionParams(param))
          .where("product_id", "in", ids)
          .orderBy("product_id"),
      );
    },
  );

  return function* lockStock(
    partition: Partition,
    product_ids: readonly string[],
  ): QueryGenerator<ReadonlyMap<string, StockCount>> {
    const ids = [...new Set(product_ids)];
    if (ids.length === 0) return new Map();

    const values = Object.fromEntries(ids.map((id, index) => [`p${index}`, id]));
    const rows = yield* many(lock(ids.length, { ...partitionColumns(partition), ...values }));
    return new Map(rows.map((row) => [row.product_id, readCount(row)]));
  };
}

/**
 * Changes the stock of locked products; each update carries its own guard. When a
 * change flips `available`, the product is rendered anew and the catalog version
 * moves in the same transaction.
 */
export function prepareStockAdjustment({ db }: SqlEngine) {
  const adjust = prepareEach(
    (guarded: boolean) => String(guarded),
    (guarded, param) => {
      const held_delta = param<number>("held_delta");
      const update = db
        .updateTable("stock")
        .set((eb) => ({
          stock: eb("stock", "+", param<number>("stock_delta")),
          // The number never falls below zero: the owner may have reset the count
          // while pieces were held.
          held: sql<number>`case when held + ${held_delta} < 0 then 0
            else held + ${held_delta} end`,
        }))
        .where(ofPartitionParams(param))
        .where("product_id", "=", param<string>("product_id"))
        .returning(countColumns);
      if (!guarded) return update;
      return update.where((eb) =>
        eb.or([
          eb("counted", "=", 0),
          eb(eb("stock", "-", eb.ref("held")), ">=", param<number>("needed")),
        ]),
      );
    },
  );

  return function* adjustStock(
    partition: Partition,
    changes: readonly StockChange[],
    counts: ReadonlyMap<string, StockCount>,
  ): QueryGenerator<void> {
    const { store_id, livemode } = partitionColumns(partition);
    const flipped: string[] = [];

    for (const { product_id, stock_delta, held_delta, guarded } of changes) {
      const before = counts.get(product_id);
      if (before === undefined) continue;

      const needed = held_delta - stock_delta;
      const after = yield* one(
        adjust(guarded, { store_id, livemode, product_id, stock_delta, held_delta, needed }),
      );
      if (!after) throw new GuardFailed("stock");
      if (changesAvailability(before, readCount(after))) flipped.push(product_id);
    }

    if (flipped.length === 0) return;
    for (const product_id of flipped) yield* renderDocument(db, partition, product_id);
    yield* bumpCatalogVersion(db, store_id);
  };
}

/** Renders this mode's document only: the other mode's stock is not locked here. */
function* renderDocument(
  db: Db,
  { store_id, livemode }: Partition,
  product_id: string,
): QueryGenerator<void> {
  const product = yield* one(
    db
      .selectFrom("products")
      .select("record")
      .where("store_id", "=", store_id)
      .where("id", "=", product_id),
  );
  if (!product) return;

  const record = fromJson<ProductRecord>(product.record);
  const columns = yield* readProductColumns(db, record);
  const { document_live, available_live, document_test, available_test } = columns;
  yield* many(
    db
      .updateTable("products")
      .set(livemode ? { document_live, available_live } : { document_test, available_test })
      .where("store_id", "=", store_id)
      .where("id", "=", product_id),
  );
}
