import { withDuplicateSettled } from "../../../../src/rules/order-attempt.ts";
import { withReservationSettled } from "../../../../src/rules/order-record.ts";
import type {
  AttemptRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, Partition } from "../../../../src/rules/records.ts";
import type { OrderStore, WorkClaim } from "../../../../src/storage/order-store.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

type Maintenance = Pick<
  OrderStore,
  | "claimOrders"
  | "claimAttempts"
  | "claimRefunds"
  | "claimSubscriptions"
  | "settleReservation"
  | "settleDuplicate"
  | "findAttempt"
>;

/** What spans stores: work that is due, and the payment that a gateway's message is about. */
export function sqlMaintenance(engine: SqlEngine): Maintenance {
  const { db } = engine;

  return {
    claimOrders: (work) =>
      engine.write(() => claimRows<OrderRecord>(engine, "orders", "sweep_at", work)),
    claimAttempts: (work) =>
      engine.write(() => claimRows<AttemptRecord>(engine, "payment_attempts", "check_at", work)),
    claimRefunds: (work) =>
      engine.write(() => claimRows<RefundRecord>(engine, "refunds", "check_at", work)),

    // A subscription that has ended is no longer due, and ending it twice changes nothing: it needs
    // no lease.
    claimSubscriptions: ({ now, limit }) =>
      engine.read(function* (): QueryGenerator<readonly SubscriptionRecord[]> {
        const rows = yield* many(
          db
            .selectFrom("subscriptions")
            .select("record")
            .where("ends_at", "<=", now)
            .orderBy("ends_at")
            .limit(limit),
        );
        return rows.map((row) => fromJson<SubscriptionRecord>(row.record));
      }),

    settleReservation: (partition, order_id) =>
      engine.write(() => settleReservation(engine, partition, order_id)),
    settleDuplicate: (partition, attempt_id, state, now) =>
      engine.write(() => settleDuplicate(engine, partition, attempt_id, { state, now })),

    findAttempt: (gateway, livemode, { reference, id }) =>
      engine.read(function* (): QueryGenerator<AttemptRecord | null> {
        const rows = db
          .selectFrom("payment_attempts")
          .select("record")
          .where("gateway", "=", gateway)
          .where("livemode", "=", livemode ? 1 : 0)
          .limit(1);
        const byReference = yield* one(rows.where("reference", "=", reference));
        const row =
          byReference ?? (id === null ? undefined : yield* one(rows.where("id", "=", id)));
        return row ? fromJson<AttemptRecord>(row.record) : null;
      }),
  };
}

/** Leases rows that are due, the oldest first. Rows that another process has locked are its own. */
function* claimRows<R>(
  { db, dialect }: SqlEngine,
  table: "orders" | "payment_attempts" | "refunds",
  column: "sweep_at" | "check_at",
  { now, until, limit }: WorkClaim,
): QueryGenerator<readonly R[]> {
  // Kysely types one table at a time. All of these have the columns that are named here.
  const typedTable = table as "orders";
  const dueAt = db.dynamic.ref(column);
  const due = db
    .selectFrom(typedTable)
    .select(["store_id", "livemode", "id", "record"])
    .where(dueAt, "<=", now)
    .orderBy(dueAt)
    .limit(limit);
  const rows = yield* many(dialect.skipLocked(due));

  for (const { store_id, livemode, id } of rows)
    yield* many(
      db
        .updateTable(typedTable)
        .set({ [column]: until })
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", id),
    );
  return rows.map((row) => ({ ...fromJson<R>(row.record), [column]: until }));
}

function* settleReservation(
  { db, dialect }: SqlEngine,
  partition: Partition,
  order_id: string,
): QueryGenerator<void> {
  const { store_id, livemode } = partitionColumns(partition);
  const byId = db
    .selectFrom("orders")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", order_id);
  const row = yield* one(dialect.forUpdate(byId));
  const settled = row && withReservationSettled(fromJson<OrderRecord>(row.record));
  if (!settled) return;

  yield* many(
    db
      .updateTable("orders")
      .set({ sweep_at: settled.sweep_at, record: JSON.stringify(settled) })
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", order_id),
  );
}

function* settleDuplicate(
  { db, dialect }: SqlEngine,
  partition: Partition,
  attempt_id: string,
  { state, now }: { readonly state: "returned" | "duplicate"; readonly now: number },
): QueryGenerator<void> {
  const { store_id, livemode } = partitionColumns(partition);
  const byId = db
    .selectFrom("payment_attempts")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", attempt_id);
  const row = yield* one(dialect.forUpdate(byId));
  const settled = row && withDuplicateSettled(fromJson<AttemptRecord>(row.record), state, now);
  if (!settled) return;

  yield* many(
    db
      .updateTable("payment_attempts")
      .set({ state, check_at: settled.check_at, record: JSON.stringify(settled) })
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", attempt_id),
  );
}
