import { type Decision, withoutChanges } from "../orders/order-changes.ts";
import type { RefundMessage, RefundMessageResult } from "../refunds/refund-commands.ts";
import type { PaymentRecord } from "./payment-records.ts";
import { applyReturnRefund, type NeedlessMoney, withUsedKey } from "./return-refunds.ts";

/**
 * Notes the provider's message about a refund of money that did not pay the order.
 * The message counts for that money and its attempt, and never for the order's sums.
 */
export function noteReturn(
  needless: NeedlessMoney,
  command: RefundMessage,
): Decision<RefundMessageResult> {
  const { order, payment } = needless;
  const { report, ids, now } = command;
  const { status: state, reference, amount } = report;
  // Maintenance asks about a return that is under way.
  if (state === "pending") return withoutChanges({ outcome: "unchanged", order });

  const told = { ...needless, payment: withOwnResult(payment, command) };
  const applied = applyReturnRefund(told, { reference, amount, state }, { ids, now });
  if (!applied) return withoutChanges({ outcome: "unchanged", order });
  return { result: { outcome: "applied", order }, changes: applied.changes };
}

/**
 * Brings in the result of our own return when the message has it. The return has
 * then used its key up. Our id alone does not show which key has failed: an earlier
 * one may have.
 */
function withOwnResult(
  payment: PaymentRecord,
  { refund_id, report }: RefundMessage,
): PaymentRecord {
  const way = payment.return;
  if (way === null || way.requested_at === null) return payment;

  const isNamed = way.refund_reference === report.reference;
  const isOurs = way.refund_reference === null && way.refund_id === refund_id;
  const isResult = isNamed || (isOurs && report.status === "succeeded");
  return isResult ? { ...payment, return: withUsedKey(way) } : payment;
}
