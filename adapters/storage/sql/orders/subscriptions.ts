import type {
  Renewal,
  RenewalResult,
  SubscriptionCanceled,
} from "../../../../src/rules/order-commands.ts";
import { emptySnapshot } from "../../../../src/rules/order-snapshot.ts";
import type { SubscriptionRecord } from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, Partition } from "../../../../src/rules/records.ts";
import { decideCancel } from "../../../../src/rules/subscription-cancel.ts";
import { orderAfterEnd } from "../../../../src/rules/subscription-record.ts";
import { decideRenewal } from "../../../../src/rules/subscription-renewal.ts";
import type { OrderStore, SubscriptionQuery } from "../../../../src/storage/order-store.ts";
import { GuardFailed } from "../catalog/guard-failed.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { decisionWriter } from "./changes.ts";
import { moneyReader } from "./money.ts";

type Subscriptions = Pick<
  OrderStore,
  "renew" | "cancelSubscription" | "findSubscription" | "listSubscriptions"
>;

export function sqlSubscriptions(engine: SqlEngine): Subscriptions {
  const carryOut = decisionWriter(engine);
  const moneyOf = moneyReader(engine);

  return {
    renew: (command) =>
      engine.write(function* (): QueryGenerator<RenewalResult> {
        const { order, subscription } = yield* lockRenewal(engine, command);
        const money = yield* moneyOf(command, order, command.reference);

        const snapshot = { ...emptySnapshot, order, ...money };
        const decision = decideRenewal({ ...snapshot, subscription }, command);
        return yield* carryOut(command, { ...snapshot, subscription }, decision);
      }),

    cancelSubscription: (command) =>
      engine.write(function* (): QueryGenerator<SubscriptionCanceled> {
        const subscription = yield* lockSubscription(engine, command, command.subscription_id);
        const before = { ...emptySnapshot, subscription };
        return yield* carryOut(command, before, decideCancel(subscription, command));
      }),

    findSubscription: (partition, id) => engine.read(() => readSubscription(engine, partition, id)),

    listSubscriptions: (query) =>
      engine.read(function* (): QueryGenerator<readonly SubscriptionRecord[]> {
        const rows = yield* many(pageOfSubscriptions(engine, query));
        return rows.map((row) => fromJson<SubscriptionRecord>(row.record));
      }),
  };
}

interface LockedRenewal {
  /** It is the period's order. After the end of the subscription it is the latest one. */
  readonly order: OrderRecord | null;
  readonly subscription: SubscriptionRecord | null;
}

/**
 * Locks what a renewal needs. The locks are taken in one order: the order, then its
 * subscription. A period that has no order yet is guarded by its unique key.
 */
function* lockRenewal(engine: SqlEngine, command: Renewal): QueryGenerator<LockedRenewal> {
  const { dialect } = engine;
  const { subscription_id } = command;
  const ofPeriod = yield* one(dialect.forUpdate(periodOrder(engine, command)));
  const seen = ofPeriod ? null : yield* readSubscription(engine, command, subscription_id);
  const latest_id = orderAfterEnd(seen);
  const latest =
    latest_id === null
      ? undefined
      : yield* one(dialect.forUpdate(orderById(engine, command, latest_id)));
  const subscription = yield* lockSubscription(engine, command, subscription_id);

  // Another step may have written the period while this one waited for the subscription.
  const written = ofPeriod ?? (subscription && (yield* one(periodOrder(engine, command))));
  if (!written && orderAfterEnd(subscription) !== latest_id)
    throw new GuardFailed("The subscription was ended by another step.");

  const row = written ?? latest;
  return { order: row ? fromJson<OrderRecord>(row.record) : null, subscription };
}

function subscriptionById({ db }: SqlEngine, partition: Partition, id: string) {
  const { store_id, livemode } = partitionColumns(partition);
  return db
    .selectFrom("subscriptions")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", id);
}

function* readSubscription(
  engine: SqlEngine,
  partition: Partition,
  id: string,
): QueryGenerator<SubscriptionRecord | null> {
  const row = yield* one(subscriptionById(engine, partition, id));
  return row ? fromJson<SubscriptionRecord>(row.record) : null;
}

function* lockSubscription(
  engine: SqlEngine,
  partition: Partition,
  id: string,
): QueryGenerator<SubscriptionRecord | null> {
  const row = yield* one(engine.dialect.forUpdate(subscriptionById(engine, partition, id)));
  return row ? fromJson<SubscriptionRecord>(row.record) : null;
}

function pageOfSubscriptions({ db }: SqlEngine, query: SubscriptionQuery) {
  const { customer_id, status, after, limit } = query;
  const { store_id, livemode } = partitionColumns(query);
  let rows = db
    .selectFrom("subscriptions")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode);
  if (customer_id !== undefined) rows = rows.where("customer_id", "=", customer_id);
  if (status !== undefined) rows = rows.where("status", "=", status);
  if (after !== undefined) rows = rows.where("id", "<", after);
  return rows.orderBy("id", "desc").limit(limit + 1);
}

function orderById({ db }: SqlEngine, partition: Partition, id: string) {
  const { store_id, livemode } = partitionColumns(partition);
  return db
    .selectFrom("orders")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", id);
}

/** Selects the order that pays this period of the subscription. */
function periodOrder(
  { db }: SqlEngine,
  command: Partition & { readonly subscription_id: string; readonly period_start: number },
) {
  const { store_id, livemode } = partitionColumns(command);
  return db
    .selectFrom("orders")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("subscription_id", "=", command.subscription_id)
    .where("period_start", "=", command.period_start);
}
