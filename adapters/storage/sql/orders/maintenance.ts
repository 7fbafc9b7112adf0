import type {
  AttemptRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../../../../src/rules/payment-records.ts";
import type { OrderRecord } from "../../../../src/rules/records.ts";
import type { OrderStore, WorkClaim } from "../../../../src/storage/order-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { many, one, type Step } from "../engine/step.ts";

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

/** What spans stores: the work that time makes due, and the payment that a gateway's message is about. */
export function sqlMaintenance(engine: SqlEngine): Maintenance {
  const { db, dialect } = engine;

  /** Rows whose time has come, oldest first; locked ones are another process's. Due again at `until`. */
  function* claim<R>(
    table: "orders" | "payment_attempts" | "refunds",
    column: "sweep_at" | "check_at",
    work: WorkClaim,
  ): Step<readonly R[]> {
    const { ref } = db.dynamic;
    const rows = yield* many(
      dialect.skipLocked(
        db
          .selectFrom(table as "orders")
          .select(["store_id", "livemode", "id", "record"])
          .where(ref(column), "<=", work.now)
          .orderBy(ref(column))
          .limit(work.limit),
      ),
    );
    for (const { store_id, livemode, id } of rows)
      yield* many(
        db
          .updateTable(table as "orders")
          .set({ [column]: work.until })
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode)
          .where("id", "=", id),
      );
    return rows.map((row) => ({ ...fromJson<R>(row.record), [column]: work.until }));
  }

  return {
    claimOrders: (work) => engine.write(() => claim<OrderRecord>("orders", "sweep_at", work)),
    claimAttempts: (work) =>
      engine.write(() => claim<AttemptRecord>("payment_attempts", "check_at", work)),
    claimRefunds: (work) => engine.write(() => claim<RefundRecord>("refunds", "check_at", work)),
    // Ending one takes it out of the due ones and changes nothing the second time: no lease to keep.
    claimSubscriptions: ({ now, limit }) =>
      engine.read(function* (): Step<readonly SubscriptionRecord[]> {
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
      engine.write(function* (): Step<void> {
        const { store_id, livemode } = own(partition);
        const mine = db
          .selectFrom("orders")
          .select("record")
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode);
        const row = yield* one(dialect.forUpdate(mine.where("id", "=", order_id)));
        const order = row && fromJson<OrderRecord>(row.record);
        if (!order?.reserved || order.status === "pending") return;
        yield* many(
          db
            .updateTable("orders")
            .set({
              sweep_at: null,
              record: JSON.stringify({ ...order, reserved: false, sweep_at: null }),
            })
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("id", "=", order_id),
        );
      }),
    settleDuplicate: (partition, attempt_id, state, now) =>
      engine.write(function* (): Step<void> {
        const { store_id, livemode } = own(partition);
        const mine = db
          .selectFrom("payment_attempts")
          .select("record")
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode);
        const row = yield* one(dialect.forUpdate(mine.where("id", "=", attempt_id)));
        const attempt = row && fromJson<AttemptRecord>(row.record);
        if (attempt?.state !== "duplicate") return;
        const settled: AttemptRecord = { ...attempt, state, check_at: null, updated_at: now };
        yield* many(
          db
            .updateTable("payment_attempts")
            .set({ state, check_at: null, record: JSON.stringify(settled) })
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("id", "=", attempt_id),
        );
      }),
    findAttempt: (gateway, livemode, { reference, id }) =>
      engine.read(function* (): Step<AttemptRecord | null> {
        const mode = livemode ? 1 : 0;
        const rows = db
          .selectFrom("payment_attempts")
          .select("record")
          .where("gateway", "=", gateway)
          .where("livemode", "=", mode);
        const row =
          (yield* one(rows.where("reference", "=", reference).limit(1))) ??
          (id === null ? undefined : yield* one(rows.where("id", "=", id).limit(1)));
        return row ? fromJson<AttemptRecord>(row.record) : null;
      }),
  };
}
