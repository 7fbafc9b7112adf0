import type { AttemptRecord, PaymentRecord, RefundRecord } from "../rules/payment-records.ts";
import { type AttemptResult, applyPaymentResult } from "./apply-payment.ts";
import type { PaymentContext } from "./context.ts";
import type { PaymentGateway } from "./gateway.ts";
import { askGateway, findGateway, lookUpPayment, paymentQuery } from "./gateway-calls.ts";
import { moveRefund } from "./refunds.ts";
import { sendBack } from "./returns.ts";

interface ReconcileCounts {
  payments_checked: number;
  payments_settled: number;
  duplicates_returned: number;
  refunds_settled: number;
}

/** Gets the result of an open payment from its gateway, and refunds a duplicate one. */
export async function reconcilePayment(
  ctx: PaymentContext,
  counts: ReconcileCounts,
  attempt: AttemptRecord,
): Promise<void> {
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  if (!gateway)
    throw new Error(`Gateway ${attempt.gateway} of payment ${attempt.id} is not configured.`);

  counts.payments_checked += 1;
  const result = await askForResult(ctx, gateway, attempt);
  if (!result) return;

  const { outcome } = await applyPaymentResult(ctx, attempt, result);
  if (outcome !== "pending" && outcome !== "mismatch") counts.payments_settled += 1;
}

/** Returns null when there is no result to write: maintenance asks again later. */
async function askForResult(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  attempt: AttemptRecord,
): Promise<AttemptResult | null> {
  const { id, reference, amount, currency } = attempt;
  const isOverdue = attempt.expires_at <= ctx.now();
  if (isOverdue && gateway.cancelPayment)
    await askGateway(ctx, gateway, id, async (signal) =>
      gateway.cancelPayment?.(paymentQuery(attempt, signal)),
    );

  const response = await lookUpPayment(ctx, gateway, attempt);
  if (!response) return null;

  const failed: AttemptResult = {
    status: "failed",
    reference,
    amount,
    currency,
    failure_code: isOverdue ? "expired" : "error",
  };
  const result = response.value;
  if (!result) {
    // A provider without a record of the payment was never reached, so nothing was charged. A
    // gateway without `getPayment` cannot tell: its payment stays open until it is overdue.
    return isOverdue || gateway.getPayment ? failed : null;
  }

  const isOpen = result.status === "pending" || result.status === "requires_action";
  return isOpen && isOverdue ? failed : result;
}

/** Sends a duplicate payment back, if its gateway can. */
export async function returnDuplicate(
  ctx: PaymentContext,
  counts: ReconcileCounts,
  money: PaymentRecord,
): Promise<void> {
  const gateway = findGateway(ctx, money.gateway, money.livemode);
  if (!gateway?.refund)
    throw new Error(`No gateway ${money.gateway} that refunds is configured for ${money.id}.`);

  const { state } = await sendBack(ctx, gateway, money, "maintenance");
  if (state === "returned") counts.duplicates_returned += 1;
}

export async function settleRefund(
  ctx: PaymentContext,
  counts: ReconcileCounts,
  refund: RefundRecord,
): Promise<void> {
  const order = await ctx.storage.orders.findOrder(refund, refund.order_id);
  if (!order) return;

  const { status } = await moveRefund(ctx, order, refund);
  if (status !== "pending") counts.refunds_settled += 1;
}
