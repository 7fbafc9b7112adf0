import { sql } from "kysely";
import {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
} from "../../../src/rules/erasure.ts";
import type { SubscriptionRecord } from "../../../src/rules/payment-records.ts";
import type { OrderRecord, ProductRecord, SessionRecord } from "../../../src/rules/records.ts";
import type { PrivacyStore } from "../../../src/storage/privacy-store.ts";
import { bumpCatalog, lockStocks, productRow } from "./catalog/owner.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { fromJson } from "./engine/json.ts";
import { many, type Step } from "./engine/step.ts";

/** Rare and thorough: one transaction that reads through the store's rows. */
export function sqlPrivacy(engine: SqlEngine): PrivacyStore {
  return {
    eraseCustomer: (store_id, customer_id) =>
      engine.write(function* (): Step<boolean> {
        const session_ids = new Set<string>();
        const sessions = yield* eraseSessions(engine, store_id, customer_id, session_ids);
        const orders = yield* eraseOrders(engine, store_id, customer_id);
        const subscriptions = yield* eraseSubscriptions(engine, store_id, customer_id);
        yield* eraseReplies(engine, store_id, session_ids);
        yield* eraseEvents(engine, store_id, customer_id, session_ids);
        yield* many(
          engine.db
            .deleteFrom("customer_tokens")
            .where("store_id", "=", store_id)
            .where("customer_id", "=", customer_id),
        );
        return sessions + orders + subscriptions > 0;
      }),
    wipeTestData: (store_id) => engine.write(() => wipe(engine, store_id)),
  };
}

function* eraseSessions(
  { db, dialect }: SqlEngine,
  store_id: string,
  customer_id: string,
  ids: Set<string>,
): Step<number> {
  const orders = yield* many(
    db
      .selectFrom("orders")
      .select("session_id")
      .where("store_id", "=", store_id)
      .where("customer_id", "=", customer_id),
  );
  const ordered = new Set(orders.flatMap((row) => row.session_id ?? []));
  // Sessions have no column for it: a text that looks like it is found by the pattern, and judged by the record.
  const named = `%${JSON.stringify({ customer_id })
    .slice(1, -1)
    .replace(/[\\%_]/g, "_")}%`;
  const mine = db
    .selectFrom("checkout_sessions")
    .select(["livemode", "id", "record"])
    .where("store_id", "=", store_id)
    .where((eb) => eb.or([eb("record", "like", named), eb("id", "in", [...ordered, ""])]))
    .orderBy("id");
  for (const { livemode, id, record } of yield* many(dialect.forUpdate(mine))) {
    const session = fromJson<SessionRecord>(record);
    if (session.customer_id !== customer_id && !ordered.has(id)) continue;
    ids.add(id);
    yield* many(
      db
        .updateTable("checkout_sessions")
        .set({ record: JSON.stringify(blankSession(session)) })
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", id),
    );
  }
  return ids.size;
}

function* eraseOrders(
  { db, dialect }: SqlEngine,
  store_id: string,
  customer_id: string,
): Step<number> {
  const mine = db
    .selectFrom("orders")
    .select(["livemode", "id", "record"])
    .where("store_id", "=", store_id);
  const rows = yield* many(
    dialect.forUpdate(mine.where("customer_id", "=", customer_id).orderBy("id")),
  );
  for (const { livemode, id, record } of rows) {
    const order = fromJson<OrderRecord>(record);
    const blank = blankOrder(order);
    if (order.coupon_id !== null && order.coupon_key !== null)
      yield* many(
        db
          .deleteFrom("coupon_uses")
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode)
          .where("coupon_id", "=", order.coupon_id)
          .where("customer_key", "=", order.coupon_key),
      );
    yield* many(
      db
        .updateTable("orders")
        .set({ customer_id: blank.customer.id, record: JSON.stringify(blank) })
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", id),
    );
  }
  return rows.length;
}

