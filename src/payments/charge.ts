import type { AttemptRecord } from "../rules/payments/payment-records.ts";
import { callBeginsBy } from "../rules/payments/payment-schedule.ts";
import { type AppliedResult, applyPaymentResult, unknownResult } from "./apply-payment.ts";
import type { PaymentContext } from "./context.ts";
import type { PaymentGateway } from "./gateway/gateway.ts";
import { askGateway } from "./gateway/gateway-calls.ts";
import type { PaymentResult } from "./gateway/gateway-results.ts";
import { type Charge, paymentRequest } from "./gateway/payment-request.ts";
import { readResult } from "./gateway/read-result.ts";

/**
 * Has the gateway take the payment, and writes its answer. Null means that nobody
 * knows yet. An answer that comes late is written when it comes.
 */
export async function chargePayment(
  ctx: PaymentContext,
  charge: Charge,
): Promise<AppliedResult | null> {
  const { attempt, choice } = charge;
  const { gateway } = choice;
  const request = await paymentRequest(ctx, charge);

  // A process that slept in between must not charge: maintenance may have ended the attempt.
  if (ctx.now() > callBeginsBy(attempt)) return noteLoss(ctx, attempt);

  const { saveMethod } = gateway;
  // Only a trial has an attempt whose amount is 0.
  const take = attempt.amount === 0 && saveMethod ? saveMethod : gateway.createPayment;
  const answer = await sendCharge(ctx, { gateway, attempt }, (signal) =>
    take.call(gateway, { ...request, signal }),
  );
  return writeAnswer(ctx, attempt, answer);
}

/**
 * The answer to a charge. With `lost`, the call has ended and nobody knows its result. With
 * `running`, the call goes on, and its answer is written when it comes.
 */
export type ChargeAnswer = PaymentResult | "lost" | "running";

interface SentCharge {
  readonly gateway: PaymentGateway;
  readonly attempt: AttemptRecord;
}

/** Sends a charge to the gateway. An answer that comes late is written when it comes. */
export async function sendCharge(
  ctx: PaymentContext,
  { gateway, attempt }: SentCharge,
  send: (signal: AbortSignal) => Promise<PaymentResult>,
): Promise<ChargeAnswer> {
  let isRunning = true;
  const response = await askGateway(ctx, gateway, {
    subject: attempt.id,
    async ask(signal) {
      try {
        const result = await send(signal);
        reportRefusal(ctx, attempt, result);
        return readResult(ctx, { gateway, subject: attempt.id, isNew: true }, result);
      } finally {
        isRunning = false;
      }
    },
    async takeLate(answer) {
      await writeAnswer(ctx, attempt, answer?.value ?? "lost");
    },
  });
  return response?.value ?? (isRunning ? "running" : "lost");
}

/** Writes what became of a charge. Null means that nobody knows yet. */
export async function writeAnswer(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  answer: ChargeAnswer,
): Promise<AppliedResult | null> {
  if (answer === "running") return null;
  return answer === "lost" ? noteLoss(ctx, attempt) : applyPaymentResult(ctx, attempt, answer);
}

/**
 * Tells the host of a payment that fails by a fault of the host's own, e.g. a wrong
 * key.
 */
function reportRefusal(
  ctx: PaymentContext,
  { gateway, id }: AttemptRecord,
  { failure_code, failure_reason }: PaymentResult,
): void {
  if (failure_code !== "error" || failure_reason === undefined) return;
  const error = new Error(`Gateway ${gateway} refused the payment: ${failure_reason}`);
  ctx.onError(error, `gateway:${gateway}:${id}`);
}

/**
 * Writes that the call has ended and nobody knows its result. Maintenance asks for
 * it soon.
 */
const noteLoss = (ctx: PaymentContext, attempt: AttemptRecord): Promise<AppliedResult> =>
  applyPaymentResult(ctx, attempt, unknownResult(attempt), { ends_call: true });
