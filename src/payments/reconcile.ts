import type { AttemptRecord, RefundRecord } from "../rules/payment-records.ts";
import type { PaymentContext } from "./context.ts";
import { askGateway, findGateway } from "./gateway-calls.ts";
import { pursueRefund } from "./refund-pursuit.ts";

/** Another attempt has paid the order: the gateway refunds this one, if it can. */
export async function returnDuplicate(
  ctx: PaymentContext,
  counts: { duplicates_returned: number },
  attempt: AttemptRecord,
): Promise<void> {
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  const { orders } = ctx.storage;
  const { store_id, livemode, order_id, account, payment_reference } = attempt;
  const { reference, amount, currency } = attempt;
  if (!gateway?.refund || reference === null)
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
  counts: { refunds_settled: number },
  refund: RefundRecord,
): Promise<void> {
  const pursued = await pursueRefund(ctx, refund);
  if (pursued && pursued.refund.state !== "pending") counts.refunds_settled += 1;
}
