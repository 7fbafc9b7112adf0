import { fail } from "../../contract/errors.ts";
import { check, checkId } from "../../input/check.ts";
import { type OrderPayment, renderPayment } from "../../rules/payments/render-payment.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import { PartitionInput } from "../inputs.ts";
import { tryReturn } from "./try-return.ts";

export async function listPayments(
  ctx: PaymentContext,
  order_id: string,
  where: PartitionInput,
): Promise<readonly OrderPayment[]> {
  const partition = check(PartitionInput, where);
  const id = checkId("order_id", order_id);
  const order = await ctx.storage.orders.find("order", partition, id);
  if (!order) return fail("resource_not_found");

  return (await ctx.storage.orders.listPayments(partition, id)).map(renderPayment);
}

/** Returns, for the owner, money that pays nothing. */
export async function returnPayment(
  ctx: PaymentContext,
  payment_id: string,
  where: PartitionInput,
): Promise<OrderPayment> {
  const partition = check(PartitionInput, where);
  const id = checkId("payment_id", payment_id);
  const money = await ctx.storage.orders.find("payment", partition, id);
  if (!money) return fail("resource_not_found");
  if (money.state === "booked")
    return fail("invalid_transition", { message: "This payment pays its order: use refund." });

  const gateway = findGateway(ctx, money.gateway, money.livemode);
  if (!gateway?.refund)
    return fail("gateway_error", {
      message: "No gateway that is configured here can send this payment back.",
    });
  return renderPayment(await tryReturn(ctx, gateway, money, "owner"));
}
