import type { FailureCode } from "../../contract/schemas.ts";
import { attemptTime, hasOtherInFlight, hostAttempt } from "../payments/order-attempt.ts";
import { carries, findByReference, hasMoney, newMoney } from "../payments/order-money.ts";
import type { AttemptRecord } from "../payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { Completion, CompletionResult } from "./order-commands.ts";
import { customerOf } from "./order-customer.ts";
import { EventDrafts } from "./order-events.ts";
import { newOrder } from "./order-record.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import { awaitsPayment, isPaid } from "./order-states.ts";
import { failOrder, noteDuplicate, payOrder } from "./order-transitions.ts";

/** Decides `checkout.complete`. The money is there already, so only a wrong amount refuses it. */
export function decideCompletion(
  snapshot: OrderSnapshot,
  command: Completion,
): Decision<CompletionResult> {
  const { session, attempts, order, elsewhere } = snapshot;
  const { ids, now, external_stock, settled_later, short_at_source } = command;
  if (!session) return withoutChanges({ outcome: "unknown_session" });

  const known = findKnown(snapshot, command);
  if (order && isRepeat(snapshot, known, command))
    return withoutChanges({ outcome: "unchanged", order });
  if (elsewhere.length > 0) return withoutChanges({ outcome: "reference_taken" });
  if (command.amount !== session.amount_total || command.currency !== session.currency)
    return withoutChanges({ outcome: "mismatch", order });

  const base = completedOrder(order, session, command);
  const failure_code = command.status === "paid" ? null : (command.failure_code ?? "declined");
  const attempt = settledAttempt(base, known, { attempts, command, failure_code });

  if (failure_code !== null) {
    const failure = { order: base, attempt, code: failure_code };
    return order
      ? failKnownOrder({ ...snapshot, order }, failure, command)
      : failNewOrder(session, failure, command);
  }

  const { reference, amount, currency } = command;
  const received = { reference, amount, currency, now };
  if (order && isPaid(order.status)) {
    const money = newMoney(snapshot, attempt, received, "duplicate");
    return noteDuplicate({ order, attempt, isFirst: true, money, ids });
  }

  const money = newMoney(snapshot, attempt, received, "booked");
  const reported = { order: base, session, attempt, money, ids, now };
  const payment = { ...reported, external_stock, settled_later, short_at_source };
  const paid = payOrder(snapshot, payment);
  return { result: { outcome: "paid", order: paid.order }, changes: paid.changes };
}

/**
 * Finds the attempt of the same call, or the one of any gateway that carries the
 * reference. Money of another amount has a reference that its attempt may not
 * carry.
 */
function findKnown(
  { attempts, payments }: OrderSnapshot,
  { attempt_id, reference }: Completion,
): AttemptRecord | null {
  const money = findByReference(payments, reference);
  return (
    attempts.find(({ id }) => id === attempt_id) ??
    attempts.findLast((attempt) => carries(attempt, reference)) ??
    attempts.find(({ id }) => id === money?.attempt_id) ??
    null
  );
}

/**
 * Tells whether the call brings nothing new: the money has come, or the attempt has
 * failed before.
 */
function isRepeat(
  { payments }: OrderSnapshot,
  known: AttemptRecord | null,
  { reference, status }: Completion,
): boolean {
  const money = findByReference(payments, reference);
  if (money && money.state !== "unapplied") return true;
  if (!known) return false;
  return hasMoney(known) || (known.state === "failed" && status === "failed");
}

/**
 * Gives the attempt as the host reports it. A reference that a gateway's attempt
 * waits for settles that attempt: the money that comes for it is this money.
 */
function settledAttempt(
  order: OrderRecord,
  known: AttemptRecord | null,
  { attempts, command, failure_code }: HostReport,
): AttemptRecord {
  const { reference, now } = command;
  const id = known?.id ?? command.attempt_id;
  const reported = hostAttempt(order, { id, reference, failure_code, now });
  if (!known) return { ...reported, created_at: attemptTime(attempts, now) };

  const { state, received_amount, received_currency } = reported;
  return {
    ...known,
    state,
    failure_code,
    received_amount,
    received_currency,
    check_at: null,
    updated_at: now,
  };
}

interface HostReport {
  readonly attempts: readonly AttemptRecord[];
  readonly command: Completion;
  /** Null means that the payment succeeded. */
  readonly failure_code: FailureCode | null;
}

/** Gives the session's order with what the host tells of it. It is new when there was none. */
function completedOrder(
  order: OrderRecord | null,
  session: SessionRecord,
  { ids, buyer, now, payment_method_type }: Completion,
): OrderRecord {
  if (!order) return { ...newOrder(session, ids, buyer, now), payment_method_type };
  return {
    ...order,
    customer: customerOf(session, order, buyer, ids.customer),
    payment_method_type: payment_method_type ?? order.payment_method_type,
  };
}

interface HostFailure {
  /** The order with what the host tells of it. */
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
  readonly code: FailureCode;
}

function failKnownOrder(
  snapshot: OrderSnapshot & { readonly order: OrderRecord },
  { order: base, attempt, code }: HostFailure,
  { ids, now, settled_later }: Completion,
): Decision<CompletionResult> {
  const { order, attempts } = snapshot;
  if (!awaitsPayment(order.status) || hasOtherInFlight(attempts, attempt))
    return {
      result: { outcome: "unchanged", order },
      changes: orderChanges({ order, attempts: [attempt] }),
    };

  const failure = { order: base, code, attempts: [attempt], ids, now, settled_later };
  const failed = failOrder(snapshot, failure);
  return { result: { outcome: "failed", order: failed.order }, changes: failed.changes };
}

/** Creates the order and fails it in one step, because the session's first payment failed. */
function failNewOrder(
  session: SessionRecord,
  { order: base, attempt, code }: HostFailure,
  { ids, now }: Completion,
): Decision<CompletionResult> {
  if (now >= session.expires_at) return withoutChanges({ outcome: "session_expired" });

  const order: OrderRecord = { ...base, status: "failed", failure_code: code, sweep_at: null };
  const events = new EventDrafts(ids.events, now);
  events.order("order.created", { ...base, status: "pending" }, null);
  events.order("order.failed", order, "pending");
  return {
    result: { outcome: "failed", order },
    changes: orderChanges({ order, attempts: [attempt], events: events.list }),
  };
}
