import { emptySnapshot, type OrderSnapshot } from "#core/rules/orders/order-snapshot.ts";
import type { SubscriptionRecord } from "#core/rules/payments/payment-records.ts";
import type { OrderRecord, Partition } from "#core/rules/records.ts";
import { orderAfterEnd } from "#core/rules/subscriptions/subscription-record.ts";
import type { SubscriptionSubject } from "#core/storage/step-store.ts";
import { GuardFailed } from "../../catalog/stock/guard-failed.ts";
import { fromJson, ofPartition } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { one, type QueryGenerator } from "../../engine/queries.ts";
import { orderAlgorithms } from "../algorithms.ts";
import { readSubscription, subscriptionById } from "../subscriptions.ts";

/** Locks the subscription of a step, and the order of the period that the step names. */
export function subscriptionLoader(engine: SqlEngine) {
  const moneyOf = orderAlgorithms(engine).readMoney(engine);

  return function* loadBySubscription(subject: SubscriptionSubject): QueryGenerator<OrderSnapshot> {
    const { subscription_id, period_start, reference, message = null } = subject;
    if (period_start === null) {
      const subscription = yield* lockSubscription(engine, subject, subscription_id);
      return { ...emptySnapshot, subscription };
    }

    const locked = yield* lockPeriod(engine, { ...subject, period_start });
    const money = yield* moneyOf(subject, locked.order, { reference, message });
    return { ...emptySnapshot, ...locked, ...money };
  };
}

interface LockedPeriod {
  /** The period's order, or else the one of `orderAfterEnd`. */
  readonly order: OrderRecord | null;
  readonly subscription: SubscriptionRecord | null;
}

interface Period extends Partition {
  readonly subscription_id: string;
  readonly period_start: number;
}

/**
 * Locks what a renewal needs. The locks are taken in one order: the order, then its
 * subscription. A period that has no order yet is guarded by its unique key.
 */
function* lockPeriod(engine: SqlEngine, command: Period): QueryGenerator<LockedPeriod> {
  const { dialect } = engine;
  const { subscription_id } = command;
  const ofPeriod = yield* one(dialect.forUpdate(periodOrder(engine, command)));
  const seen = ofPeriod ? null : yield* readSubscription(engine, command, subscription_id);
  const latest_id = orderAfterEnd(seen, command);
  const latest =
    latest_id === null
      ? undefined
      : yield* one(dialect.forUpdate(orderById(engine, command, latest_id)));
  const subscription = yield* lockSubscription(engine, command, subscription_id);

  // Another step may have written the period while this one waited for the subscription.
  const written = ofPeriod ?? (subscription && (yield* one(periodOrder(engine, command))));
  if (!written && orderAfterEnd(subscription, command) !== latest_id)
    throw new GuardFailed("Another step has ended the subscription, or paid the period.");

  const row = written ?? latest;
  return { order: row ? fromJson<OrderRecord>(row.record) : null, subscription };
}

export function* lockSubscription(
  engine: SqlEngine,
  partition: Partition,
  id: string,
): QueryGenerator<SubscriptionRecord | null> {
  const row = yield* one(engine.dialect.forUpdate(subscriptionById(engine, partition, id)));
  return row ? fromJson<SubscriptionRecord>(row.record) : null;
}

function orderById({ db }: SqlEngine, partition: Partition, id: string) {
  return db
    .selectFrom("orders")
    .select("record")
    .where(ofPartition(partition))
    .where("id", "=", id);
}

/** Selects the order that pays this period of the subscription. */
function periodOrder({ db }: SqlEngine, command: Period) {
  return db
    .selectFrom("orders")
    .select("record")
    .where(ofPartition(command))
    .where("subscription_id", "=", command.subscription_id)
    .where("period_start", "=", command.period_start);
}
