import { dueAt } from "#core/rules/clock/due-times.ts";
import type {
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "#core/rules/payments/payment-records.ts";
import {
  renewalWorkAt,
  subscriptionEndsAt,
} from "#core/rules/subscriptions/subscription-record.ts";
import { partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";

// Each writer stores one record as JSON, with the columns that queries read beside it.

export function* putRefund(
  { db }: SqlEngine,
  refund: RefundRecord,
  offset: number,
): QueryGenerator<void> {
  const { id, order_id, reference } = refund;
  const check_at = dueAt(refund.check_at, offset);
  const row = { reference, check_at, record: JSON.stringify(refund) };
  yield* many(
    db
      .insertInto("refunds")
      .values({ ...partitionColumns(refund), order_id, id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}

export function* putDispute({ db }: SqlEngine, dispute: DisputeRecord): QueryGenerator<void> {
  const { id, order_id } = dispute;
  const row = { record: JSON.stringify(dispute) };
  yield* many(
    db
      .insertInto("disputes")
      .values({ ...partitionColumns(dispute), order_id, id, ...row })
      .onConflict((conflict) =>
        conflict.columns(["store_id", "livemode", "order_id", "id"]).doUpdateSet(row),
      ),
  );
}

export function* putSubscription(
  { db }: SqlEngine,
  subscription: SubscriptionRecord,
  offset: number,
): QueryGenerator<void> {
  const { id, status } = subscription;
  const row = {
    status,
    customer_id: subscription.customer.id,
    ends_at: dueAt(subscriptionEndsAt(subscription), offset),
    charge_at: dueAt(renewalWorkAt(subscription), offset),
    record: JSON.stringify(subscription),
  };
  yield* many(
    db
      .insertInto("subscriptions")
      .values({ ...partitionColumns(subscription), id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}
