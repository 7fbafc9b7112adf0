import type {
  Closing,
  Completion,
  Failing,
  PaymentApplication,
  Submission,
} from "./order-commands.ts";
import {
  alert,
  changesOf,
  couponOf,
  customerOf,
  type Decision,
  eventWriter,
  hostGateway,
  isPaid,
  newOrder,
  nothing,
  refuseHolds,
  type Snapshot,
  stockOf,
} from "./order-parts.ts";
import { failOrder, payOrder } from "./order-transitions.ts";
import type { AttemptRecord } from "./payment-records.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";
import { hostAttempt } from "./subscription-machine.ts";

// The transitions of CONTRACT 6 as pure functions: a snapshot that the storage has locked goes in, the outcome and all that is to be written
// comes out. Storage keeps the guards in its statements; nothing here reads or writes.

/** The gateway's answer comes first: it has 30 s, and what it was asked may still be on its way. */
const firstCheckMs = 60_000;
const checkEveryMs = 600_000;

export type SubmissionOutcome =
  | "submitted"
  | "attempted"
  | "already_paid"
  | "unknown_session"
  | "session_expired"
  | "session_not_open"
  | "insufficient_stock"
  | "coupon_invalid";

export function decideSubmission(
  snapshot: Snapshot,
  command: Submission,
): Decision<SubmissionOutcome> {
  const { session, order, attempts } = snapshot;
  const { now } = command;
  if (!session) return nothing("unknown_session");
  // A step repeated after a lost acknowledgement gives the first answer; the gateway takes it once, by the attempt's id.
  const own = attempts.find((attempt) => attempt.id === command.attempt.id);
  if (order && own)
    return nothing(own.state === "in_flight" ? "submitted" : "attempted", snapshot, own);
  const { idempotency_key } = command.attempt;
  const sameKey =
    idempotency_key === null
      ? undefined
      : attempts.find((attempt) => attempt.idempotency_key === idempotency_key);
  if (order && sameKey) return nothing("attempted", snapshot, sameKey);
  if (order && isPaid(order.status)) return nothing("already_paid", snapshot);
  const inFlight = attempts.find((attempt) => attempt.state === "in_flight");
  if (order && inFlight) return nothing("attempted", snapshot, inFlight);
  if (session.status === "complete") return nothing("session_not_open", snapshot);
  if (now >= session.expires_at) return nothing("session_expired", snapshot);

  const draft = order
    ? { ...order, customer: customerOf(session, order, command.buyer, command.ids.customer) }
    : newOrder(session, command.ids, command.buyer, now);
  const taking = order?.holds !== "held";
  const refusal = taking ? refuseHolds(snapshot, session, now) : null;
  if (refusal) return nothing(refusal, snapshot);
  const pending: OrderRecord = {
    ...draft,
    status: "pending",
    failure_code: null,
    holds: "held",
    reserved: command.external_stock,
    sweep_at: session.expires_at,
    payment_method_type: command.payment_method_type,
    coupon_key: taking ? (snapshot.coupon?.customer_key ?? null) : draft.coupon_key,
    updated_at: now,
  };
  // Nothing is due: paid at once, without a gateway. The guards above have judged what payOrder takes.
  if (session.amount_total === 0)
    return payOrder(
      snapshot,
      { ...pending, holds: draft.holds },
      session,
      null,
      command,
      "submitted",
    );

  const events = eventWriter(command.ids.events, now);
  if (!order) events.order("order.created", pending, null);
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
    check_at: now + firstCheckMs,
    created_at: now,
    updated_at: now,
  };
  return {
    outcome: "submitted",
    order: pending,
    attempt,
    changes: changesOf(pending, {
      session: { ...session, payment_status: "pending" },
      attempts: [attempt],
      stock: taking ? stockOf(session, 0, 1, true) : [],
      coupon: taking ? couponOf(pending, 1, true) : null,
      events: events.drafts,
    }),
  };
}

export type PaymentOutcome =
  | "paid"
  | "failed"
  | "pending"
  | "unchanged"
  | "duplicate"
  | "mismatch"
  | "unknown_attempt";

