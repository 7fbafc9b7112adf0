import { withEntitlements } from "../entitlements/grant.ts";
import { orderAlert } from "../orders/order-alert.ts";
import { type OrderChanges, orderChanges } from "../orders/order-changes.ts";
import type { EventIds } from "../orders/order-commands.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { RefundRecord } from "../payments/payment-records.ts";
import type { AlertRecord, OrderRecord } from "../records.ts";
import { isMadeAtProvider, replaceRefund } from "./order-refund.ts";
import type { RefundReport } from "./refund-commands.ts";
import { nextRefundCheck, triedSince } from "./refund-schedule.ts";
import { withRefunds } from "./refund-sums.ts";

/** A report about one refund, and the records that it changes. */
export interface ReportedRefund {
  readonly order: OrderRecord;
  readonly refunds: readonly RefundRecord[];
  /**
   * The refund as it was. A refund that nobody knew is `pending`, without any
   * effect so far.
   */
  readonly refund: RefundRecord;
  readonly report: RefundReport;
  /** True means that the order counted the refund before. */
  readonly is_known: boolean;
  /**
   * True means that the caller learns of a refusal from its call. Neither event nor
   * alert tells it then.
   */
  readonly within_call: boolean;
  /** The keys for what the order grants again. */
  readonly pools: OrderSnapshot["pools"];
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
 * Brings the report into the refund and its order. Null means that it changes
 * nothing. A success ends in a failure only: the bank has sent the money back. A
 * failure is final when the provider had acknowledged the refund. Any other one only
 * says that nobody knew of the refund, and gives way to the provider's later word.
 */
export function applyRefundReport(reported: ReportedRefund): RefundApplied | null {
  const { order, refunds, refund: before, report, now } = reported;
  if (before.state === "failed" && (before.acknowledged || report.status === "failed")) return null;
  if (before.state === "succeeded" && report.status !== "failed") return noteReference(reported);

  const twin = findTwin(refunds, before, report);
  if (twin) return takeOver(reported, twin);

  const refund = withReport(before, report, now);
  const refunded = withRefunds(order, replaceRefund(refunds, refund), now);
  const events = new EventDrafts(reported.ids.events, now);
  if (refund.state === "succeeded") events.refund(refunded, order.status, refund);

  const isTakenBack = refund.state === "failed" && reported.is_known && !isRefusal(reported);
  if (isTakenBack) events.refundFailed(refunded, order.status, refund);
  const { order: after, keys } = withEntitlements(refunded, events, reported.pools);

  const alerts = [
    ...exceedingAlert(reported, after, refund),
    ...(isTakenBack ? [failureAlert(reported, refund)] : []),
  ];
  return {
    outcome: outcomeOf(refund),
    order: after,
    refund,
    changes: orderChanges({
      ...keys,
      order: after,
      refunds: [refund],
      events: events.list,
      alerts,
      withdrawn: [
        ...(keys.withdrawn ?? []),
        ...(before.state === "failed"
          ? [{ type: "refund_failed", subject: before.id } as const]
          : []),
      ],
    }),
  };
}

const outcomeOf = ({ state }: RefundRecord): RefundApplied["outcome"] =>
  state === "succeeded" ? "refunded" : state;

/** Tells whether the gateway refused the refund at once, and the caller hears of it. */
const isRefusal = ({ refund, within_call }: ReportedRefund): boolean =>
  within_call && !refund.acknowledged;

function withReport(refund: RefundRecord, report: RefundReport, now: number): RefundRecord {
  const isPending = report.status === "pending";
  return {
    ...refund,
    state: report.status,
    amount: report.amount ?? refund.amount,
    provider_reference: report.reference ?? refund.provider_reference,
    failure_reason: report.status === "failed" ? report.failure_reason : null,
    acknowledged: refund.acknowledged || report.status !== "failed",
    asks_first: false,
    succeeded_at: report.status === "succeeded" ? now : null,
    check_at: isPending ? nextRefundCheck(triedSince(refund), now) : null,
    updated_at: now,
  };
}

/**
 * Notes the reference. A refund that the host has told first gets the provider's
 * id, and nothing else.
 */
function noteReference({
  order,
  refund: before,
  report,
  now,
}: ReportedRefund): RefundApplied | null {
  if (before.provider_reference !== null || report.reference === null) return null;

  const refund = { ...before, provider_reference: report.reference, updated_at: now };
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
  { reference }: RefundReport,
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
 * event repeats it, and the report then counts for ours.
 */
function takeOver(reported: ReportedRefund, twin: RefundRecord): RefundApplied {
  const { now } = reported;
  const hasSucceeded = twin.state === "succeeded";
  const ours: RefundRecord = {
    ...reported.refund,
    state: hasSucceeded ? "succeeded" : reported.refund.state,
    amount: twin.amount,
    provider_reference: twin.provider_reference,
    acknowledged: true,
    check_at: hasSucceeded ? null : reported.refund.check_at,
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

  const refunds = replaceRefund(replaceRefund(reported.refunds, merged), ours);
  const order = withRefunds(reported.order, refunds, now);
  const hasFailed = twin.state === "failed";
  const report = hasFailed ? { ...reported.report, ...failureOf(twin) } : reported.report;
  const applied = applyRefundReport({ ...reported, order, refunds, refund: ours, report });

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
  { order, ids, now }: ReportedRefund,
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

const failureAlert = ({ order, ids, now }: ReportedRefund, refund: RefundRecord): AlertRecord =>
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
