import type { AttemptRecord, RefundRecord } from "../rules/payment-records.ts";
import { type AttemptResult, applyPaymentResult } from "./apply-payment.ts";
import type { PaymentContext } from "./context.ts";
import type { PaymentGateway } from "./gateway.ts";
import { askGateway, findGateway, lookUpPayment, paymentQuery } from "./gateway-calls.ts";
import { pursueRefund } from "./refund-pursuit.ts";

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
  if (attempt.state === "duplicate") return returnDuplicate(ctx, counts, gateway, attempt);

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

/** Another attempt has paid the order: the gateway refunds this one, if it can. */
async function returnDuplicate(
  ctx: PaymentContext,
  counts: ReconcileCounts,
  gateway: PaymentGateway,
  attempt: AttemptRecord,
): Promise<void> {
  const { orders } = ctx.storage;
  const { store_id, livemode, order_id, account, payment_reference } = attempt;
  const { reference, amount, currency } = attempt;
  if (!gateway.refund || reference === null)
    return orders.settleDuplicate(attempt, attempt.id, "duplicate", ctx.now());

  // The id is the same in each run, so that the provider refunds the payment only once.
  const id = attempt.id.replace(/^pay_/, "rf_");
  const response = await askGateway(ctx, gateway, attempt.id, async (signal) =>
    gateway.refund?.({
      id,
      store_id,
      account,
      reference,
      payment_reference,
      amount,
      currency,
      metadata: { store_id, livemode, order_id, payment_id: attempt.id, refund_id: id },
      signal,
    }),
  );
  if (response?.value?.status !== "succeeded") return;

  await orders.settleDuplicate(attempt, attempt.id, "returned", ctx.now());
  counts.duplicates_returned += 1;
}

export async function settleRefund(
  ctx: PaymentContext,
  counts: ReconcileCounts,
  refund: RefundRecord,
): Promise<void> {
  const pursued = await pursueRefund(ctx, refund);
  if (pursued && pursued.refund.state !== "pending") counts.refunds_settled += 1;
}
