import { fail } from "../contract/errors.ts";
import { check, checkId } from "../input/check.ts";
import type { PaymentRecord } from "../rules/payment-records.ts";
import { iso } from "../rules/render.ts";
import { amountReturned } from "../rules/sent-back.ts";
import type { PaymentContext } from "./context.ts";
import { findGateway } from "./gateway-calls.ts";
import { PartitionInput } from "./inputs.ts";
import { sendBack } from "./send-back.ts";

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

const renderPayment = (money: PaymentRecord): OrderPayment => ({
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

export async function listPayments(
  ctx: PaymentContext,
  order_id: string,
  where: PartitionInput,
): Promise<readonly OrderPayment[]> {
  const partition = check(PartitionInput, where);
  const id = checkId("order_id", order_id);
  const order = await ctx.storage.orders.findOrder(partition, id);
  if (!order) return fail("resource_not_found");

  return (await ctx.storage.orders.listPayments(partition, id)).map(renderPayment);
}

/** The owner sends money back that pays nothing. */
export async function returnPayment(
  ctx: PaymentContext,
  payment_id: string,
  where: PartitionInput,
): Promise<OrderPayment> {
  const partition = check(PartitionInput, where);
  const id = checkId("payment_id", payment_id);
  const money = await ctx.storage.orders.findPayment(partition, id);
  if (!money) return fail("resource_not_found");
  if (money.state === "booked")
    return fail("invalid_transition", { message: "This payment pays its order: use refund." });

  const gateway = findGateway(ctx, money.gateway, money.livemode);
  if (!gateway?.refund)
    return fail("gateway_error", {
      message: "No gateway that is configured here can send this payment back.",
    });
  return renderPayment(await sendBack(ctx, gateway, money, "owner"));
}
