import { sql } from "kysely";
import { withReservationSettled } from "#core/rules/orders/order-record.ts";
import type { SubscriptionRecord } from "#core/rules/payments/payment-records.ts";
import { readAttempt, readPayment, readRefund } from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord, Partition, SessionRecord } from "#core/rules/records.ts";
import type {
  AttemptNames,
  OrderStore,
  OrdersOfAllStores,
  WorkClaim,
  WorkRecords,
} from "#core/storage/order-store.ts";
import { lockStore } from "../access/lock-store.ts";
import { fromJson, ofPartition, toBool } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { raiseAlert } from "./write/changes.ts";

type Maintenance = OrdersOfAllStores & Pick<OrderStore, "settleReservation" | "raiseOrderAlert">;

/**
 * Does what is asked of all stores at once: claims the work that is due, and finds the payment that
 * a gateway's message is about.
 */
export function sqlMaintenance(engine: SqlEngine): Maintenance {
  const { db } = engine;
  const claims = claimsOf(
    (rows) => (work) => engine.write(() => claimRows(engine, rows, work)),
    async (work) => {
      const rows = await engine.read(() => many(endingSubscriptions(db, work)));
      return rows.map((row) => fromJson(row.record));
    },
  );

  return {
    claimWork: (kind, work) => claims[kind](work),
    settleReservation: (partition, order_id) =>
      engine.write(() => settleReservation(engine, partition, order_id)),
    raiseOrderAlert: (alert) =>
      engine.write(function* (): QueryGenerator<void> {
        // Of two calls that raise one alert, the second one sees the first one's.
        yield* one(lockStore(engine, alert.store_id));
        yield* raiseAlert(engine, alert, 0);
      }),
    findAttempts: async (names) => {
      const rows = await engine.read(() => many(namedAttempts(db, names)));
      return rows.map((row) => readAttempt(row.record));
    },
  };
}

export function endingSubscriptions(db: Db, { now, limit, of }: WorkClaim) {
  const ending = db
    .selectFrom("subscriptions")
    .select(["record", "ends_at"])
    .where("ends_at", "<=", now)
    .orderBy("ends_at")
    .limit(limit);
  if (!of) return ending;

  return ending.where(ofPartition(of));
}

/**
 * Finds the attempts that a gateway's message may be about. Each part of the union asks
 * one index. PostgreSQL would read every attempt for an `or` of a subquery.
 */
export function namedAttempts(
  db: Db,
  { gateway, livemode, account, references, payment_id }: AttemptNames,
) {
  // A list must not be empty in SQL, and no reference is an empty text.
  const named = references.length === 0 ? [""] : [...references];
  const ofAccount = db
    .selectFrom("payment_attempts")
    .select("id")
    .where("gateway", "=", gateway)
    .where("livemode", "=", toBool(livemode))
    .where(sql`coalesce(account, '')`, "=", account ?? "");
  const ofMoney = db
    .selectFrom("payments")
    .select("attempt_id as id")
    .where("gateway", "=", gateway)
    .where("livemode", "=", toBool(livemode))
    .where("account", "=", account ?? "")
    .where("payment_reference", "in", named);
  const byOurId = db
    .selectFrom("payment_attempts")
    .select("id")
    .where("id", "=", payment_id ?? "");

  return db
    .selectFrom("payment_attempts")
    .select("record")
    .where(
      "id",
      "in",
      ofAccount
        .where("reference", "in", named)
        .union(ofAccount.where("payment_reference", "in", named))
        .union(ofMoney)
        .union(byOurId),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc");
}

/** A kind of work: the rows of one table whose time has come. */
export interface Work<R> {
  readonly table:
    | "orders"
    | "checkout_sessions"
    | "payment_attempts"
    | "payments"
    | "refunds"
    | "subscriptions";
  readonly column: "sweep_at" | "check_at" | "charge_at";
  read(json: string): R;
}

type Claim<R> = (work: WorkClaim) => Promise<readonly R[]>;
type Claims = { readonly [Kind in keyof WorkRecords]: Claim<WorkRecords[Kind]> };

/** Gives the claims of all kinds of work. `lease` claims the rows that are due. */
export const claimsOf = (
  lease: <R>(rows: Work<R>) => Claim<R>,
  subscriptions: Claim<SubscriptionRecord>,
): Claims => ({
  orders: lease<OrderRecord>({ table: "orders", column: "sweep_at", read: fromJson }),
  holds: lease<SessionRecord>({ table: "checkout_sessions", column: "sweep_at", read: fromJson }),
  attempts: lease({ table: "payment_attempts", column: "check_at", read: readAttempt }),
  payments: lease({ table: "payments", column: "check_at", read: readPayment }),
  refunds: lease({ table: "refunds", column: "check_at", read: readRefund }),
  subscriptions,
  renewals: lease<SubscriptionRecord>({
    table: "subscriptions",
    column: "charge_at",
    read: fromJson,
  }),
});

/**
 * Leases rows that are due, the oldest first. Rows that another process has locked
 * are its own.
 */
function* claimRows<R>(
  { db, dialect }: SqlEngine,
  { table, column, read }: Work<R>,
  { now, until, test_until = until, of, limit }: WorkClaim,
): QueryGenerator<readonly R[]> {
  // Kysely types one table at a time. All of these have the columns that are named here.
  const typedTable = table as "orders";
  const dueAt = db.dynamic.ref(column);
  const due = db
    .selectFrom(typedTable)
    .select(["store_id", "livemode", "id", "record"])
    .where(dueAt, "<=", now)
    .$if(of !== undefined, (rows) =>
      rows
        .where("store_id", "=", of?.store_id ?? "")
        .where("livemode", "=", toBool(!!of?.livemode)),
    )
    .orderBy(dueAt)
    .limit(limit);
  const rows = yield* many(dialect.skipLocked(due));

  for (const { store_id, livemode, id } of rows)
    yield* many(
      db
        .updateTable(typedTable)
        .set({ [column]: livemode === 1 ? until : test_until })
        .where(ofPartition({ store_id, livemode }))
        .where("id", "=", id),
    );
  return rows.map((row) => read(row.record));
}

function* settleReservation(
  { db, dialect }: SqlEngine,
  partition: Partition,
  order_id: string,
): QueryGenerator<void> {
  const byId = db
    .selectFrom("orders")
    .select("record")
    .where(ofPartition(partition))
    .where("id", "=", order_id);
  const row = yield* one(dialect.forUpdate(byId));
  const settled = row && withReservationSettled(fromJson<OrderRecord>(row.record));
  if (!settled) return;

  yield* many(
    db
      .updateTable("orders")
      .set({ sweep_at: settled.sweep_at, record: JSON.stringify(settled) })
      .where(ofPartition(partition))
      .where("id", "=", order_id),
  );
}
