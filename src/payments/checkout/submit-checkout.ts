import { fail } from "../../contract/errors.ts";
import { timeBox } from "../../domain/async/time-box.ts";
import { dayMs, hourMs } from "../../domain/durations.ts";
import { check } from "../../input/check.ts";
import { versionOf } from "../../rules/checkout/session-version.ts";
import type { Submission, SubmissionResult } from "../../rules/orders/order-commands.ts";
import { isPaid } from "../../rules/orders/order-states.ts";
import { isInFlight } from "../../rules/payments/order-attempt.ts";
import type { Partition } from "../../rules/records.ts";
import { trialDays } from "../../rules/subscriptions/trial.ts";
import { submitSession } from "../../steps/checkout-steps.ts";
import { applyPaymentResult, unknownResult } from "../apply-payment.ts";
import { endPayment } from "../cancel-payment.ts";
import { chargePayment } from "../charge.ts";
import {
  hasExternalStock,
  orderIds,
  type PaymentContext,
  settleExternalStock,
  tellStep,
} from "../context.ts";
import { findAccount } from "../gateway/payment-request.ts";
import { SubmitInput } from "../inputs.ts";
import { readKnownBuyer } from "../tokens/known-buyer.ts";
import type { SubmitResult } from "./checkout-service.ts";
import { findCheckout, submitResult } from "./checkout-view.ts";
import { choosePayment, isRecurring } from "./payment-choice.ts";
import type { SourceGoods } from "./source-stock.ts";
import { keepForPayment, reserveSubmission } from "./submission-stock.ts";

/** An order waits for the result of its payment for this long. */
const attemptLifetimeMs = { instant: hourMs, delayed: 3 * dayMs } as const;

export async function submitCheckout(
  ctx: PaymentContext,
  token: string,
  input: SubmitInput,
): Promise<SubmitResult> {
  const checked = check(SubmitInput, input);
  const { session, order: earlier, partition } = await findCheckout(ctx, token);
  if (checked.ip != null) await ctx.limitPayment(partition, checked.ip);

  const choice = await choosePayment(ctx, session, checked.payment_method_id ?? null);
  const isTrial = trialDays(session) !== null;
  if (isTrial && checked.consent == null)
    return fail("parameter_missing", {
      param: "consent",
      message: "consent is required: a trial keeps the means of payment.",
    });
  const account = choice ? await findAccount(ctx, choice.gateway, partition.store_id) : null;

  const { now } = await ctx.clock.of(partition);
  const attempt_id = ctx.newId("pay");
  const submitted = await submitReserved(
    ctx,
    { session, order: earlier },
    {
      ...partition,
      session_id: session.id,
      seen_version: checked.session_version ?? versionOf(session),
      ids: orderIds(ctx, session),
      now: ctx.now(),
      external_stock: hasExternalStock(ctx),
      buyer: await readKnownBuyer(ctx, partition, checked.customer),
      payment_method_type: choice?.method.type ?? null,
      leaves_element: checked.on_page === false && choice?.gateway.element !== undefined,
      attempt: {
        id: attempt_id,
        gateway: choice?.gateway.id ?? "none",
        account,
        method_id: choice?.method.id ?? null,
        idempotency_key: checked.idempotency_key ?? null,
        expires_at: now + attemptLifetimeMs[choice?.method.settlement ?? "instant"],
        // Nothing is kept of a single purchase.
        ...(checked.consent != null && isRecurring(session) && { consent: checked.consent }),
      },
    },
  ).catch(async (error: unknown) => {
    const lost = endLost(ctx, { ...partition, session_id: session.id, attempt_id });
    await timeBox(lost, endLostWithinMs, () => undefined);
    throw error;
  });
  if (isRefused(submitted)) {
    const isUsed = isTrial && submitted.outcome === "coupon_invalid";
    return isUsed ? fail("trial_used") : refuseSubmission(submitted.outcome);
  }

  // A session whose total is zero is paid at its submission.
  const isFree = submitted.outcome === "submitted" && isPaid(submitted.order.status);
  if (isFree) tellStep(ctx, partition, { outcome: "paid", order: submitted.order });
  ctx.committed(partition);
  await settleExternalStock(ctx, submitted.order);
  if (submitted.outcome === "already_paid") return submitResult(session, submitted.order, null);

  const { outcome, order, attempt } = submitted;
  if (outcome !== "submitted" || !attempt || !choice) return submitResult(session, order, attempt);

  const given = checked.customer?.tax_id;
  const tax_id = typeof given === "string" ? given : null;
  const { input: given_input, on_page } = checked;
  const told = { input: given_input ?? {}, on_page: on_page === true, tax_id };
  const charge = { session, order, attempt, choice, ...told };
  const charged = await chargePayment(ctx, charge);
  if (charged) {
    const times = { asked: attempt, now: charged.attempt };
    await keepForPayment(ctx, { session, order: charged.order }, times);
  }
  return submitResult(session, charged?.order ?? order, charged?.attempt ?? attempt);
}

