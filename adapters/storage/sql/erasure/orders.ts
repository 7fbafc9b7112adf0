import { sql } from "kysely";
import { erasedCustomerId } from "#core/rules/owner/erased-customer.ts";
import {
  blankOrder,
  blankSubscription,
  type Erasure,
  type HeldCoupon,
} from "#core/rules/owner/erasure.ts";
import type { SubscriptionRecord } from "#core/rules/payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "#core/rules/records.ts";
import { renewalWorkAt } from "#core/rules/subscriptions/subscription-record.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { deleteCouponUses } from "./coupon-uses.ts";
import { eraseOrderIndex } from "./order-index.ts";
import { eraseReasons } from "./reasons.ts";
import { type ChunkPlace, noMoreRows, putBlankRecords, type RowChunk } from "./rows.ts";
import { putBlankSessions } from "./sessions.ts";

const ordersPerChunk = 200;

/**
 * Blanks orders together with their sessions, which no customer's id may name. The
 * locks are taken in the order of every step: sessions first, then orders.
 */
export function* eraseOrders(
  engine: SqlEngine,
  { store_id, customer_id }: Erasure,
  { livemode }: ChunkPlace,
): QueryGenerator<RowChunk> {
  const { db, dialect } = engine;
  const theirs = db
    .selectFrom("orders")
    .where(ofPartition({ store_id, livemode }))
    .where("customer_id", "=", customer_id);
  const found = yield* many(
    theirs.select(["id", "session_id"]).orderBy("number").limit(ordersPerChunk),
  );
  if (found.length === 0) {
    yield* forgetTotals(engine, { store_id, livemode, customer_id });
    return noMoreRows;
  }

  const session_ids = found.flatMap((row) => row.session_id ?? []);
  const holds = yield* eraseSessions(engine, { store_id, livemode, session_ids });

  const ids = found.map(({ id }) => id);
  const rows = yield* many(
    dialect.forUpdate(
      theirs.select(["id", "record", "created_at"]).where("id", "in", ids).orderBy("id"),
    ),
  );
  const orders = rows.map(({ id, record }) => ({ ...fromJson<OrderRecord>(record), id }));
  yield* eraseReasons(engine, { store_id, livemode, order_ids: ids });
  yield* deleteCouponUses(engine, { store_id, livemode, holders: [...orders, ...holds] });
  yield* putBlankRecords(engine, {
    table: "orders",
    store_id,
    livemode,
    rows: orders.map((order) => ({ id: order.id, record: JSON.stringify(blankOrder(order)) })),
    customer_id: erasedCustomerId,
  });

  const indexed = new Set(rows.flatMap(({ id, created_at }) => (created_at === null ? [] : id)));
  yield* eraseOrderIndex(engine, { store_id, customer_id, livemode, orders, indexed });
  return { found: true, after: "" };
}

interface Customer {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly customer_id: string;
}

/**
 * Forgets the customer's totals of orders that were moved out, unless the customer has a new order.
 */
function* forgetTotals(
  { db }: SqlEngine,
  { store_id, livemode, customer_id }: Customer,
): QueryGenerator<void> {
  yield* many(
    sql`delete from ${sql.table("customer_totals")}
      where store_id = ${store_id} and livemode = ${livemode} and customer_id = ${customer_id}
        and not exists (select 1 from ${sql.table("orders")} as o
          where o.store_id = ${store_id} and o.livemode = ${livemode}
            and o.customer_id = ${customer_id})`.compile(db),
  );
}

interface OrderedSessions {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly session_ids: readonly string[];
}

/** Blanks these sessions, and gives what they held before. */
function* eraseSessions(
  engine: SqlEngine,
  { store_id, livemode, session_ids }: OrderedSessions,
): QueryGenerator<readonly HeldCoupon[]> {
  if (session_ids.length === 0) return [];

  const { db, dialect } = engine;
  const sessions = db
    .selectFrom("checkout_sessions")
    .select("record")
    .where(ofPartition({ store_id, livemode }))
    .where("id", "in", session_ids)
    .orderBy("id");

  const rows = yield* many(dialect.forUpdate(sessions));
  const found = rows.map(({ record }) => fromJson<SessionRecord>(record));
  return yield* putBlankSessions(engine, { store_id, livemode }, found);
}

export function* eraseSubscriptions(
  engine: SqlEngine,
  { store_id, customer_id, now }: Erasure,
  { livemode }: ChunkPlace,
): QueryGenerator<RowChunk> {
  const { db, dialect } = engine;
  const theirs = db
    .selectFrom("subscriptions")
    .select(["id", "record"])
    .where(ofPartition({ store_id, livemode }))
    .where("customer_id", "=", customer_id)
    .orderBy("id")
    .limit(ordersPerChunk);

  const rows = yield* many(dialect.forUpdate(theirs));
  if (rows.length === 0) return noMoreRows;

  yield* putBlankRecords(engine, {
    table: "subscriptions",
    store_id,
    livemode,
    rows: rows.map(({ id, record }) => {
      const blank = blankSubscription(fromJson<SubscriptionRecord>(record), now);
      return { id, record: JSON.stringify(blank), charge_at: renewalWorkAt(blank) };
    }),
    customer_id: erasedCustomerId,
  });
  return { found: true, after: "" };
}
