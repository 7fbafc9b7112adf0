import type { PaymentRecord } from "./payment-records.ts";
import { iso } from "./render.ts";
import { amountReturned } from "./sent-back.ts";

/** Money that came for an order. */
export interface OrderPayment {
  /** Name it to `orders.returnPayment`. */
  readonly id: string;
  readonly order_id: string;
  /** The id of the gateway; `host` for a payment that your own code took. */
  readonly gateway: string;
  /** The store's account at the provider; null when the host has one for all stores. */
  readonly account: string | null;
  /** The provider's id of the money. */
  readonly payment_reference: string;
  /**
   * `booked`: it pays the order. `duplicate`: the order was paid already.
   * `unapplied`: its amount or currency is not the order's, so that it pays nothing.
   * The money of both is still with you. `returning`, `returned`, `return_failed`: it
   * is on its way back to the buyer.
   */
  readonly status: PaymentRecord["state"];
  /** Minor units. */
  readonly amount: number;
  /** Minor units that went back without paying the order, whoever sent them. */
  readonly amount_returned: number;
  readonly currency: string;
  readonly created_at: string;
}

export const renderPayment = (money: PaymentRecord): OrderPayment => ({
  id: money.id,
  order_id: money.order_id,
  gateway: money.gateway,
  account: money.account,
  payment_reference: money.payment_reference,
  status: money.state,
  amount: money.amount,
  amount_returned: amountReturned(money),
  currency: money.currency,
  created_at: iso(money.created_at),
});
