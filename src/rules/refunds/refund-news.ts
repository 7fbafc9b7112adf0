import { orderAlert } from "../orders/order-alert.ts";
import { type OrderChanges, orderChanges } from "../orders/order-changes.ts";
import type { EventIds } from "../orders/order-commands.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { RefundRecord } from "../payments/payment-records.ts";
import type { AlertRecord, OrderRecord } from "../records.ts";
import { isMadeAtProvider, replaceRefund } from "./order-refund.ts";
import type { RefundNews } from "./refund-commands.ts";
import { nextRefundCheck } from "./refund-schedule.ts";
import { withRefunds } from "./refund-sums.ts";

/** News of one refund, and what it is told of. */
export interface RefundTold {
  readonly order: OrderRecord;
  readonly refunds: readonly RefundRecord[];
  /**
   * The refund as it was. A refund that nobody knew is `pending`, without any
   * effect so far.
   */
  readonly refund: RefundRecord;
  readonly news: RefundNews;
  /** True means that the order counted the refund before. */
  readonly is_known: boolean;
  /**
   * True means that the caller learns of a refusal from its call. Neither event nor
   * alert tells it then.
   */
  readonly within_call: boolean;
  readonly ids: EventIds;
  readonly now: number;
}

export interface RefundApplied {
  readonly outcome: "refunded" | "pending" | "failed";
  readonly order: OrderRecord;
  readonly refund: RefundRecord;
  readonly changes: OrderChanges;
}

/**
 * Brings the news into the refund and its order. Null means that it changes
 * nothing. A success ends in a failure only: the bank has sent the money back. A
 * failure is final when the provider had acknowledged the refund. Any other one only
 * says that nobody knew of the refund, and gives way to the provider's later word.
 */
export function applyRefundNews(told: RefundTold): RefundApplied | null {
  const { order, refunds, refund: before, news, now } = told;
  if (before.state === "failed" && (before.acknowledged || news.status === "failed")) return null;
  if (before.state === "succeeded" && news.status !== "failed") return noteReference(told);

  const twin = findTwin(refunds, before, news);
  if (twin) return takeOver(told, twin);

  const refund = withNews(before, news, now);
  const after = withRefunds(order, replaceRefund(refunds, refund), now);
  const events = new EventDrafts(told.ids.events, now);
  if (refund.state === "succeeded") events.refund(after, order.status, refund);

  const isTakenBack = refund.state === "failed" && told.is_known && !isRefusal(told);
  if (isTakenBack) events.refundFailed(after, order.status, refund);

  const alerts = [
    ...exceedingAlert(told, after, refund),
    ...(isTakenBack ? [failureAlert(told, refund)] : []),
  ];
  return {
    outcome: outcomeOf(refund),
    order: after,
    refund,
    changes: orderChanges({
      order: after,
      refunds: [refund],
      events: events.list,
      alerts,
      withdrawn: before.state === "failed" ? [{ type: "refund_failed", subject: before.id }] : [],
    }),
  };
}

const outcomeOf = ({ state }: RefundRecord): RefundApplied["outcome"] =>
  state === "succeeded" ? "refunded" : state;

/** Tells whether the gateway refused the refund at once, and the caller hears of it. */
const isRefusal = ({ refund, within_call }: RefundTold): boolean =>
  within_call && !refund.acknowledged;

function withNews(refund: RefundRecord, news: RefundNews, now: number): RefundRecord {
  const isPending = news.status === "pending";
  return {
    ...refund,
    state: news.status,
    amount: news.amount ?? refund.amount,
    provider_reference: news.reference ?? refund.provider_reference,
    failure_reason: news.status === "failed" ? news.failure_reason : null,
    acknowledged: refund.acknowledged || news.status !== "failed",
    asks_first: false,
    succeeded_at: news.status === "succeeded" ? now : null,
    check_at: isPending ? nextRefundCheck(refund, now) : null,
    updated_at: now,
  };
}

/**
 * Notes the reference. A refund that the host has told of first gets the provider's
 * id, and nothing else.
 */
function noteReference({ order, refund: before, news, now }: RefundTold): RefundApplied | null {
  if (before.provider_reference !== null || news.reference === null) return null;

  const refund = { ...before, provider_reference: news.reference, updated_at: now };
  return {
    outcome: "refunded",
    order,
    refund,
    changes: orderChanges({ order, refunds: [refund] }),
  };
}

/**
 * Finds the twin of a refund. A message may tell of our own refund before its
 * answer comes, and without naming it. It is then recorded as one that was made at
 * the provider. The answer brings the same reference later.
 */
const findTwin = (
  refunds: readonly RefundRecord[],
  { id }: RefundRecord,
  { reference }: RefundNews,
): RefundRecord | undefined =>
  refunds.find(
    (other) =>
      other.id !== id &&
      isMadeAtProvider(other) &&
      reference !== null &&
      other.provider_reference === reference,
  );

/**
 * Takes over what the twin has counted, because both records are one refund. No
 * event repeats it, and the news then counts for ours.
 */
function takeOver(told: RefundTold, twin: RefundRecord): RefundApplied {
  const { now } = told;
  const hasSucceeded = twin.state === "succeeded";
  const ours: RefundRecord = {
    ...told.refund,
    state: hasSucceeded ? "succeeded" : told.refund.state,
    amount: twin.amount,
    provider_reference: twin.provider_reference,
    acknowledged: true,
    check_at: hasSucceeded ? null : told.refund.check_at,
    succeeded_at: twin.succeeded_at,
    updated_at: now,
  };
  const merged: RefundRecord = {
    ...twin,
    state: "failed",
    provider_reference: null,
    failure_reason: `This is refund ${ours.id}.`,
    check_at: null,
    succeeded_at: null,
    updated_at: now,
  };

  const refunds = replaceRefund(replaceRefund(told.refunds, merged), ours);
  const order = withRefunds(told.order, refunds, now);
  const hasFailed = twin.state === "failed";
  const news = hasFailed ? { ...told.news, ...failureOf(twin) } : told.news;
  const applied = applyRefundNews({ ...told, order, refunds, refund: ours, news });

  const refund = applied?.refund ?? ours;
  return {
    outcome: applied?.outcome ?? outcomeOf(refund),
    order: applied?.order ?? order,
    refund,
    changes: orderChanges({ order, ...applied?.changes, refunds: [merged, refund] }),
  };
}

const failureOf = ({ failure_reason }: RefundRecord) =>
  ({ status: "failed", failure_reason }) as const;

/**
 * Tells the owner that the provider has sent back more than the order's total. The
 * money is booked all the same.
 */
function exceedingAlert(
  { order, ids, now }: RefundTold,
  after: OrderRecord,
  refund: RefundRecord,
): readonly AlertRecord[] {
  const before = order.amount_refunded + order.amount_refunding;
  const total = after.amount_refunded + after.amount_refunding;
  if (total <= before || total <= order.amount_total) return [];

  return [
    orderAlert(order, {
      id: ids.alerts[0],
      type: "refund_exceeds_order",
      subject: refund.id,
      data: { reference: refund.provider_reference, amount: refund.amount },
      now,
    }),
  ];
}

const failureAlert = ({ order, ids, now }: RefundTold, refund: RefundRecord): AlertRecord =>
  orderAlert(order, {
    id: ids.alerts[1],
    type: "refund_failed",
    subject: refund.id,
    data: {
      reference: refund.provider_reference,
      amount: refund.amount,
      failure_reason: refund.failure_reason,
    },
    now,
  });
