import { fail } from "../../contract/errors.ts";
import type { Order } from "../../contract/schemas.ts";
import { check, checkId } from "../../input/check.ts";
import { renderOrder } from "../../rules/catalog/render-order.ts";
import type { OrderRecord } from "../../rules/records.ts";
import type { RefundReserved } from "../../rules/refunds/refund-commands.ts";
import { type Refund, renderRefund } from "../../rules/refunds/render-refund.ts";
import { reserveRefund } from "../../steps/order-steps.ts";
import { afterStep, eventIds, type PaymentContext, type StepOptions, stepsOf } from "../context.ts";
import { RefundInput } from "../inputs.ts";
import { retryRefund, sendRefund } from "./resolve-refund.ts";

/** A refund, and the order as it stands with it. */
export interface RefundResult extends Refund {
  readonly order: Order;
}

/** Commits a reserve of the amount, then lets the gateway move the money. */
export async function refundOrder(
  ctx: PaymentContext,
  order_id: string,
  input: RefundInput,
  options: StepOptions,
): Promise<RefundResult> {
  const checked = check(RefundInput, input);
  const { store_id, livemode, reference, moved, amount = null, reason = null } = checked;
  const partition = { store_id, livemode };

  const refunding = ctx.gateways
    .filter((gateway) => gateway.livemode === livemode && gateway.refund)
    .map(({ id }) => id);
  // Inside the host's transaction the reserve is not committed yet: maintenance moves the money.
  const sent_now = options.client === undefined;

  const reserved = await reserveRefund(stepsOf(ctx, options), {
    ...partition,
    order_id: checkId("order_id", order_id),
    refund: { id: ctx.newId("rf"), reference, amount, reason },
    moved_by_host: moved === "by_host",
    not_moved: moved === "not_moved",
    refunding,
    sent_now,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (!("refund" in reserved)) return refuseRefund(reserved.outcome);

  await afterStep(ctx, partition, null, options);
  if (reserved.outcome !== "reserved" || !sent_now)
    return refundResult(reserved.order, reserved.refund);

  const sent = reserved.refund.asks_first
    ? await retryRefund(ctx, reserved.refund, reserved.order)
    : await sendRefund(ctx, { ...reserved, repeat: false, when: "within_call" });
  return refundResult(sent.order, sent.refund);
}

const refundResult = (
  order: OrderRecord,
  refund: Parameters<typeof renderRefund>[0],
): RefundResult => ({ ...renderRefund(refund), order: renderOrder(order) });

type RefusedRefund = Exclude<RefundReserved, { readonly refund: unknown }>;

function refuseRefund(outcome: RefusedRefund["outcome"]): never {
  switch (outcome) {
    case "unknown_order":
      return fail("resource_not_found");
    case "invalid_transition":
      return fail("invalid_transition", { message: "Only a paid order can be refunded." });
    case "exceeds_balance":
      return fail("refund_exceeds_balance", { param: "amount" });
    case "not_in_doubt":
      return fail("invalid_transition", {
        message: "Only a refund that nobody asks about any more can be settled as not moved.",
      });
    case "no_gateway":
      return fail("gateway_error", {
        message:
          "The gateway of this payment is not configured here, or cannot refund. If you have" +
          ' moved the money yourself, pass `moved: "by_host"`.',
      });
    case "no_reference":
      return fail("gateway_error", {
        message:
          "The payment has no reference of the provider's. If you have moved the money yourself," +
          ' pass `moved: "by_host"`.',
      });
    case "different_amount":
      return fail("parameter_conflict", {
        param: "reference",
        message: "This reference was used for a refund of another amount.",
      });
  }
}
