import type { AttemptWithMoney, DisputeWithOrder } from "../../rules/owner/list-records.ts";
import { disputeStatus } from "../../rules/owner/list-records.ts";
import { movedRows, placeOfLoss, placeOfRefund } from "../../rules/owner/moved-money.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../../rules/payments/payment-records.ts";
import type { OrderRecord } from "../../rules/records.ts";
import { isEnding } from "../../rules/subscriptions/subscription-record.ts";
import type { RefundQuery, SubscriptionQuery } from "../../storage/order-store.ts";
import type { AttemptQuery, DisputeQuery, DueQuery } from "../../storage/reads/listing-store.ts";
import { afterId, by, has, isCreatedIn, isIn, pageOf } from "../page.ts";

// Each function selects from all rows of a kind, for a storage that holds them in memory.

/** Selects payment attempts, each with the money that came for it. */
export function selectAttempts(
  attempts: Iterable<AttemptRecord>,
  payments: Iterable<PaymentRecord>,
  query: AttemptQuery,
): readonly AttemptWithMoney[] {
  const { state, order_id } = query;
  const found = [...attempts].filter(
    (attempt) =>
      isIn(query, attempt) && has(attempt, { state, order_id }) && isCreatedIn(query, attempt),
  );
  const all = [...payments].sort(by("+created_at", "+id"));
  return pageOf(found, by("-created_at", "-id"), query).map((attempt) => ({
    attempt,
    money: all.filter((payment) => isIn(attempt, payment) && payment.attempt_id === attempt.id),
  }));
}

/** Selects disputes with their orders, or by `lost` those that have lost their money. */
export function selectDisputes(
  disputes: Iterable<DisputeRecord>,
  orderOf: (dispute: DisputeRecord) => OrderRecord | null,
  query: DisputeQuery,
): readonly DisputeWithOrder[] {
  const { status, order_id, lost } = query;
  const all = [...disputes].filter((dispute) => isIn(query, dispute));
  const last = lost?.after;
  const found = lost
    ? movedRows(
        all,
        { ...lost, after: last && ([last.at, last.order_id, last.id] as const) },
        placeOfLoss,
      ).slice(0, query.limit)
    : pageOf(
        all.filter(
          (dispute) =>
            has(dispute, { order_id }) &&
            (status ?? disputeStatus(dispute)) === disputeStatus(dispute),
        ),
        by("-created_at", "-order_id", "-id"),
        query,
      );
  return found.flatMap((dispute) => {
    const order = orderOf(dispute);
    return order ? [{ dispute, order }] : [];
  });
}

/** Selects refunds, the newest first, or by `succeeded` those that moved money. */
export function selectRefunds(
  refunds: Iterable<RefundRecord>,
  { after, succeeded, ...query }: RefundQuery,
): readonly RefundRecord[] {
  const { order_id, state } = query;
  const limit = query.limit + 1;
  const all = [...refunds].filter((refund) => isIn(query, refund));
  if (succeeded) {
    const last = succeeded.after;
    const place = { ...succeeded, after: last && ([last.at, last.id] as const) };
    return movedRows(all, place, placeOfRefund).slice(0, limit);
  }
  const found = all.filter((refund) => has(refund, { order_id, state }));
  return pageOf(found, by("-id"), { ...query, after: afterId(after), limit });
}

/** Selects subscriptions, the newest first. */
export function selectSubscriptions(
  subscriptions: Iterable<SubscriptionRecord>,
  { customer_id, status, after, ...query }: SubscriptionQuery,
): readonly SubscriptionRecord[] {
  const found = [...subscriptions].filter(
    (subscription) =>
      isIn(query, subscription) &&
      has(subscription, { status }) &&
      has(subscription.customer, { id: customer_id }),
  );
  return pageOf(found, by("-id"), { ...query, after: afterId(after), limit: query.limit + 1 });
}

/** Selects subscriptions whose period ends soon. */
export function selectDue(
  subscriptions: Iterable<SubscriptionRecord>,
  { before, ...query }: DueQuery,
): readonly SubscriptionRecord[] {
  const due = [...subscriptions].filter(
    (row) => isIn(query, row) && !isEnding(row) && row.current_period_end < before,
  );
  return pageOf(due, by("+current_period_end", "+id"), query);
}
