import { orderAlert } from "../orders/order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { RefundRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";
import type { RefundReport, RefundSettled, RefundSettlement } from "./refund-commands.ts";
import { applyRefundReport, type ReportedRefund } from "./refund-report.ts";
import { nextRefundCheck, triedSince } from "./refund-schedule.ts";

/** Records what became of the creation of one refund, or of a question about it. */
export function decideRefundResult(
  { order, refunds, pools }: OrderSnapshot,
  command: RefundSettlement,
): Decision<RefundSettled> {
  const { report, within_call, ids, now } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const refund = refunds.find(({ id }) => id === command.refund_id);
  if (!refund) return withoutChanges({ outcome: "unknown_refund" });

  const unchanged = withoutChanges({ outcome: "unchanged", order, refund } as const);
  if (command.key_attempt > refund.key_attempt) return unchanged;

  const isOfEarlierKey = command.key_attempt < refund.key_attempt;
  if (typeof report === "string") {
    if (refund.state !== "pending" || isOfEarlierKey) return unchanged;
    if (report === "next_key" && !refund.asks_first) return unchanged;
    return noteMissingResult(order, refund, { ...command, report });
  }
  // Money that moved under an earlier key has moved all the same.
  if (isOfEarlierKey && report.status === "failed") return unchanged;

  const told = { report, is_known: true, within_call };
  const reported = { order, refunds, refund, ...told, pools, ids, now };
  const applied = isSecondRefund(refund, report)
    ? applyRefundReport(asMadeAtProvider(reported, ids.refund))
    : applyRefundReport(reported);
  if (!applied) return unchanged;

  const { changes, ...result } = applied;
  return { result, changes };
}

type MissingResult = RefundSettlement & {
  readonly report: "sending" | "next_key" | "no_answer" | "given_up";
};

/**
 * Tells whether the provider speaks of a second refund: both keys of a refund that
 * was tried again have moved money. It is booked by itself.
 */
const isSecondRefund = (refund: RefundRecord, { reference, status }: RefundReport): boolean =>
  refund.key_attempt > 0 &&
  status !== "failed" &&
  reference !== null &&
  refund.provider_reference !== null &&
  refund.provider_reference !== reference;

/** Gives the second refund as one that was made at the provider. */
function asMadeAtProvider(reported: ReportedRefund, id: string): ReportedRefund {
  const { refunds, refund: ours, report, now } = reported;
  const known = refunds.find(({ provider_reference }) => provider_reference === report.reference);
  const second: RefundRecord = {
    ...ours,
    id,
    reference: id,
    state: "pending",
    reason: null,
    attempt_reference: null,
    provider_reference: report.reference,
    key_attempt: 0,
    requested_at: null,
    acknowledged: true,
    asks_first: false,
    check_at: null,
    succeeded_at: null,
    created_at: now,
    updated_at: now,
  };
  return { ...reported, refund: known ?? second, is_known: known !== undefined };
}

/**
 * Notes that there is no report of the refund: its record tells when to ask again, or
 * that nobody does.
 */
function noteMissingResult(
  order: OrderRecord,
  before: RefundRecord,
  { report, ids, now }: MissingResult,
): Decision<RefundSettled> {
  const requested_at = sentAt(before, report, now);
  const since = triedSince({ ...before, requested_at });
  const refund: RefundRecord = {
    ...before,
    ...(report === "next_key" && { key_attempt: before.key_attempt + 1, asks_first: false }),
    requested_at,
    check_at: report === "given_up" ? null : nextRefundCheck(since, now),
    updated_at: now,
  };
  const alert = orderAlert(order, {
    id: ids.alerts[0],
    type: "money_in_doubt",
    subject: refund.id,
    data: { reference: refund.provider_reference, amount: refund.amount },
    now,
  });

  return {
    result: { outcome: "pending", order, refund },
    changes: orderChanges({
      order,
      refunds: [refund],
      alerts: report === "given_up" ? [alert] : [],
    }),
  };
}

/** A key lives from the first time that it was sent. */
function sentAt(
  { requested_at }: RefundRecord,
  report: MissingResult["report"],
  now: number,
): number | null {
  if (report === "next_key") return now;
  return report === "sending" ? (requested_at ?? now) : requested_at;
}
