import { orderAlert } from "../orders/order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { PaymentApplication, PaymentApplied } from "../orders/order-commands.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { awaitsPayment, isPaid } from "../orders/order-states.ts";
import { failOrder, noteDuplicate, payOrder } from "../orders/order-transitions.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import { followFailure, payPeriod } from "../subscriptions/period-payment.ts";
import { noteFee } from "./fees/note-fee.ts";
import { hasOtherInFlight, isOpen } from "./order-attempt.ts";
import {
  carries,
  hasMoney,
  isKnownMoney,
  isSameAccount,
  newestCarrier,
  newMoney,
  withReceived,
  withReturnPlanned,
} from "./order-money.ts";
import type { AttemptRecord } from "./payment-records.ts";
import { stayOpen } from "./unknown-attempt.ts";

/** Every rule below reads this. `noted` is the attempt with the facts that the gateway told. */
interface Subject {
  /** Null for the charge of a renewal, which has a subscription in its place. */
  readonly session: SessionRecord | null;
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
  readonly noted: AttemptRecord;
}

/**
 * Decides a gateway's report about an attempt. It does not matter who brings the
 * report. With `notification_seen` the same notification came before, and nothing
 * changes.
 */
export function decidePayment(
  snapshot: OrderSnapshot,
  command: PaymentApplication,
  notification_seen = false,
): Decision<PaymentApplied> {
  const { session, order, attempts, subscription } = snapshot;
  const { result, now } = command;
  const named = attempts.find(({ id }) => id === command.attempt_id);
  if ((!session && !subscription) || !order || !named)
    return withoutChanges({ outcome: "unknown_attempt" });

  const attempt = newestCarrier(attempts, named, result.reference);
  if (notification_seen) return withoutChanges({ outcome: "unchanged", order, attempt });

  const noted = noteFacts(attempt, command);
  const subject: Subject = { session, order, attempt, noted };
  const decision = noteFee(decideResult(snapshot, subject, command), attempt, command);
  const followed = followFailure(decision, snapshot, command);
  return endReplaced(followed, { snapshot, order, noted, now });
}

/**
 * Notes the facts. What was asked for keeps its first reference, because later
 * money may still come for it.
 */
const noteFacts = (attempt: AttemptRecord, { result, now }: PaymentApplication): AttemptRecord => ({
  ...attempt,
  reference: attempt.reference ?? result.reference,
  next_action: result.next_action ?? attempt.next_action,
  expires_at: result.expires_at ?? attempt.expires_at,
  updated_at: now,
});

function decideResult(
  snapshot: OrderSnapshot,
  subject: Subject,
  command: PaymentApplication,
): Decision<PaymentApplied> {
  const { order, attempt } = subject;
  const { status } = command.result;
  if (status === "succeeded") return applySuccess(snapshot, subject, command);
  if (hasMoney(attempt)) return withoutChanges({ outcome: "unchanged", order, attempt });
  if (status === "failed") return applyFailure(snapshot, subject, command);
  if (!isOpen(attempt)) return withoutChanges({ outcome: "unchanged", order, attempt });

  const { noted } = subject;
  const { payment_reference } = command.result;
  const named = { ...noted, payment_reference: noted.payment_reference ?? payment_reference };
  return stayOpen(snapshot, { ...subject, noted: named }, command);
}

interface Replacement {
  readonly snapshot: OrderSnapshot;
  readonly order: OrderRecord;
  readonly noted: AttemptRecord;
  readonly now: number;
}

/**
 * Ends older attempts that wait for the same reference, because the newest one
 * waits for it now.
 */
function endReplaced(
  { result, changes }: Decision<PaymentApplied>,
  { snapshot, order, noted, now }: Replacement,
): Decision<PaymentApplied> {
  const isReplaced = (attempt: AttemptRecord): boolean =>
    attempt.created_at < noted.created_at &&
    (attempt.state === "in_flight" || attempt.state === "unknown") &&
    isSameAccount(attempt, noted) &&
    attempt.reference !== null &&
    carries(noted, attempt.reference);

  const replaced = snapshot.attempts.filter(isReplaced).map(
    (attempt): AttemptRecord => ({
      ...attempt,
      state: "failed",
      failure_code: "replaced",
      check_at: null,
      updated_at: now,
    }),
  );
  if (replaced.length === 0) return { result, changes };

  const written = changes ?? orderChanges({ order });
  // The payment of the order ends the attempts in flight too: each is written once.
  const others = written.attempts.filter(({ id }) => !replaced.some((older) => older.id === id));
  return { result, changes: { ...written, attempts: [...replaced, ...others] } };
}

