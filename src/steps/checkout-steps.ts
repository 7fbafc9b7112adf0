import type {
  Hold,
  HoldRelease,
  HoldReleased,
  HoldResult,
} from "../rules/checkout/hold-commands.ts";
import {
  decideSessionChange,
  type SessionChange,
  type SessionChangeResult,
} from "../rules/checkout/session-change.ts";
import { decideHold, decideHoldRelease } from "../rules/checkout/session-hold.ts";
import { withMessage } from "../rules/orders/order-changes.ts";
import { decideClosing } from "../rules/orders/order-closing.ts";
import type {
  Closing,
  ClosingResult,
  Completion,
  CompletionResult,
  PaymentApplication,
  PaymentApplied,
  Submission,
  SubmissionResult,
} from "../rules/orders/order-commands.ts";
import { decideCompletion } from "../rules/orders/order-completion.ts";
import { decideSubmission } from "../rules/orders/order-submission.ts";
import { decidePayment } from "../rules/payments/order-payment.ts";
import type { Partition } from "../rules/records.ts";
import type { SessionSubject, StepStore } from "../storage/step-store.ts";
import { runStep } from "./run-step.ts";
import { ofPeriod } from "./subscription-steps.ts";

interface SessionCommand extends Partition {
  readonly session_id: string | null;
}

/** Names the session of a command, with what the step reads besides. */
const session = (
  step: string,
  { store_id, livemode, session_id }: SessionCommand,
  reads: Partial<SessionSubject> = {},
): SessionSubject => ({ on: "session", step, store_id, livemode, session_id, ...reads });

/** Takes the goods of a session for a payment, and makes its order. */
export function submitSession(steps: StepStore, command: Submission): Promise<SubmissionResult> {
  const { buyer, ids, from_source } = command;
  const judges_products = from_source === undefined;
  const subject = { buyer, new_customer_id: ids.customer, judges_products };
  return runStep(steps, session("submitSession", command, subject), command, decideSubmission);
}

/** Applies a gateway's result to the attempt that it is about. */
export function applyPayment(
  steps: StepStore,
  command: PaymentApplication,
): Promise<PaymentApplied> {
  const { result, now } = command;
  const reference = result.payment_reference ?? result.reference;
  const message = command.message ? { ...command.message, now } : null;
  const { renews } = command;
  const subject = renews
    ? ofPeriod("applyPayment", { ...command, ...renews }, { reference, message })
    : session("applyPayment", command, { reference, message });
  return runStep(steps, subject, command, (found, timed) => {
    const isKnown = found.attempts.some(({ id }) => id === command.attempt_id);
    const report = { ...timed, result: inModeTime(result, found.offset) };
    const decision = decidePayment(found, report, found.message_seen);
    return isKnown ? withMessage(decision, message, found) : decision;
  });
}

type Reported = PaymentApplication["result"];

/** The provider tells real times: when its payment ends, and when its code does. */
function inModeTime(result: Reported, offset: number): Reported {
  const { expires_at, next_action: action } = result;
  const ends = expires_at === null ? null : expires_at + offset;
  if (action?.type !== "qr_code" || action.expires_at === null)
    return { ...result, expires_at: ends };
  const next_action = { ...action, expires_at: action.expires_at + offset };
  return { ...result, expires_at: ends, next_action };
}

/** Changes an open session, and finishes the idempotency key of the change. */
export function changeSession(
  steps: StepStore,
  command: SessionChange,
): Promise<SessionChangeResult> {
  const { changed, keyed, new_customer_id } = command;
  const subject = { goods_of: changed, new_customer_id, ...(keyed && { key: keyed.scope }) };
  return runStep(steps, session("changeSession", command, subject), command, decideSessionChange);
}

/** Books what the host's own code says of the payment of a session. */
export function completeSession(steps: StepStore, command: Completion): Promise<CompletionResult> {
  const { buyer, ids, reference } = command;
  const subject = { buyer, new_customer_id: ids.customer, reference };
  return runStep(steps, session("completeSession", command, subject), command, decideCompletion);
}

/** Ends a session that nobody pays, because the buyer canceled or its time is over. */
export const closeSession = (steps: StepStore, command: Closing): Promise<ClosingResult> =>
  runStep(steps, session("closeSession", command), command, decideClosing);

/** Holds the goods of a session before it is paid. */
export function holdSession(steps: StepStore, command: Hold): Promise<HoldResult> {
  const { new_customer_id, address, from_source } = command;
  const subject = { new_customer_id, address, judges_products: from_source === undefined };
  return runStep(steps, session("holdSession", command, subject), command, decideHold);
}

/** Releases the goods that a session holds. `ended_by` is a real time. */
export const releaseHold = (steps: StepStore, command: HoldRelease): Promise<HoldReleased> =>
  steps.step(session("releaseHold", command), (found) => {
    const { ended_by: ended } = command;
    const ended_by = ended === null ? null : ended + found.offset;
    return decideHoldRelease(found, { ...command, ended_by });
  });