interface LostSubmission extends Partition {
  readonly session_id: string;
  readonly attempt_id: string;
}

/** The longest wait of a buyer for it. Maintenance does later what was not done then. */
const endLostWithinMs = 2_000;

/**
 * Ends the payment of a submission that was written although its answer was lost. This call alone
 * would have charged it, so nothing was charged.
 */
async function endLost(
  ctx: PaymentContext,
  { attempt_id, session_id, ...partition }: LostSubmission,
): Promise<void> {
  try {
    const { attempt } = (await ctx.storage.orders.findCheckout(partition, session_id)) ?? {};
    if (attempt?.id !== attempt_id || !isInFlight(attempt)) return;

    const failed = { ...unknownResult(attempt), status: "failed", failure_code: "error" } as const;
    await applyPaymentResult(ctx, attempt, failed);
  } catch (error) {
    ctx.onError(error, "checkout");
  }
}

/** A submission whose hold is lost reserves again this often. */
const maxTries = 3;

/**
 * Reserves the goods in the host's own catalog, where there is one, and writes the
 * submission. What no order took over is given back.
 */
async function submitReserved(
  ctx: PaymentContext,
  first: SourceGoods,
  submission: Submission,
): Promise<SubmissionResult> {
  let goods: SourceGoods = first;
  for (let tries = 1; ; tries += 1) {
    const reserved = await reserveSubmission(ctx, goods, submission.attempt);
    const { answer, needs_hold } = reserved;
    const command = { ...submission, ...answer, needs_hold, now: ctx.now() };
    const submitted = await submitOrSwitch(ctx, command);
    if (submitted.outcome !== "submitted") await reserved.release();
    if (submitted.outcome !== "hold_lost" || tries === maxTries) return submitted;

    goods = (await ctx.storage.orders.findCheckout(submission, submission.session_id)) ?? goods;
  }
}

/**
 * Writes the submission. A payment of another method in flight, or one
 * in an element that the buyer leaves, is canceled first.
 * The new one takes its place only when the gateway says that the old one is over.
 * Otherwise the answer tells how the old payment stands.
 */
async function submitOrSwitch(
  ctx: PaymentContext,
  submission: Submission,
): Promise<SubmissionResult> {
  const { orders } = ctx.storage;
  const first = await submitSession(orders, submission);
  if (first.outcome !== "to_cancel") return first;

  const { attempt } = first;
  const ended = await endPayment(ctx, attempt);
  if (!ended) {
    const found = await orders.findCheckout(submission, submission.session_id);
    return { ...first, order: found?.order ?? first.order, attempt: found?.attempt ?? attempt };
  }

  const { reference, failure_code = "canceled" } = ended;
  const replaces = { attempt_id: attempt.id, reference, failure_code };
  const second = await submitSession(orders, { ...submission, now: ctx.now(), replaces });
  // The old payment is over, although no new one may begin.
  if (isRefused(second)) await applyPaymentResult(ctx, attempt, ended);
  return second;
}

function refuseSubmission(outcome: RefusedSubmission["outcome"]): never {
  if (outcome === "hold_lost") return fail("service_unavailable", { retry_after: 1 });
  return fail(outcome === "unknown_session" ? "resource_not_found" : outcome);
}

type RefusedSubmission = Exclude<SubmissionResult, { readonly order: unknown }>;

const isRefused = (result: SubmissionResult): result is RefusedSubmission => !("order" in result);
