import { fail } from "../../contract/errors.ts";
import type { Order } from "../../contract/schemas.ts";
import { check, checkId } from "../../input/check.ts";
import { renderOrder } from "../../rules/catalog/render-order.ts";
import type { ClosingResult } from "../../rules/orders/order-commands.ts";
import { holderOf } from "../../rules/orders/order-goods.ts";
import { isPaid } from "../../rules/orders/order-states.ts";
import { takenByHost } from "../../rules/orders/outcomes.ts";
import { isOpen } from "../../rules/payments/order-attempt.ts";
import type { Partition } from "../../rules/records.ts";
import * as steps from "../../steps/checkout-steps.ts";
import { applyPaymentResult } from "../apply-payment.ts";
import { endPayment, lookUpResult } from "../cancel-payment.ts";
import {
  afterStep,
  eventIds,
  hasExternalStock,
  orderIds,
  type PaymentContext,
  type StepOptions,
  settleExternalStock,
  settlement,
  stepsOf,
  tellStep,
} from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import { CompleteInput, PartitionInput } from "../inputs.ts";
import { handleNotification } from "../notifications.ts";
import { refuseTakenReference } from "../taken-reference.ts";
import { readKnownBuyer } from "../tokens/known-buyer.ts";
import type { CheckoutService, SubmitResult } from "./checkout-service.ts";
import {
  type FoundCheckout,
  findCheckout,
  renderCheckoutSession,
  submitResult,
  viewCheckout,
} from "./checkout-view.ts";
import { holdCheckout, releaseHold } from "./session-holds.ts";
import { isShortAtSource } from "./source-stock.ts";
import { submitCheckout } from "./submit-checkout.ts";

export function createCheckoutService(ctx: PaymentContext): CheckoutService {
  return {
    view: (token) => viewCheckout(ctx, token),
    submit: (token, input) => submitCheckout(ctx, token, input),
    resume: (token) => resumeCheckout(ctx, token),
    hold: (session_id, input) => holdCheckout(ctx, session_id, input),
    complete: (session_id, input, options = {}) => completeSession(ctx, session_id, input, options),
    handleNotification: (gateway_id, message) => handleNotification(ctx, gateway_id, message),

    async cancel(token) {
      await cancelCheckout(ctx, await findCheckout(ctx, token));
      return viewCheckout(ctx, token);
    },

    async expire(session_id, where) {
      const partition = check(PartitionInput, where);
      await closeSession(ctx, partition, checkId("session_id", session_id), "expired");

      const found = await ctx.storage.checkout.findSession(partition, session_id);
      if (!found) return fail("resource_not_found");

      return renderCheckoutSession(ctx, found.session);
    },
  };
}

async function resumeCheckout(ctx: PaymentContext, token: string): Promise<SubmitResult> {
  const { session, order, attempt } = await findCheckout(ctx, token);
  if (!order) {
    const message = "No payment was submitted for this checkout.";
    return fail("resource_not_found", { param: "token", message });
  }
  if (!attempt || !isOpen(attempt) || isPaid(order.status))
    return submitResult(session, order, attempt);

  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  const result = gateway && (await lookUpResult(ctx, gateway, attempt));
  if (!result) return submitResult(session, order, attempt);

  const applied = await applyPaymentResult(ctx, attempt, result);
  return submitResult(session, applied.order, applied.attempt);
}

/**
 * Ends a payment in flight first: the order fails once the gateway says that it is
 * over.
 */
async function cancelCheckout(
  ctx: PaymentContext,
  { session, attempt, partition }: FoundCheckout,
): Promise<void> {
  const outcome = await closeSession(ctx, partition, session.id, "canceled");
  if (outcome !== "in_flight" || !attempt || !isOpen(attempt)) return;

  const ended = await endPayment(ctx, attempt);
  if (!ended) return;

  const { failure_code = "canceled" } = ended;
  await applyPaymentResult(ctx, attempt, { ...ended, failure_code });
}

async function completeSession(
  ctx: PaymentContext,
  session_id: string,
  input: CompleteInput,
  options: StepOptions,
): Promise<Order> {
  const checked = check(CompleteInput, input);
  const { store_id, livemode, payment_method, customer, ...payment } = checked;
  const partition = { store_id, livemode };

  const id = checkId("session_id", session_id);
  const orders = stepsOf(ctx, options);
  const found = await orders.findCheckout(partition, id);
  if (!found) return fail("resource_not_found");
  const { session, order } = found;

  // Inside the host's own transaction nothing but its connection may be used.
  const asksSource = payment.status === "paid" && options.client === undefined;
  const isNew = holderOf(order, session) === "nobody";
  const short_at_source = asksSource && isNew && (await isShortAtSource(ctx, session));

  const result = await steps.completeSession(orders, {
    ...partition,
    ...payment,
    session_id,
    ids: orderIds(ctx, session),
    now: ctx.now(),
    external_stock: hasExternalStock(ctx),
    ...settlement(options),
    buyer: await readKnownBuyer(ctx, partition, customer),
    attempt_id: ctx.newId("pay"),
    payment_method_type: payment_method?.type ?? null,
    short_at_source,
  });

  tellStep(ctx, partition, { ...result, gateway: takenByHost }, options);
  if (result.outcome === "mismatch") {
    const param = payment.amount === session.amount_total ? "currency" : "amount";
    return fail("payment_mismatch", { param });
  }
  if (result.outcome === "reference_taken") return refuseTakenReference();
  if (result.outcome === "unknown_session") return fail("resource_not_found");
  if (
    result.outcome === "session_expired" ||
    result.outcome === "insufficient_stock" ||
    result.outcome === "coupon_invalid"
  )
    return fail(result.outcome);

  await afterStep(ctx, partition, result.order, options);
  return renderOrder(result.order);
}

async function closeSession(
  ctx: PaymentContext,
  partition: Partition,
  session_id: string,
  reason: "canceled" | "expired",
): Promise<ClosingResult["outcome"]> {
  const result = await steps.closeSession(ctx.storage.orders, {
    ...partition,
    session_id,
    reason,
    close_session: reason === "expired",
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (result.outcome === "no_order" || result.outcome === "unchanged")
    await releaseHold(ctx, { ...partition, session_id, token: null, ended_by: null });
  if (result.outcome !== "closed") return result.outcome;

  tellStep(ctx, partition, { outcome: "failed", order: result.order });
  ctx.committed(partition);
  await settleExternalStock(ctx, result.order);
  return "closed";
}
