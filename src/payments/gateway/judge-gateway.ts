import { dayMs, minuteMs } from "../../domain/durations.ts";
import { decliningAlert, triesOf, verdictOf } from "../../rules/payments/gateway-verdict.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import { withdrawAlert } from "../../steps/order-steps.ts";
import type { PaymentContext } from "../context.ts";

/** The newest attempts of the store that are read: those of other gateways are among them. */
const attemptsRead = 60;
/** The time between looks at a gateway that takes payments. */
const clearForMs = 10 * minuteMs;
const mostRemembered = 10_000;

/** The gateways that took payments, with the time until which nobody looks at them again. */
const clearUntil = new WeakMap<object, Map<string, number>>();

/**
 * Looks at the last tries of a gateway in a store once one of them has ended. The owner is told of
 * one that declines all, and the alert is withdrawn once it takes payments again. A failure is
 * reported: the payment stands.
 */
export async function judgeGateway(ctx: PaymentContext, attempt: AttemptRecord): Promise<void> {
  try {
    await judge(ctx, attempt);
  } catch (error) {
    ctx.onError(error, "gateway_declining");
  }
}

async function judge(ctx: PaymentContext, attempt: AttemptRecord): Promise<void> {
  const { store_id, livemode, gateway, order_id } = attempt;
  const partition = { store_id, livemode };
  const clear = clearUntil.get(ctx.shops) ?? new Map<string, number>();
  clearUntil.set(ctx.shops, clear);

  const key = JSON.stringify([store_id, livemode, gateway]);
  const now = ctx.now();
  const took = attempt.state === "succeeded";
  if (took && now < (clear.get(key) ?? 0)) return;
  clear.delete(key);

  const { now: modeNow } = await ctx.clock.of(partition);
  const range = { ...partition, created_from: modeNow - dayMs, limit: attemptsRead };
  const attempts = await ctx.storage.lists.listAttempts(range);
  const tries = triesOf(
    attempts.map((each) => each.attempt),
    gateway,
  );
  const verdict = verdictOf(tries);
  if (verdict === "declining") {
    const alert = { id: ctx.newId("alr"), gateway, tries, now };
    return ctx.storage.orders.raiseOrderAlert(decliningAlert(attempt, alert));
  }
  if (verdict === "unclear" || !took) return;

  const alert = { type: "gateway_declining", subject: gateway } as const;
  await withdrawAlert(ctx.storage.orders, { ...partition, order_id }, alert);
  if (clear.size >= mostRemembered) clear.clear();
  clear.set(key, now + clearForMs);
}
