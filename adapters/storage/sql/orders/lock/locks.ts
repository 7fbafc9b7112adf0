import type { OrderSnapshot } from "#core/rules/orders/order-snapshot.ts";
import type { OrderRecord, Partition, SessionRecord } from "#core/rules/records.ts";
import { fromJson, ofPartitionParams, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { one, type Param, prepare, type QueryGenerator } from "../../engine/queries.ts";
import type { NamedByStep } from "../payments.ts";

/** A step names its money and its message, and says whether it judges the products. */
interface Asked extends NamedByStep {
  readonly judges_products: boolean;
}

type LockedCheckout = Pick<
  OrderSnapshot,
  "order" | "attempts" | "payments" | "elsewhere" | "offered" | "stock" | "message_seen"
> & { readonly session: SessionRecord };

/** Locks a session, its order and its stock, and reads the money; null without a session. */
export type LockCheckout = (
  partition: Partition,
  session_id: string,
  asked: Asked,
) => QueryGenerator<LockedCheckout | null>;

export function sessionLock(engine: SqlEngine) {
  const { dialect } = engine;
  const lock = prepare((param) =>
    dialect.forUpdate(recordsBy(engine, "checkout_sessions", "id", param)),
  );

  return function* lockSession(
    partition: Partition,
    id: string,
  ): QueryGenerator<SessionRecord | null> {
    const row = yield* one(lock({ ...partitionColumns(partition), key: id }));
    return row ? fromJson<SessionRecord>(row.record) : null;
  };
}

export const orderLock = (engine: SqlEngine) => orderLockBy(engine, "id");
export const orderOfSessionLock = (engine: SqlEngine) => orderLockBy(engine, "session_id");

function orderLockBy(engine: SqlEngine, column: "id" | "session_id") {
  const { dialect } = engine;
  const lock = prepare((param) => dialect.forUpdate(recordsBy(engine, "orders", column, param)));

  return function* lockOrder(
    partition: Partition,
    key: string,
  ): QueryGenerator<OrderRecord | null> {
    const row = yield* one(lock({ ...partitionColumns(partition), key }));
    return row ? fromJson<OrderRecord>(row.record) : null;
  };
}

type RecordTable = "checkout_sessions" | "orders" | "payment_attempts" | "refunds" | "disputes";

/** Selects the records of a partition whose `column` equals the parameter `key`. */
export const recordsBy = (
  { db }: SqlEngine,
  table: RecordTable,
  column: "id" | "session_id" | "order_id",
  param: Param,
) =>
  db
    // Kysely types one table at a time. All of these have the columns that are named here.
    .selectFrom(table as "orders")
    .select("record")
    .where(ofPartitionParams(param))
    .where(column as "id", "=", param<string>("key"));