/** What a gateway tells of an attempt, whoever brings the news. */
export function decidePayment(
  snapshot: Snapshot,
  command: PaymentApplication,
): Decision<PaymentOutcome> {
  const { session, order, attempts } = snapshot;
  const attempt = attempts.find((candidate) => candidate.id === command.attempt_id);
  if (!session || !order || !attempt) return nothing("unknown_attempt");
  const { result, now } = command;
  const noted: AttemptRecord = {
    ...attempt,
    reference: result.reference ?? attempt.reference,
    redirect_url: result.redirect_url ?? attempt.redirect_url,
    expires_at: result.expires_at ?? attempt.expires_at,
    updated_at: now,
  };
  if (
    attempt.state === "succeeded" ||
    attempt.state === "duplicate" ||
    attempt.state === "returned"
  )
    return nothing("unchanged", snapshot, attempt);

  if (result.status === "pending") {
    if (attempt.state !== "in_flight") return nothing("unchanged", snapshot, attempt);
    const waiting = {
      ...noted,
      check_at: Math.max(now, Math.min(now + checkEveryMs, noted.expires_at)),
    };
    return {
      outcome: "pending",
      order,
      attempt: waiting,
      changes: changesOf(order, { attempts: [waiting] }),
    };
  }
  if (result.status === "failed") {
    if (attempt.state === "failed") return nothing("unchanged", snapshot, attempt);
    const failure_code = result.failure_code ?? "declined";
    const failed: AttemptRecord = { ...noted, state: "failed", failure_code, check_at: null };
    if (order.status !== "pending" || othersInFlight(attempts, failed))
      return {
        outcome: "unchanged",
        order,
        attempt: failed,
        changes: changesOf(order, { attempts: [failed] }),
      };
    return failOrder(snapshot, order, failure_code, [failed], command.ids.events, now, "failed");
  }

  if (result.amount !== order.amount_total || result.currency !== order.currency) {
    const alerts = [
      alert(
        order,
        "payment_mismatch",
        attempt.id,
        { reference: noted.reference },
        command.ids.alerts[0],
        now,
      ),
    ];
    // Asked again like any open payment: the owner may have it put right at the provider.
    const open = attempt.state === "in_flight" ? { ...noted, check_at: now + checkEveryMs } : noted;
    return {
      outcome: "mismatch",
      order,
      attempt: open,
      changes: changesOf(order, { attempts: [open], alerts }),
    };
  }
  if (isPaid(order.status))
    return duplicate(order, { ...noted, check_at: now }, command.ids.alerts[0], now);
  return payOrder(
    snapshot,
    order,
    session,
    { ...noted, state: "succeeded", failure_code: null, check_at: null },
    command,
    "paid",
  );
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
export function decideCompletion(
  snapshot: Snapshot,
  command: Completion,
): Decision<CompletionOutcome> {
  const { session, attempts, order } = snapshot;
  const { now } = command;
  if (!session) return nothing("unknown_session");
  const repeated = attempts.find(
    (attempt) =>
      attempt.id === command.attempt_id ||
      (attempt.gateway === hostGateway && attempt.reference === command.reference),
  );
  if (repeated && order && (repeated.state !== "failed" || command.status === "failed"))
    return nothing("unchanged", snapshot, repeated);
  if (command.amount !== session.amount_total || command.currency !== session.currency)
    return nothing("mismatch", snapshot);

  const base: OrderRecord = order
    ? {
        ...order,
        customer: customerOf(session, order, command.buyer, command.ids.customer),
        payment_method_type: command.payment_method_type ?? order.payment_method_type,
      }
    : {
        ...newOrder(session, command.ids, command.buyer, now),
        payment_method_type: command.payment_method_type,
      };
  const failure_code = command.status === "paid" ? null : (command.failure_code ?? "declined");
  const attempt: AttemptRecord = {
    ...hostAttempt(base, repeated?.id ?? command.attempt_id, command.reference, failure_code, now),
    created_at: repeated?.created_at ?? now,
  };
  if (failure_code !== null) return failByHost(snapshot, session, base, attempt, command);
  return order && isPaid(order.status)
    ? duplicate(order, attempt, command.ids.alerts[0], now)
    : payOrder(snapshot, base, session, attempt, command, "paid");
}

/** Paid beside another payment: the owner is told, and maintenance returns the money where the gateway can. */
function duplicate(
  order: OrderRecord,
  attempt: AttemptRecord,
  alertId: string | undefined,
  now: number,
): Decision<"duplicate"> {
  const second: AttemptRecord = { ...attempt, state: "duplicate" };
  const alerts = [
    alert(order, "duplicate_payment", attempt.id, { attempt_id: attempt.id }, alertId, now),
  ];
  return {
    outcome: "duplicate",
    order,
    attempt: second,
    changes: changesOf(order, { attempts: [second], alerts }),
  };
}

function failByHost(
  snapshot: Snapshot,
  session: SessionRecord,
  base: OrderRecord,
  attempt: AttemptRecord,
  command: Completion,
): Decision<CompletionOutcome> {
  const { order } = snapshot;
  const failure_code = attempt.failure_code ?? "declined";
  if (order && (order.status !== "pending" || othersInFlight(snapshot.attempts, attempt)))
    return {
      outcome: "unchanged",
      order,
      attempt,
      changes: changesOf(order, { attempts: [attempt] }),
    };
  if (order)
    return failOrder(
      snapshot,
      base,
      failure_code,
      [attempt],
      command.ids.events,
      command.now,
      "failed",
    );
  if (command.now >= session.expires_at) return nothing("session_expired", snapshot);
  const events = eventWriter(command.ids.events, command.now);
  const failed: OrderRecord = { ...base, status: "failed", failure_code, sweep_at: null };
  events.order("order.created", { ...base, status: "pending" }, null);
  events.order("order.failed", failed, "pending");
  return {
    outcome: "failed",
    order: failed,
    attempt,
    changes: changesOf(failed, { attempts: [attempt], events: events.drafts }),
  };
}

export type ClosingOutcome = "closed" | "unchanged" | "in_flight" | "no_order" | "unknown_session";

/** The buyer gives up, the host closes the session, or its time is over: an attempt in flight keeps the order pending. */
export function decideClosing(snapshot: Snapshot, command: Closing): Decision<ClosingOutcome> {
  const { order, attempts } = snapshot;
  const { now, reason } = command;
  if (!snapshot.session) return nothing("unknown_session");
  const closing =
    command.close_session &&
    snapshot.session.status === "open" &&
    now < snapshot.session.expires_at;
  const session = closing ? { ...snapshot.session, expires_at: now } : snapshot.session;
  const untouched = <O extends ClosingOutcome>(outcome: O): Decision<O> => ({
    ...nothing(outcome, snapshot),
    changes: closing ? changesOf(null, { session }) : null,
  });
  if (!order) return untouched("no_order");
  if (order.status !== "pending" || (reason === "expired" && now < session.expires_at))
    return untouched("unchanged");
  if (attempts.some((attempt) => attempt.state === "in_flight")) return untouched("in_flight");
  return failOrder({ ...snapshot, session }, order, reason, [], command.ids.events, now, "closed");
}

export type FailingOutcome = "failed" | "unchanged" | "invalid_transition" | "unknown_order";

export function decideFailing(snapshot: Snapshot, command: Failing): Decision<FailingOutcome> {
  const { order, attempts } = snapshot;
  const { now, failure_code } = command;
  if (!order) return nothing("unknown_order");
  if (order.status === "failed") return nothing("unchanged", snapshot);
  if (order.status !== "pending") return nothing("invalid_transition", snapshot);
  const ended = attempts
    .filter((attempt) => attempt.state === "in_flight")
    .map(
      (attempt): AttemptRecord => ({
        ...attempt,
        state: "failed",
        failure_code,
        check_at: null,
        updated_at: now,
      }),
    );
  return failOrder(snapshot, order, failure_code, ended, command.ids.events, now, "failed");
}

/** While another payment of the order runs, a failed one does not fail the order. */
const othersInFlight = (attempts: readonly AttemptRecord[], failed: AttemptRecord): boolean =>
  attempts.some((attempt) => attempt.id !== failed.id && attempt.state === "in_flight");
