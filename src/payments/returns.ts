import { fail } from "../contract/errors.ts";
import { check, checkId } from "../input/check.ts";
import type { PaymentRecord } from "../rules/payment-records.ts";
import { iso } from "../rules/render.ts";
import type { ReturnSettlement } from "../rules/return-commands.ts";
import { eventIds, type PaymentContext } from "./context.ts";
import type { PaymentGateway, RefundResult } from "./gateway.ts";
import { askGateway, findGateway } from "./gateway-calls.ts";
import { PartitionInput } from "./inputs.ts";

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
   * `booked`: it pays the order. `duplicate`: the order was paid already, and the
   * money is still with you. `returning`, `returned`, `return_failed`: a duplicate
   * on its way back to the buyer.
   */
  readonly status: PaymentRecord["state"];
  /** Minor units. */
  readonly amount: number;
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

/** The owner sends a duplicate back. */
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

/** Tries once to send the money back, outside any transaction, and writes how it went. */
export async function sendBack(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  money: PaymentRecord,
  asked_by: "owner" | "maintenance",
): Promise<PaymentRecord> {
  const { store_id, livemode, order_id, id: payment_id } = money;
  const subject = { store_id, livemode, order_id, payment_id };

  const started = await ctx.storage.orders.startReturn({ ...subject, asked_by, now: ctx.now() });
  if (started.outcome === "unknown_payment") return fail("resource_not_found");
  if (started.outcome === "invalid_transition") return fail("invalid_transition");
  if (started.outcome !== "started") return started.payment;

  const result = await askForReturn(ctx, gateway, started.payment);
  const settled = await ctx.storage.orders.settleReturn({
    ...subject,
    status: statusOf(result),
    refund_reference: result?.reference ?? null,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  ctx.committed({ store_id, livemode });
  return settled.outcome === "unknown_payment" ? started.payment : settled.payment;
}

/** Anything but these answers is none: the money may still be moving. */
const statusOf = (result: RefundResult | null): ReturnSettlement["status"] =>
  result?.status === "succeeded" || result?.status === "failed" || result?.status === "pending"
    ? result.status
    : "unknown";

/** Null: there was no answer. */
async function askForReturn(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  money: PaymentRecord,
): Promise<RefundResult | null> {
  const attempt = await ctx.storage.orders.findAttempt(money, money.attempt_id);
  const way = money.return;
  if (!attempt || !way) return null;

  const { store_id, livemode, order_id, account, payment_reference, amount, currency } = money;
  const key = way.refusals === 0 ? way.refund_id : `${way.refund_id}.${way.refusals}`;
  const shared = { id: key, store_id, account, payment_reference, amount };
  const payment_id = money.attempt_id;
  const metadata = { store_id, livemode, order_id, payment_id, refund_id: way.refund_id };

  const response = await askGateway(ctx, gateway, money.id, async (signal) => {
    if (way.pending && gateway.getRefund) {
      const { refund_reference } = way;
      const query = { ...shared, refund_reference, created_at: money.created_at, signal };
      return gateway.getRefund(query);
    }
    const reference = attempt.reference ?? payment_reference;
    return gateway.refund?.({ ...shared, reference, currency, metadata, signal });
  });
  return response?.value ?? null;
}
