import type { RenewalResult, SubscriptionCanceled } from "../../../../src/rules/order-commands.ts";
import type { SubscriptionRecord } from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, Partition } from "../../../../src/rules/records.ts";
import { decideCancel, decideRenewal } from "../../../../src/rules/subscription-machine.ts";
import type { OrderStore } from "../../../../src/storage/order-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { many, one, type Step } from "../engine/step.ts";
import { changeWriter } from "./changes.ts";
import { attemptReader } from "./steps.ts";

type Subscriptions = Pick<
  OrderStore,
  "renew" | "cancelSubscription" | "findSubscription" | "listSubscriptions"
>;

const nothingTaken = { on_hand: new Map<string, number>(), max_uses: null };

export function sqlSubscriptions(engine: SqlEngine): Subscriptions {
  const { db, dialect } = engine;
  const write = changeWriter(engine);
  const attemptsOf = attemptReader(engine);

  function* find(partition: Partition, id: string, lock: boolean): Step<SubscriptionRecord | null> {
    const { store_id, livemode } = own(partition);
    const query = db
      .selectFrom("subscriptions")
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", id);
    const row = yield* one(lock ? dialect.forUpdate(query) : query);
    return row ? fromJson<SubscriptionRecord>(row.record) : null;
  }

  return {
    renew: (command) =>
      engine.write(function* (): Step<RenewalResult> {
        const { store_id, livemode } = own(command);
        // Lock order: the period's order before its subscription. A period without an order is guarded by its unique key.
        const row = yield* one(
          dialect.forUpdate(
            db
              .selectFrom("orders")
              .select("record")
              .where("store_id", "=", store_id)
              .where("livemode", "=", livemode)
              .where("subscription_id", "=", command.subscription_id)
              .where("period_start", "=", command.period_start),
          ),
        );
        const seen = row ? fromJson<OrderRecord>(row.record) : null;
        const subscription = yield* find(command, command.subscription_id, true);
        // Another process may have written the period while this one waited for the subscription.
        const order = seen ?? (subscription && (yield* periodOrder(engine, command)));
        const attempts = order ? yield* attemptsOf(order) : [];
        const { changes, ...answer } = decideRenewal({ subscription, order, attempts }, command);
        if (!changes) return answer as RenewalResult;
        const written = yield* write(command, { ...nothingTaken, order }, changes);
        return { ...answer, order: written } as RenewalResult;
      }),
    cancelSubscription: (command) =>
      engine.write(function* (): Step<SubscriptionCanceled> {
        const { changes, ...answer } = decideCancel(
          yield* find(command, command.subscription_id, true),
          command,
        );
        yield* write(command, { ...nothingTaken, order: null }, changes);
        return answer as SubscriptionCanceled;
      }),
    findSubscription: (partition, id) => engine.read(() => find(partition, id, false)),
    listSubscriptions: ({ customer_id, status, after, limit, ...partition }) =>
      engine.read(function* (): Step<readonly SubscriptionRecord[]> {
        const { store_id, livemode } = own(partition);
        let rows = db
          .selectFrom("subscriptions")
          .select("record")
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode);
        if (customer_id !== undefined) rows = rows.where("customer_id", "=", customer_id);
        if (status !== undefined) rows = rows.where("status", "=", status);
        if (after !== undefined) rows = rows.where("id", "<", after);
        const found = yield* many(rows.orderBy("id", "desc").limit(limit + 1));
        return found.map((row) => fromJson<SubscriptionRecord>(row.record));
      }),
  };
}

function* periodOrder(
  { db }: SqlEngine,
  command: Partition & { subscription_id: string; period_start: number },
): Step<OrderRecord | null> {
  const { store_id, livemode } = own(command);
  const row = yield* one(
    db
      .selectFrom("orders")
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("subscription_id", "=", command.subscription_id)
      .where("period_start", "=", command.period_start),
  );
  return row ? fromJson<OrderRecord>(row.record) : null;
}
