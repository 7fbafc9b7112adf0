import { fail } from "../contract/errors.ts";
import type { Order } from "../contract/schemas.ts";
import { check, checkId } from "../input/check.ts";
import type { RefundReserved } from "../rules/order-commands.ts";
import type { RefundRecord } from "../rules/payment-records.ts";
import type { OrderRecord } from "../rules/records.ts";
import { renderOrder } from "../rules/render.ts";
import {
  afterStep,
  eventIds,
  orderStore,
  type PaymentContext,
  type StepOptions,
} from "./context.ts";
import { askGateway, findGateway } from "./gateway-calls.ts";
import { RefundInput } from "./inputs.ts";

export interface RefundResult {
  readonly id: string;
  /** `pending`: the gateway has given no result yet, and maintenance asks again. */
  readonly status: "pending" | "succeeded" | "failed";
  /** Minor units. */
  readonly amount: number;
  readonly order: Order;
}

/** Maintenance asks about a refund without a result once this time has passed. */
const refundCheckMs = 60_000;

/** Commits a reserve of the amount, then lets the gateway move the money. */
export async function refundOrder(
  ctx: PaymentContext,
  order_id: string,
  input: RefundInput,
  options: StepOptions,
): Promise<RefundResult> {
  const checked = check(RefundInput, input);
  const { store_id, livemode, reference, amount = null, reason = null } = checked;
  const partition = { store_id, livemode };

  const now = ctx.now();
  const refunding = ctx.gateways
    .filter((gateway) => gateway.livemode === livemode && gateway.refund)
    .map(({ id }) => id);

  const reserved = await orderStore(ctx, options).reserveRefund({
    ...partition,
    order_id: checkId("order_id", order_id),
    refund: { id: ctx.newId("rf"), reference, amount, reason },
    refunding,
    ids: eventIds(ctx),
    now,
    check_at: now + refundCheckMs,
  });
  if (isRefused(reserved)) return refuseRefund(reserved.outcome);

  // Inside the host's transaction the reserve is not committed yet: maintenance moves the money.
  if (reserved.outcome === "reserved" && options.client === undefined)
    return moveRefund(ctx, reserved.order, reserved.refund);

  await afterStep(ctx, partition, null, options);
  return refundResult(reserved.order, reserved.refund);
}

type RefusedRefund = Exclude<RefundReserved, { readonly refund: unknown }>;

const isRefused = (result: RefundReserved): result is RefusedRefund =>
  result.outcome !== "reserved" && result.outcome !== "refunded" && result.outcome !== "failed";

function refuseRefund(outcome: RefusedRefund["outcome"]): never {
  switch (outcome) {
    case "unknown_order":
      return fail("resource_not_found");
    case "exceeds_balance":
      return fail("refund_exceeds_balance", { param: "amount" });
    case "different_amount":
      return fail("parameter_conflict", {
        param: "reference",
        message: "This reference was used for a refund of another amount.",
      });
    case "invalid_transition":
      return fail("invalid_transition");
  }
}

/**
 * Lets the gateway move the money, outside any transaction. Without a result the reserve stays
 * until maintenance gets one.
 */
export async function moveRefund(
  ctx: PaymentContext,
  order: OrderRecord,
  refund: RefundRecord,
): Promise<RefundResult> {
  const { id, payment_reference, amount, store_id, livemode } = refund;
  const gateway = refund.gateway === null ? null : findGateway(ctx, refund.gateway, livemode);
  if (!gateway || payment_reference === null) return refundResult(order, refund);

  const response = await askGateway(ctx, gateway, id, async (signal) =>
    gateway.refund?.({
      id,
      store_id,
      account: null,
      reference: payment_reference,
      payment_reference: null,
      amount,
      currency: order.currency,
      metadata: {
        store_id,
        livemode,
        order_id: order.id,
        payment_id: refund.attempt_id ?? "",
        refund_id: id,
      },
      signal,
    }),
  );

  // Anything else is no result: the provider may still be moving the money.
  const status = response?.value?.status;
  if (status !== "succeeded" && status !== "failed") return refundResult(order, refund);

  const settled = await ctx.storage.orders.settleRefund({
    store_id,
    livemode,
    order_id: order.id,
    refund_id: id,
    succeeded: status === "succeeded",
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (!("refund" in settled)) return fail("resource_not_found");

  ctx.committed({ store_id, livemode });
  return refundResult(settled.order, settled.refund);
}

const refundResult = (order: OrderRecord, { id, state, amount }: RefundRecord): RefundResult => ({
  id,
  status: state,
  amount,
  order: renderOrder(order),
});
