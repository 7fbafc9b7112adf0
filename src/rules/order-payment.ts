import { orderAlert } from "./order-alert.ts";
import { hasOtherInFlight, isOpen } from "./order-attempt.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { PaymentApplication, PaymentApplied } from "./order-commands.ts";
import { stayOpen } from "./order-doubt.ts";
import { isPaid } from "./order-record.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import { failOrder, noteDuplicate, payOrder } from "./order-transitions.ts";
import type { AttemptRecord } from "./payment-records.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";

/** What every rule below reads. `noted` is the attempt with the facts that the gateway told. */
interface Subject {
  readonly session: SessionRecord;
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
  readonly noted: AttemptRecord;
}

/**
 * A gateway tells of an attempt, and it does not matter who brings the news. With
 * `notification_seen` the same notification came before, and nothing changes.
 */
export function decidePayment(
  snapshot: OrderSnapshot,
  command: PaymentApplication,
  notification_seen = false,
): Decision<PaymentApplied> {
  const { session, order, attempts } = snapshot;
  const { result } = command;
  const attempt = attempts.find(({ id }) => id === command.attempt_id);
  if (!session || !order || !attempt) return withoutChanges({ outcome: "unknown_attempt" });

  const { state } = attempt;
  const hasSucceeded = state === "succeeded" || state === "duplicate" || state === "returned";
  if (notification_seen || hasSucceeded)
    return withoutChanges({ outcome: "unchanged", order, attempt });

  const noted = noteFacts(attempt, command);
  const subject: Subject = { session, order, attempt, noted };
  if (result.status === "pending" || result.status === "unknown")
    return isOpen(attempt)
      ? stayOpen(snapshot, subject, command)
      : withoutChanges({ outcome: "unchanged", order, attempt });
  if (result.status === "failed") return applyFailure(snapshot, subject, command);
  return applySuccess(snapshot, subject, command);
}

const noteFacts = (attempt: AttemptRecord, { result, now }: PaymentApplication): AttemptRecord => ({
  ...attempt,
  reference: result.reference ?? attempt.reference,
  payment_reference: result.payment_reference ?? attempt.payment_reference,
  next_action: result.next_action ?? attempt.next_action,
  expires_at: result.expires_at ?? attempt.expires_at,
  updated_at: now,
});

function applyFailure(
  snapshot: OrderSnapshot,
  { order, attempt, noted }: Subject,
  { result, ids, now }: PaymentApplication,
): Decision<PaymentApplied> {
  if (attempt.state === "failed") return withoutChanges({ outcome: "unchanged", order, attempt });

  const code = result.failure_code ?? "declined";
  const failed: AttemptRecord = { ...noted, state: "failed", failure_code: code, check_at: null };
  if (order.status !== "pending" || hasOtherInFlight(snapshot.attempts, failed))
    return {
      result: { outcome: "unchanged", order, attempt: failed },
      changes: orderChanges({ order, attempts: [failed] }),
    };

  const failure = failOrder(snapshot, { order, code, attempts: [failed], ids, now });
  return {
    result: { outcome: "failed", order: failure.order, attempt: failed },
    changes: failure.changes,
  };
}

function applySuccess(
  snapshot: OrderSnapshot,
  subject: Subject,
  command: PaymentApplication,
): Decision<PaymentApplied> {
  const { session, order, noted } = subject;
  const { result, ids, now, external_stock } = command;
  if (result.amount !== order.amount_total || result.currency !== order.currency)
    return noteMismatch(snapshot, subject, command);
  if (isPaid(order.status))
    return noteDuplicate({ order, attempt: { ...noted, check_at: now }, ids, now });

  const attempt: AttemptRecord = {
    ...noted,
    state: "succeeded",
    failure_code: null,
    check_at: null,
  };
  const paid = payOrder(snapshot, { order, session, attempt, ids, now, external_stock });
  return { result: { outcome: "paid", order: paid.order, attempt }, changes: paid.changes };
}

/**
 * Another amount than the order's was paid. The order is not paid by it, and the owner is told. The
 * gateway is still asked: the owner may have the payment put right at the provider.
 */
function noteMismatch(
  snapshot: OrderSnapshot,
  subject: Subject,
  command: PaymentApplication,
): Decision<PaymentApplied> {
  const { result, ids, now } = command;
  const noted: AttemptRecord = {
    ...subject.noted,
    received_amount: result.amount,
    received_currency: result.currency,
  };
  const open = isOpen(noted) ? stayOpen(snapshot, { ...subject, noted }, command) : null;
  const { order, attempt } = open?.result ?? { order: subject.order, attempt: noted };

  const changes = open?.changes ?? orderChanges({ order, attempts: [noted] });
  const alert = orderAlert(order, {
    id: ids.alerts[1],
    type: "payment_mismatch",
    subject: attempt.id,
    data: { reference: attempt.reference },
    now,
  });
  return {
    result: { outcome: "mismatch", order, attempt },
    changes: { ...changes, alerts: [...changes.alerts, alert] },
  };
}
