import { madeAt } from "../../rules/clock/mode-clock.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { PaymentContext } from "../context.ts";
import type { PaymentGateway, PaymentQuery } from "./gateway.ts";
import type { PaymentResult } from "./gateway-results.ts";
import { readResult } from "./read-result.ts";
import { callGateway } from "./running-calls.ts";

/**
 * Holds the gateway's answer. Null means that it did not answer, so that the result
 * is unknown.
 */
export type GatewayAnswer<T> = { readonly value: T } | null;

export interface GatewayQuestion<T> {
  /** The id of the payment or refund, for reports of errors. */
  readonly subject: string;
  readonly ask: (signal: AbortSignal) => Promise<T>;
  /** Takes the answer of a call that lasted longer than its caller waits. */
  readonly takeLate?: (answer: GatewayAnswer<T>) => Promise<void>;
}

/**
 * Calls the gateway. It returns null after an exception, or when there is no answer
 * within 30 s: the result is unknown then, because the money may have moved.
 */
export async function askGateway<T>(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  { subject, ask, takeLate }: GatewayQuestion<T>,
): Promise<GatewayAnswer<T>> {
  const report = (error: unknown): null => {
    ctx.onError(error, `gateway:${gateway.id}:${subject}`);
    return null;
  };

  try {
    const value = await callGateway(ctx.calls, {
      gateway_id: gateway.id,
      ask,
      async takeLate(answer, error) {
        if (!answer) report(error);
        await Promise.resolve(takeLate?.(answer)).catch(report);
      },
    });
    return { value };
  } catch (error) {
    return report(error);
  }
}

/** Names a payment to its gateway. */
export const paymentQuery = async (
  { clock }: PaymentContext,
  attempt: AttemptRecord,
  signal: AbortSignal,
): Promise<PaymentQuery> => ({
  id: attempt.id,
  store_id: attempt.store_id,
  account: attempt.account,
  reference: attempt.reference,
  payment_reference: attempt.payment_reference,
  created_at: madeAt(await clock.of(attempt), ["pay", attempt.id], attempt.created_at),
  signal,
});

/**
 * Asks for the state of a payment. `value` is null when the gateway has no record
 * of it.
 */
export const lookUpPayment = (
  ctx: PaymentContext,
  gateway: PaymentGateway,
  attempt: AttemptRecord,
  takeLate?: GatewayQuestion<PaymentResult | null>["takeLate"],
): Promise<GatewayAnswer<PaymentResult | null>> =>
  askGateway(ctx, gateway, {
    subject: attempt.id,
    ask: async (signal) => {
      const query = await paymentQuery(ctx, attempt, signal);
      const result = (await gateway.getPayment?.(query)) ?? null;
      return readResult(ctx, { gateway, subject: attempt.id, isNew: false }, result);
    },
    ...(takeLate && { takeLate }),
  });
