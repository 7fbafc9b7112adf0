import type {
  Hold,
  HoldRelease,
  HoldReleased,
  HoldResult,
} from "../rules/checkout/hold-commands.ts";
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
  return steps.step(session("submitSession", command, subject), (found) =>
    decideSubmission(found, command),
  );
}

/** Applies a gateway's result to the attempt that it is about. */
export function applyPayment(
  steps: StepStore,
  command: PaymentApplication,
): Promise<PaymentApplied> {
  const { result, now } = command;
  const reference = result.payment_reference ?? result.reference;
  const message = command.message ? { ...command.message, now } : null;
  return steps.step(session("applyPayment", command, { reference, message }), (found) => {
    const isKnown = found.attempts.some(({ id }) => id === command.attempt_id);
    const decision = decidePayment(found, command, found.message_seen);
    return isKnown ? withMessage(decision, message, found) : decision;
  });
}

/** Books what the host's own code says of the payment of a session. */
export function completeSession(steps: StepStore, command: Completion): Promise<CompletionResult> {
  const { buyer, ids, reference } = command;
  const subject = { buyer, new_customer_id: ids.customer, reference };
  return steps.step(session("completeSession", command, subject), (found) =>
    decideCompletion(found, command),
  );
}

/** Ends a session that nobody pays, because the buyer canceled or its time is over. */
export const closeSession = (steps: StepStore, command: Closing): Promise<ClosingResult> =>
  steps.step(session("closeSession", command), (found) => decideClosing(found, command));

/** Holds the goods of a session before it is paid. */
export function holdSession(steps: StepStore, command: Hold): Promise<HoldResult> {
  const { new_customer_id, address, from_source } = command;
  const subject = { new_customer_id, address, judges_products: from_source === undefined };
  return steps.step(session("holdSession", command, subject), (found) =>
    decideHold(found, command),
  );
}

/** Releases the goods that a session holds. */
export const releaseHold = (steps: StepStore, command: HoldRelease): Promise<HoldReleased> =>
  steps.step(session("releaseHold", command), (found) => decideHoldRelease(found, command));
