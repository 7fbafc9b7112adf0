import type { Order } from "../../contract/schemas.ts";

type Amounts = Pick<Order, "paid_at" | "amount_total" | "amount_refunded" | "amount_refunding">;

/** Gives how much can still be refunded, in minor units. */
export const refundable = (order: Amounts): number =>
  order.paid_at === null
    ? 0
    : Math.max(0, order.amount_total - order.amount_refunded - order.amount_refunding);
