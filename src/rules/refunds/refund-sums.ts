import { fail } from "../../contract/errors.ts";
import type { OrderStatus } from "../../contract/schemas.ts";
import { addMoney } from "../../domain/sums.ts";
import type { RefundRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";

type Totals = Pick<OrderRecord, "amount_total" | "amount_refunded" | "amount_refunding">;

/**
 * Gives what may still be refunded. It is never negative, though a provider can
 * exceed the total.
 */
export const refundBalance = (order: Totals): number =>
  Math.max(0, order.amount_total - order.amount_refunded - order.amount_refunding);

/**
 * Gives the order with the sums of its refunds, and the status that they make. A
 * disputed order keeps its status: it gets the new one when the dispute is won.
 */
export function withRefunds(
  order: OrderRecord,
  refunds: readonly RefundRecord[],
  now: number,
): OrderRecord {
  const amount_refunded = sumOf(refunds, "succeeded");
  const status = statusAfter(amount_refunded, order.amount_total);
  const times = refunds.flatMap(({ state, succeeded_at }) =>
    state === "succeeded" && succeeded_at !== null ? [succeeded_at] : [],
  );

  const isDisputed = order.status === "chargeback";
  return {
    ...order,
    status: isDisputed ? "chargeback" : status,
    status_before_dispute: isDisputed ? status : order.status_before_dispute,
    amount_refunded,
    amount_refunding: sumOf(refunds, "pending"),
    refunded_at: times.length === 0 ? null : Math.max(...times),
    updated_at: now,
  };
}

/** Throws `amount_out_of_range` for a sum that a number does not hold exactly. */
function sumOf(refunds: readonly RefundRecord[], state: RefundRecord["state"]): number {
  const amounts = refunds.filter((refund) => refund.state === state).map(({ amount }) => amount);
  const message = "The refunds of this order would add up to more than 2^53-1.";
  return addMoney(amounts) ?? fail("amount_out_of_range", { message });
}

function statusAfter(amount_refunded: number, amount_total: number): OrderStatus {
  if (amount_refunded === 0) return "paid";
  return amount_refunded < amount_total ? "partially_refunded" : "refunded";
}
