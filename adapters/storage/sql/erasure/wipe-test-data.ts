import { sql } from "kysely";
import { testDataWiped } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import { withoutClock } from "#core/rules/clock/test-clock.ts";
import type { ProductRecord } from "#core/rules/records.ts";
import { lockStore } from "../access/lock-store.ts";
import { readStore } from "../access/stores.ts";
import { bumpCatalogVersion } from "../catalog/catalog-version.ts";
import { lockStocks, readProductColumns } from "../catalog/owner/product-rows.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/**
 * The rows of the test mode are deleted from these tables, in the order in which
 * steps lock them. A step beside the wipe holds a session, order or subscription:
 * the wipe waits for it there, and then deletes what it wrote. An order that a
 * renewal wrote for a subscription is why orders have a second turn.
 */
const testTables = [
  "idempotency_keys",
  "checkout_sessions",
  "session_days",
  "open_holds",
  "orders",
  "subscriptions",
  "orders",
  "order_notes",
  "order_terms",
  "payment_attempts",
  "payments",
  "refunds",
  "disputes",
  "gateway_notifications",
  "event_cursors",
  "customer_tokens",
  "coupon_counters",
  "coupon_uses",
  "deliveries",
  "events",
  "customer_totals",
  "stats_hours",
  "request_blocks",
  "session_rollups",
  "hourly_stats",
] as const;

/** Deletes what test keys made, and gives the test mode the live mode's stock again. */
export function* wipeTestData(engine: SqlEngine, store_id: string): QueryGenerator<Written<void>> {
  const { db } = engine;
  yield* resetClock(engine, store_id);
  yield* deleteTestRows(engine, store_id);

  const rows = yield* many(
    db.selectFrom("products").select("record").where("store_id", "=", store_id).orderBy("id"),
  );
  const products = rows.map((row) => fromJson<ProductRecord>(row.record));
  yield* resetStocks(
    engine,
    store_id,
    products.map(({ id }) => id),
  );

  for (const product of products) {
    const { document_test } = yield* readProductColumns(db, product);
    yield* many(
      db
        .updateTable("products")
        .set({ document_test })
        .where("store_id", "=", store_id)
        .where("id", "=", product.id),
    );
  }
  yield* bumpCatalogVersion(db, store_id);
  return { result: undefined, change: testDataWiped(store_id) };
}

/** Puts the test clock back. It comes first: a step keeps the clock before it locks rows. */
function* resetClock(engine: SqlEngine, store_id: string): QueryGenerator<void> {
  const row = yield* one(lockStore(engine, store_id));
  if (!row || row.test_offset === 0) return;

  const record = JSON.stringify(withoutClock(readStore(row)));
  yield* many(
    engine.db.updateTable("stores").set({ record, test_offset: 0 }).where("id", "=", store_id),
  );
}

function* deleteTestRows({ db }: SqlEngine, store_id: string): QueryGenerator<void> {
  for (const table of testTables) {
    // Attempts have no mode of their own: their events, which are deleted last, tell it.
    if (table === "events")
      yield* many(
        sql`
          delete from ${sql.table("delivery_attempts")} where store_id = ${store_id} and event_id in
          (select id from ${sql.table("events")} where store_id = ${store_id} and livemode = 0)
        `.compile(db),
      );

    yield* many(
      sql`
        delete from ${sql.table(table)} where store_id = ${store_id} and livemode = 0
      `.compile(db),
    );
  }
}

const productsPerStatement = 500;

function* resetStocks(
  engine: SqlEngine,
  store_id: string,
  product_ids: readonly string[],
): QueryGenerator<void> {
  const stock = sql.table("stock");
  // There is a sub-select for each column: of several columns in one, Citus 13.0
  // mixes up which is which.
  const live = sql`from ${stock} as live
    where live.store_id = ${store_id} and live.livemode = 1 and live.product_id = test.product_id`;

  for (let start = 0; start < product_ids.length; start += productsPerStatement) {
    const ids = product_ids.slice(start, start + productsPerStatement);
    yield* lockStocks(engine, store_id, ids);
    yield* many(
      sql`
        update ${stock} as test set held = 0,
          stock = (select live.stock ${live}), counted = (select live.counted ${live})
        where test.store_id = ${store_id} and test.livemode = 0
          and test.product_id in (${sql.join(ids)})
      `.compile(engine.db),
    );
  }
}
