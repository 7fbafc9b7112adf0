import { iso } from "../../domain/text/iso.ts";
import type { PaymentRecord } from "./payment-records.ts";
import { amountReturned } from "./return-refunds.ts";

/** Money that came for an order. */
export interface OrderPayment {
  /** The id to pass to `orders.returnPayment`. */
  readonly id: string;
  readonly order_id: string;
  /** The id of the gateway. It is `host` for a payment that your own code took. */
  readonly gateway: string;
  /** The store's account at the provider. It is null when the host has one for all stores. */
  readonly account: string | null;
  /** The provider's id of the money. */
  readonly payment_reference: string;
  /**
   * `booked` means that this money pays the order. `duplicate` means that the order had
   * been paid before. `unapplied` means that the money has another amount or currency than
   * the order, so it pays nothing. You still have the money of a duplicate and of an
   * unapplied payment. `returning` means that you are sending it back to the buyer,
   * `returned` that this has succeeded, and `return_failed` that it has failed.
   */
  readonly status: PaymentRecord["state"];
  /** The amount is in minor units. */
  readonly amount: number;
  /** The amount, in minor units, that went back without paying the order, whoever sent it. */
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
