import type { PaymentRecord, RefundRecord } from "../../rules/payments/payment-records.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import { resolveRefund } from "../refunds/resolve-refund.ts";
import { tryReturn } from "../refunds/try-return.ts";

/** Returns a duplicate payment, if its gateway can. */
export async function returnDuplicate(
  ctx: PaymentContext,
  counts: { duplicates_returned: number },
  money: PaymentRecord,
): Promise<void> {
  const gateway = findGateway(ctx, money.gateway, money.livemode);
  if (!gateway?.refund)
    throw new Error(`No gateway ${money.gateway} that refunds is configured for ${money.id}.`);

  const { state } = await tryReturn(ctx, gateway, money, "maintenance");
  if (state === "returned") counts.duplicates_returned += 1;
}

export async function settleRefund(
  ctx: PaymentContext,
  counts: { refunds_settled: number },
  refund: RefundRecord,
): Promise<void> {
  const resolved = await resolveRefund(ctx, refund);
  if (resolved && resolved.refund.state !== "pending") counts.refunds_settled += 1;
}
