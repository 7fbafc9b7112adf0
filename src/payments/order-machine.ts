import type { Cancellation, Completion, PaymentApplication, Submission } from "../storage/order-store.ts";
import type { AttemptRecord, OrderRecord, SessionRecord } from "../storage/records.ts";
import {
  alert,
  completeSessionRecord,
  couponOf,
  customerOf,
  type Decision,
  eventWriter,
  isPaid,
  newOrder,
  nothing,
  type OrderChanges,
  onlyAttempt,
  paidOrder,
  refuseHolds,
  type Snapshot,
  stockOf,
} from "./order-parts.ts";
import { failOrder, payOrder } from "./order-transitions.ts";

// The transitions of CONTRACT 6 as pure functions: a snapshot that the storage has locked goes in, the outcome and all that is to be written
// comes out. Storage keeps the guards in its statements; nothing here reads or writes.

export type SubmissionOutcome =
  | "submitted"
  | "attempted"
  | "already_paid"
  | "unknown_session"
  | "session_expired"
  | "session_not_open"
  | "insufficient_stock"
  | "coupon_invalid";

export function decideSubmission(snapshot: Snapshot, command: Submission): Decision<SubmissionOutcome> {
  const { session, order, attempts } = snapshot;
  if (!session) return nothing("unknown_session");
  // A step repeated after a lost acknowledgement gives the first answer; the gateway takes it once, by the attempt's id.
  const own = attempts.find((attempt) => attempt.id === command.attempt.id);
  if (order && own) return nothing(own.state === "in_flight" ? "submitted" : "attempted", snapshot, own);
  const { idempotency_key } = command.attempt;
  const sameKey = idempotency_key === null ? undefined : attempts.find((attempt) => attempt.idempotency_key === idempotency_key);
  if (order && sameKey) return nothing("attempted", snapshot, sameKey);
  if (order && isPaid(order.status)) return nothing("already_paid", snapshot);
  const inFlight = attempts.find((attempt) => attempt.state === "in_flight");
  if (order && inFlight) return nothing("attempted", snapshot, inFlight);
  if (session.status === "complete") return nothing("session_not_open", snapshot);
  if (command.now >= session.expires_at) return nothing("session_expired", snapshot);

  const draft = order
    ? { ...order, customer: customerOf(session, order, command.buyer, command.ids.customer) }
    : newOrder(session, command.ids, command.buyer, command.now);
  const taking = order?.holds !== "held";
  if (taking) {
    const refusal = refuseHolds(snapshot, session, command.now);
    if (refusal) return nothing(refusal, snapshot);
  }
  const free = session.amount_total === 0;
  const events = eventWriter(command.ids.events, command.now);
  const pending: OrderRecord = {
    ...draft,
    status: "pending",
    failure_code: null,
    holds: "held",
    payment_method_type: command.payment_method_type,
    coupon_key: taking ? (snapshot.coupon?.customer_key ?? null) : draft.coupon_key,
    updated_at: command.now,
  };
  if (!order) events.order("order.created", pending, null);
  const held: Omit<OrderChanges, "session" | "order" | "attempts" | "events" | "alerts"> = taking
    ? { stock: stockOf(session, 0, 1, true), coupon: couponOf(pending, 1, true) }
    : { stock: [], coupon: null };

  if (free) {
    const paid = paidOrder(pending, command.now);
    const complete = completeSessionRecord(session);
    events.order("order.paid", paid, "pending");
    events.completed(complete, command.checkout_url, paid);
    const stock = taking ? stockOf(session, -1, 0, true) : stockOf(session, -1, -1, false);
    return {
      outcome: "submitted",
      order: paid,
      attempt: null,
      changes: { ...held, stock, session: complete, order: paid, attempts: [], events: events.drafts, alerts: [] },
    };
  }
  const attempt: AttemptRecord = {
    store_id: session.store_id,
    livemode: session.livemode,
    ...command.attempt,
    order_id: pending.id,
    session_id: session.id,
    state: "in_flight",
    reference: null,
    redirect_url: null,
    amount: session.amount_total,
    currency: session.currency,
    failure_code: null,
    created_at: command.now,
    updated_at: command.now,
  };
  return {
    outcome: "submitted",
    order: pending,
    attempt,
    changes: {
      ...held,
      session: { ...session, payment_status: "pending" },
      order: pending,
      attempts: [attempt],
      events: events.drafts,
      alerts: [],
    },
  };
}

export type PaymentOutcome = "paid" | "failed" | "pending" | "unchanged" | "duplicate" | "mismatch" | "unknown_attempt";