function applyFailure(
  snapshot: OrderSnapshot,
  { order, attempt, noted }: Subject,
  { result, ids, now }: PaymentApplication,
): Decision<PaymentApplied> {
  if (attempt.state === "failed") return withoutChanges({ outcome: "unchanged", order, attempt });

  const code = result.failure_code ?? "declined";
  const failed: AttemptRecord = {
    ...noted,
    state: "failed",
    failure_code: code,
    ...(result.decline_code !== undefined && { decline_code: result.decline_code }),
    check_at: null,
  };
  if (!awaitsPayment(order.status) || hasOtherInFlight(snapshot.attempts, failed))
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
  const { session, order, attempt, noted } = subject;
  const { result, ids, now, external_stock } = command;
  // A success without any reference, as a gateway in plain JavaScript may give it, is one payment.
  const reference = result.payment_reference ?? result.reference ?? attempt.id;
  if (isKnownMoney(snapshot, attempt, reference)) return keepWaiting(snapshot, subject, command);
  if (isUnnamedMoney(attempt, command)) return nameMoney(snapshot, subject, reference);

  const { amount, currency } = result;
  const received = { reference, amount, currency, now };
  const paidAttempt: AttemptRecord = {
    ...withReceived(noted, received),
    state: hasMoney(attempt) ? attempt.state : "succeeded",
    failure_code: null,
    check_at: null,
  };
  // A trial is begun by a means of payment that is kept, and no money comes.
  const isKept = order.amount_total === 0 && amount === 0;
  if (isPaid(order.status)) {
    if (isKept)
      return {
        result: { outcome: "unchanged", order, attempt: paidAttempt },
        changes: orderChanges({ order, attempts: [paidAttempt] }),
      };
    const money = newMoney(snapshot, attempt, received, "duplicate");
    const planned = command.returns_duplicates ? withReturnPlanned(money) : money;
    const isFirst = !hasMoney(attempt);
    return noteDuplicate({ order, attempt: paidAttempt, isFirst, money: planned, ids });
  }
  if (amount !== order.amount_total || currency !== order.currency)
    return noteMismatch(snapshot, subject, { command, reference });

  const money = isKept ? null : newMoney(snapshot, attempt, received, "booked");
  const { subscription } = snapshot;
  if (!session)
    return subscription && money
      ? payPeriod(snapshot, { subscription, order, attempt: paidAttempt, money }, command)
      : withoutChanges({ outcome: "unknown_attempt" });

  const { saved } = command;
  const payment = { order, session, attempt: paidAttempt, money, ids, now, external_stock, saved };
  const paid = payOrder(snapshot, payment);
  return {
    result: { outcome: "paid", order: paid.order, attempt: paidAttempt },
    changes: paid.changes,
  };
}

/**
 * Keeps an attempt whose money already counts, for this attempt or another one. An
 * open attempt still waits until its time is over, so that its order does not hold
 * goods for ever.
 */
function keepWaiting(
  snapshot: OrderSnapshot,
  subject: Subject,
  command: PaymentApplication,
): Decision<PaymentApplied> {
  const { order, attempt } = subject;
  if (!isOpen(attempt)) return withoutChanges({ outcome: "unchanged", order, attempt });

  const noted = { ...attempt, updated_at: command.now };
  return stayOpen(snapshot, { ...subject, noted }, command);
}

interface MoneyReport {
  readonly command: PaymentApplication;
  /** The provider's id of the money. */
  readonly reference: string;
}

/** Tells whether the attempt's money was reported before without the id that it is named by now. */
const isUnnamedMoney = (attempt: AttemptRecord, { result }: PaymentApplication): boolean =>
  hasMoney(attempt) && attempt.payment_reference === null && attempt.reference === result.reference;

function nameMoney(
  { payments }: OrderSnapshot,
  { order, attempt, noted }: Subject,
  payment_reference: string,
): Decision<PaymentApplied> {
  const named: AttemptRecord = { ...noted, payment_reference };
  const money = payments.filter(
    (payment) =>
      payment.attempt_id === attempt.id && payment.payment_reference === attempt.reference,
  );
  return {
    result: { outcome: "unchanged", order, attempt: named },
    changes: orderChanges({
      order,
      attempts: [named],
      payments: money.map((payment) => ({ ...payment, payment_reference })),
    }),
  };
}

/**
 * Notes that another amount than the order's was paid. The money is kept without
 * paying the order, and the owner is told. The gateway is still asked, because the
 * owner may have the payment corrected at the provider.
 */
function noteMismatch(
  snapshot: OrderSnapshot,
  subject: Subject,
  { command, reference }: MoneyReport,
): Decision<PaymentApplied> {
  const { result, ids, now } = command;
  const { amount, currency } = result;
  const noted: AttemptRecord = {
    ...subject.noted,
    received_amount: amount,
    received_currency: currency,
  };
  const open = isOpen(noted) ? stayOpen(snapshot, { ...subject, noted }, command) : null;
  const { order, attempt } = open?.result ?? { order: subject.order, attempt: noted };
  const received = { reference, amount, currency, now };
  const money = newMoney(snapshot, subject.attempt, received, "unapplied");

  const changes = open?.changes ?? orderChanges({ order, attempts: [noted] });
  const alert = orderAlert(order, {
    id: ids.alerts[1],
    type: "payment_mismatch",
    subject: attempt.id,
    data: { reference, amount, currency },
    now,
  });
  return {
    result: { outcome: "mismatch", order, attempt },
    changes: { ...changes, payments: [money], alerts: [...changes.alerts, alert] },
  };
}