function* eraseSubscriptions(
  { db, dialect }: SqlEngine,
  store_id: string,
  customer_id: string,
): Step<number> {
  const mine = db
    .selectFrom("subscriptions")
    .select(["livemode", "id", "record"])
    .where("store_id", "=", store_id);
  const rows = yield* many(
    dialect.forUpdate(mine.where("customer_id", "=", customer_id).orderBy("id")),
  );
  for (const { livemode, id, record } of rows) {
    const blank = blankSubscription(fromJson<SubscriptionRecord>(record));
    yield* many(
      db
        .updateTable("subscriptions")
        .set({ customer_id: blank.customer.id, record: JSON.stringify(blank) })
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", id),
    );
  }
  return rows.length;
}

function* eraseReplies(
  { db }: SqlEngine,
  store_id: string,
  session_ids: ReadonlySet<string>,
): Step<void> {
  for (const session_id of session_ids) {
    const replies = yield* many(
      db
        .selectFrom("idempotency_keys")
        .select(["livemode", "body"])
        .where("store_id", "=", store_id)
        .where("session_id", "=", session_id),
    );
    for (const { livemode, body } of replies)
      if (body !== null)
        yield* many(
          db
            .updateTable("idempotency_keys")
            .set({ body: blankReply(body) })
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("session_id", "=", session_id),
        );
  }
}

function* eraseEvents(
  { db }: SqlEngine,
  store_id: string,
  customer_id: string,
  session_ids: ReadonlySet<string>,
): Step<void> {
  for (let from = ""; ; ) {
    const rows = yield* many(
      db
        .selectFrom("events")
        .select(["livemode", "id", "body"])
        .where("store_id", "=", store_id)
        .where("id", ">", from)
        .orderBy("id")
        .limit(500),
    );
    for (const { livemode, id, body: before } of rows) {
      const body = before === null ? null : blankEvent(before, customer_id, session_ids);
      if (body === null) continue;
      yield* many(
        db
          .updateTable("events")
          .set({ body })
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode)
          .where("id", "=", id),
      );
      yield* many(
        db
          .updateTable("delivery_attempts")
          .set({ snippet: null })
          .where("store_id", "=", store_id)
          .where("event_id", "=", id),
      );
    }
    const last = rows.at(-1);
    if (!last || rows.length < 500) return;
    from = last.id;
  }
}

const testTables = [
  "idempotency_keys",
  "checkout_sessions",
  "orders",
  "payment_attempts",
  "refunds",
  "disputes",
  "subscriptions",
  "gateway_notifications",
  "event_cursors",
  "customer_tokens",
  "coupon_counters",
  "coupon_uses",
  "deliveries",
  "events",
] as const;

function* wipe(engine: SqlEngine, store_id: string): Step<void> {
  const { db } = engine;
  yield* many(
    sql`delete from ${sql.table("delivery_attempts")} where store_id = ${store_id} and event_id in
      (select id from ${sql.table("events")} where store_id = ${store_id} and livemode = 0)`.compile(
      db,
    ),
  );
  for (const table of testTables)
    yield* many(
      sql`delete from ${sql.table(table)} where store_id = ${store_id} and livemode = 0`.compile(
        db,
      ),
    );
  const products = yield* many(
    db.selectFrom("products").select("record").where("store_id", "=", store_id).orderBy("id"),
  );
  const records = products.map((row) => fromJson<ProductRecord>(row.record));
  const ids = records.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += 500) {
    const part = ids.slice(at, at + 500);
    yield* lockStocks(engine, store_id, part);
    yield* many(
      sql`update ${sql.table("stock")} as test set held = 0, stock = (select live.stock from ${sql.table("stock")} as live
        where live.store_id = test.store_id and live.livemode = 1 and live.product_id = test.product_id)
        where test.store_id = ${store_id} and test.livemode = 0 and test.product_id in (${sql.join(part)})`.compile(
        db,
      ),
    );
  }
  for (const record of records) {
    const { document_test } = yield* productRow(db, record);
    yield* many(
      db
        .updateTable("products")
        .set({ document_test })
        .where("store_id", "=", store_id)
        .where("id", "=", record.id),
    );
  }
  yield* bumpCatalog(db, store_id);
}