export function decidePayment(snapshot: Snapshot, command: PaymentApplication): Decision<PaymentOutcome> {
  const { session, order, attempts } = snapshot;
  const attempt = attempts.find((candidate) => candidate.id === command.attempt_id);
  if (!order || !attempt) return nothing("unknown_attempt");
  const { result, now } = command;
  const noted: AttemptRecord = {
    ...attempt,
    reference: result.reference ?? attempt.reference,
    redirect_url: result.redirect_url ?? attempt.redirect_url,
    expires_at: result.expires_at ?? attempt.expires_at,
    updated_at: now,
  };
  if (attempt.state === "succeeded" || attempt.state === "duplicate") return nothing("unchanged", snapshot, attempt);

  if (result.status === "pending") {
    if (attempt.state !== "in_flight") return nothing("unchanged", snapshot, attempt);
    return { outcome: "pending", order, attempt: noted, changes: { ...onlyAttempt(order, noted) } };
  }
  if (result.status === "failed") {
    if (attempt.state === "failed") return nothing("unchanged", snapshot, attempt);
    const failed: AttemptRecord = { ...noted, state: "failed", failure_code: result.failure_code ?? "declined" };
    if (order.status !== "pending" || othersInFlight(attempts, failed))
      return { outcome: "unchanged", order, attempt: failed, changes: onlyAttempt(order, failed) };
    return failOrder(snapshot, order, failed.failure_code ?? "declined", failed, command.ids.events, now, "failed");
  }

  if (result.amount !== order.amount_total || result.currency !== order.currency) {
    const alerts = [alert(order, "payment_mismatch", attempt.id, { reference: noted.reference }, command.ids.alerts[0], now)];
    return { outcome: "mismatch", order, attempt: noted, changes: { ...onlyAttempt(order, noted), alerts } };
  }
  if (isPaid(order.status)) {
    const duplicate: AttemptRecord = { ...noted, state: "duplicate" };
    const alerts = [alert(order, "duplicate_payment", attempt.id, { attempt_id: attempt.id }, command.ids.alerts[0], now)];
    return { outcome: "duplicate", order, attempt: duplicate, changes: { ...onlyAttempt(order, duplicate), alerts } };
  }
  const succeeded: AttemptRecord = { ...noted, state: "succeeded" };
  return payOrder(snapshot, order, session, succeeded, command, "paid");
}

export type CompletionOutcome =
  | "paid"
  | "failed"
  | "unchanged"
  | "duplicate"
  | "mismatch"
  | "unknown_session"
  | "session_expired"
  | "insufficient_stock"
  | "coupon_invalid";

/** `checkout.complete`: the money is there, so nothing refuses it but a wrong amount. */
export function decideCompletion(snapshot: Snapshot, command: Completion): Decision<CompletionOutcome> {
  const { session, attempts } = snapshot;
  if (!session) return nothing("unknown_session");
  const repeated = attempts.find(
    (attempt) => attempt.id === command.attempt_id || (attempt.gateway === hostGateway && attempt.reference === command.reference),
  );
  if (repeated && snapshot.order && (repeated.state !== "failed" || command.status === "failed"))
    return nothing("unchanged", snapshot, repeated);
  if (command.amount !== session.amount_total || command.currency !== session.currency) return nothing("mismatch", snapshot);

  const { order } = snapshot;
  const base = order
    ? {
        ...order,
        customer: customerOf(session, order, command.buyer, command.ids.customer),
        payment_method_type: command.payment_method_type ?? order.payment_method_type,
      }
    : { ...newOrder(session, command.ids, command.buyer, command.now), payment_method_type: command.payment_method_type };
  const attempt: AttemptRecord = {
    store_id: session.store_id,
    livemode: session.livemode,
    id: repeated?.id ?? command.attempt_id,
    order_id: base.id,
    session_id: session.id,
    gateway: hostGateway,
    method_id: null,
    state: command.status === "paid" ? "succeeded" : "failed",
    reference: command.reference,
    redirect_url: null,
    amount: command.amount,
    currency: command.currency,
    failure_code: command.status === "paid" ? null : "declined",
    idempotency_key: null,
    expires_at: command.now,
    created_at: repeated?.created_at ?? command.now,
    updated_at: command.now,
  };
  if (command.status === "failed") return failByHost(snapshot, session, base, attempt, command);
  if (order && isPaid(order.status)) {
    const duplicate: AttemptRecord = { ...attempt, state: "duplicate" };
    const alerts = [alert(order, "duplicate_payment", attempt.id, { attempt_id: attempt.id }, command.ids.alerts[0], command.now)];
    return { outcome: "duplicate", order, attempt: duplicate, changes: { ...onlyAttempt(order, duplicate), alerts } };
  }
  return payOrder(snapshot, base, session, attempt, command, "paid");
}

/** Attempts that the host's own code made carry this as their gateway. */
export const hostGateway = "host";

function failByHost(
  snapshot: Snapshot,
  session: SessionRecord,
  base: OrderRecord,
  attempt: AttemptRecord,
  command: Completion,
): Decision<CompletionOutcome> {
  const { order } = snapshot;
  if (order && (order.status !== "pending" || othersInFlight(snapshot.attempts, attempt)))
    return { outcome: "unchanged", order, attempt, changes: onlyAttempt(order, attempt) };
  if (order) return failOrder(snapshot, base, "declined", attempt, command.ids.events, command.now, "failed");
  if (command.now >= session.expires_at) return nothing("session_expired", snapshot);
  const events = eventWriter(command.ids.events, command.now);
  const failed: OrderRecord = { ...base, status: "failed", failure_code: "declined" };
  events.order("order.created", { ...base, status: "pending" }, null);
  events.order("order.failed", failed, "pending");
  return {
    outcome: "failed",
    order: failed,
    attempt,
    changes: { session: null, order: failed, attempts: [attempt], stock: [], coupon: null, events: events.drafts, alerts: [] },
  };
}

export type CancellationOutcome = "canceled" | "unchanged" | "in_flight" | "no_order" | "unknown_session";

export function decideCancellation(snapshot: Snapshot, command: Cancellation): Decision<CancellationOutcome> {
  const { session, order, attempts } = snapshot;
  if (!session) return nothing("unknown_session");
  if (!order) return nothing("no_order");
  if (order.status !== "pending") return nothing("unchanged", snapshot);
  if (attempts.some((attempt) => attempt.state === "in_flight")) return nothing("in_flight", snapshot);
  return failOrder(snapshot, order, "canceled", null, command.ids.events, command.now, "canceled");
}

/** While another payment of the order runs, a failed one does not fail the order. */
const othersInFlight = (attempts: readonly AttemptRecord[], failed: AttemptRecord): boolean =>
  attempts.some((attempt) => attempt.id !== failed.id && attempt.state === "in_flight");
