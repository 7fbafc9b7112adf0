import { sql } from "kysely";
import { testDataWiped } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import { withoutClock } from "#core/rules/clock/test-clock.ts";
import type { ProductRecord } from "#core/rules/records.ts";
import { lockStore } from "../access/lock-store.ts";
import { readStore } from "../access/stores.ts";
import { bumpCatalogVersion } from "../catalog/catalog-version.ts";
import { readProductColumns } from "../catalog/owner/product-rows.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { changed, many, one, type QueryGenerator } from "../engine/queries.ts";

/**
 * The tables whose rows of the test mode are deleted, in the order in which steps lock them, and
 * the column by whose values one chunk is chosen. A step beside the wipe holds a session,
 * order or subscription: the wipe waits for it there, and then deletes what it wrote. An
 * order that a renewal wrote for a subscription is why orders have a second turn.
 */
const testTables = [
  ["idempotency_keys", "idempotency_key"],
  ["checkout_sessions", "id"],
  ["session_days", "day"],
  ["open_holds", "address"],
  ["orders", "id"],
  ["subscriptions", "id"],
  ["orders", "id"],
  ["order_notes", "id"],
  ["order_terms", "term"],
  ["payment_attempts", "id"],
  ["payments", "payment_reference"],
  ["refunds", "id"],
  ["disputes", "id"],
  ["gateway_notifications", "notification_id"],
  ["event_cursors", "consumer"],
  ["customer_tokens", "customer_id"],
  ["coupon_counters", "coupon_id"],
  ["coupon_uses", "customer_key"],
  ["key_pools", "product_id"],
  ["pool_keys", "key_hash"],
  ["deliveries", "event_id"],
  ["events", "sequence"],
  ["customer_totals", "customer_id"],
  ["stats_hours", "livemode"],
  ["request_blocks", "number"],
  ["session_rollups", "livemode"],
  ["hourly_stats", "hour"],
  ["sales_rollups", "livemode"],
  ["counted_sales", "starts_at"],
] as const;

type TestTable = (typeof testTables)[number];

/** Where a wipe goes on: at a table, or behind a product whose stock was given back. */
type Place = { readonly table: number } | { readonly product: string };

/** Each chunk is one short transaction, so that a live sale waits for none of them. */
const rowsPerChunk = 500;
const productsPerChunk = 10;

/** Wipes one chunk. Its position is the place as JSON, and its result the next one's. */
export function* wipeTestChunk(
  engine: SqlEngine,
  store_id: string,
  position: string | null,
): QueryGenerator<Written<string | null>> {
  if (position === null) {
    yield* resetClock(engine, store_id);
    return {
      result: JSON.stringify({ table: 0 } satisfies Place),
      change: testDataWiped(store_id),
    };
  }

  const place = fromJson<Place>(position);
  const next =
    "table" in place
      ? yield* deleteTestRows(engine, store_id, place.table)
      : yield* resetStocks(engine, store_id, place.product);

  // Buyers read the catalog anew once all of it is as it was.
  if (next === null) yield* bumpCatalogVersion(engine.db, store_id);
  return { result: next && JSON.stringify(next), change: null };
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

function* deleteTestRows(
  engine: SqlEngine,
  store_id: string,
  index: number,
): QueryGenerator<Place> {
  const table = testTables[index];
  if (!table) return { product: "" };

  const [name] = table;
  const isFound =
    name === "deliveries"
      ? yield* deleteDeliveries(engine, store_id)
      : yield* deleteSome(engine, store_id, table);
  return { table: isFound ? index : index + 1 };
}

function* deleteSome(
  { db }: SqlEngine,
  store_id: string,
  [name, column]: TestTable,
): QueryGenerator<boolean> {
  const table = sql.table(name);
  const key = sql.ref(column);
  const part = sql`select ${key} from ${table}
    where store_id = ${store_id} and livemode = 0 limit ${sql.lit(rowsPerChunk)}`;
  return yield* changed(
    sql`delete from ${table} where store_id = ${store_id} and livemode = 0
      and ${key} in (select ${key} from (${part}) as part)`.compile(db),
  );
}

/** Attempts have no mode of their own. They go with their delivery, whose index has its age. */
function* deleteDeliveries({ db, dialect }: SqlEngine, store_id: string): QueryGenerator<boolean> {
  const rows = yield* many(
    db
      .selectFrom("deliveries")
      .select(["endpoint_id", "event_id"])
      .where("store_id", "=", store_id)
      .where("livemode", "=", 0)
      .orderBy("created_at")
      .orderBy("event_id")
      .orderBy("endpoint_id")
      .limit(rowsPerChunk),
  );
  if (rows.length === 0) return false;

  const json = sql<string>`${JSON.stringify(rows)}`;
  const keys = sql`select endpoint_id, event_id
    from ${dialect.jsonTable("j", json, { endpoint_id: "text", event_id: "text" })}`;
  for (const name of ["delivery_attempts", "deliveries"])
    yield* many(
      sql`delete from ${sql.table(name)} where store_id = ${store_id}
        and (endpoint_id, event_id) in (${keys})`.compile(db),
    );
  return true;
}

/**
 * Gives the test mode of some products the live mode's stock again. Only rows of the test mode
 * are locked. A product is written where its test document changes, because a live sale writes
 * the same row.
 */
function* resetStocks(
  engine: SqlEngine,
  store_id: string,
  after: string,
): QueryGenerator<Place | null> {
  const { db } = engine;
  const found = yield* many(
    db
      .selectFrom("products")
      .select("id")
      .where("store_id", "=", store_id)
      .where("id", ">", after)
      .orderBy("id")
      .limit(productsPerChunk),
  );
  const ids = found.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return null;

  yield* copyLiveStocks(engine, store_id, ids);

  // The records are read behind the lock: whoever edits a product waits for it too.
  const rows = yield* many(
    db
      .selectFrom("products")
      .select(["id", "record", "document_test"])
      .where("store_id", "=", store_id)
      .where("id", "in", ids)
      .orderBy("id"),
  );
  for (const { id, record, document_test: known } of rows) {
    const { document_test } = yield* readProductColumns(db, fromJson<ProductRecord>(record));
    if (document_test === known) continue;
    yield* many(
      db
        .updateTable("products")
        .set({ document_test })
        .where("store_id", "=", store_id)
        .where("id", "=", id),
    );
  }
  return { product: last };
}

function* copyLiveStocks(
  { db, dialect }: SqlEngine,
  store_id: string,
  ids: readonly string[],
): QueryGenerator<void> {
  const testRows = db
    .selectFrom("stock")
    .select("product_id")
    .where("store_id", "=", store_id)
    .where("livemode", "=", 0)
    .where("product_id", "in", ids)
    .orderBy("product_id");
  yield* many(dialect.forUpdate(testRows));

  const stock = sql.table("stock");
  // Each column has a sub-select of its own: Citus 13.0 mixes up the columns of a common one.
  const live = sql`from ${stock} as live
    where live.store_id = ${store_id} and live.livemode = 1 and live.product_id = test.product_id`;
  yield* many(
    sql`
      update ${stock} as test set held = 0,
        stock = (select live.stock ${live}), counted = (select live.counted ${live})
      where test.store_id = ${store_id} and test.livemode = 0
        and test.product_id in (${sql.join(ids)})
    `.compile(db),
  );
}
