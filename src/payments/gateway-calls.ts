import type { AttemptRecord } from "../rules/payment-records.ts";
import type { PaymentContext } from "./context.ts";
import type { PaymentGateway, PaymentQuery, PaymentResult } from "./gateway.ts";
import { readResult } from "./read-result.ts";

const gatewayTimeoutMs = 30_000;

/**
 * Calls the gateway with a limit of 30 s. It returns null after an exception or a timeout: the
 * result is unknown then, and the payment stays open, because the money may have moved.
 */
export async function askGateway<T>(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  subject: string,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T } | null> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`Gateway ${gateway.id} took longer than 30 s.`));
    }, gatewayTimeoutMs);
  });

  try {
    return { value: await Promise.race([ask(controller.signal), timeout]) };
  } catch (error) {
    ctx.onError(error, `gateway:${gateway.id}:${subject}`);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Names a payment to its gateway. */
export const paymentQuery = (attempt: AttemptRecord, signal: AbortSignal): PaymentQuery => ({
  id: attempt.id,
  store_id: attempt.store_id,
  account: attempt.account,
  reference: attempt.reference,
  payment_reference: attempt.payment_reference,
  created_at: attempt.created_at,
  signal,
});

/** Asks for the state of a payment. `value` is null when the gateway has no record of it. */
export const lookUpPayment = (
  ctx: PaymentContext,
  gateway: PaymentGateway,
  attempt: AttemptRecord,
): Promise<{ readonly value: PaymentResult | null } | null> =>
  askGateway(ctx, gateway, attempt.id, async (signal) => {
    if (!gateway.getPayment) return null;

    const result = await gateway.getPayment(paymentQuery(attempt, signal));
    return readResult(ctx, { gateway, subject: attempt.id, isNew: false }, result);
  });

export const findGateway = (
  ctx: PaymentContext,
  id: string,
  livemode: boolean,
): PaymentGateway | null =>
  ctx.gateways.find((gateway) => gateway.id === id && gateway.livemode === livemode) ?? null;
