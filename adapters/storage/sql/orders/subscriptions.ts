import type { SubscriptionRecord } from "#core/rules/payments/payment-records.ts";
import type { Partition } from "#core/rules/records.ts";
import type { OrderStore, SubscriptionQuery } from "#core/storage/order-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

type Subscriptions = Pick<OrderStore, "listSubscriptions">;

export function sqlSubscriptions(engine: SqlEngine): Subscriptions {
  return {
    listSubscriptions: (query) =>
      engine.read(function* (): QueryGenerator<readonly SubscriptionRecord[]> {
        const rows = yield* many(pageOfSubscriptions(engine, query));
        return rows.map((row) => fromJson<SubscriptionRecord>(row.record));
      }),
  };
}

export function subscriptionById({ db }: SqlEngine, partition: Partition, id: string) {
  return db
    .selectFrom("subscriptions")
    .select("record")
    .where(ofPartition(partition))
    .where("id", "=", id);
}

export function* readSubscription(
  engine: SqlEngine,
  partition: Partition,
  id: string,
): QueryGenerator<SubscriptionRecord | null> {
  const row = yield* one(subscriptionById(engine, partition, id));
  return row ? fromJson<SubscriptionRecord>(row.record) : null;
}

function pageOfSubscriptions({ db }: SqlEngine, query: SubscriptionQuery) {
  const { customer_id, status, after, limit } = query;
  const { way, sign } = directionOf(query.oldest_first);
  let rows = db.selectFrom("subscriptions").select("record").where(ofPartition(query));
  if (customer_id !== undefined) rows = rows.where("customer_id", "=", customer_id);
  if (status !== undefined) rows = rows.where("status", "=", status);
  if (after !== undefined) rows = rows.where("id", sign, after);
  return rows.orderBy("id", way).limit(limit + 1);
}
