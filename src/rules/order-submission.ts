import { isInFlight } from "./order-attempt.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { Submission, SubmissionResult } from "./order-commands.ts";
import { customerOf } from "./order-customer.ts";
import { EventDrafts } from "./order-events.ts";
import { couponChange, holdStock, refuseHolds } from "./order-goods.ts";
import { isPaid, newOrder } from "./order-record.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import { payOrder } from "./order-transitions.ts";
import type { AttemptRecord } from "./payment-records.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";

/** The gateway has 30 s to answer, and its answer may arrive late: maintenance asks after that. */
const firstCheckMs = 60_000;

/** The buyer submits a payment: the order becomes pending and holds its goods. */
export function decideSubmission(
  snapshot: OrderSnapshot,
  command: Submission,
): Decision<SubmissionResult> {
  const { session, order } = snapshot;
  const { now } = command;
  if (!session) return withoutChanges({ outcome: "unknown_session" });

  const earlier = order && earlierResult(order, snapshot.attempts, command.attempt);
  if (earlier) return withoutChanges(earlier);

  if (session.status === "complete") return withoutChanges({ outcome: "session_not_open" });
  if (now >= session.expires_at) return withoutChanges({ outcome: "session_expired" });

  const isHeld = order?.holds === "held";
  const refusal = isHeld ? null : refuseHolds(snapshot, session, now);
  if (refusal) return withoutChanges({ outcome: refusal });

  const unpaid = submittedOrder(snapshot, session, command);
  if (session.amount_total === 0) return payNothing(snapshot, session, unpaid, command);

  const pending: OrderRecord = { ...unpaid, holds: "held" };
  const attempt = newAttempt(session, pending, command);
  const events = new EventDrafts(command.ids.events, now);
  if (!order) events.order("order.created", pending, null);
  return {
    result: { outcome: "submitted", order: pending, attempt },
    changes: orderChanges({
      session: { ...session, payment_status: "pending" },
      order: pending,
      attempts: [attempt],
      stock: isHeld ? [] : holdStock(session),
      coupon: isHeld ? null : couponChange(pending, 1, true),
      events: events.list,
    }),
  };
}

/** What an earlier submission of the order left to answer; null when a payment may start. */
function earlierResult(
  order: OrderRecord,
  attempts: readonly AttemptRecord[],
  { id, idempotency_key }: Submission["attempt"],
): SubmissionResult | null {
  // A step repeated after a lost acknowledgement gives the first answer. The caller then asks the
  // gateway again, which takes the payment once, by the attempt's id.
  const same = attempts.find((attempt) => attempt.id === id);
  if (same) return { outcome: isInFlight(same) ? "submitted" : "attempted", order, attempt: same };

  const sameKey = attempts.find(
    (attempt) => idempotency_key !== null && attempt.idempotency_key === idempotency_key,
  );
  if (sameKey) return { outcome: "attempted", order, attempt: sameKey };
  if (isPaid(order.status)) return { outcome: "already_paid", order };

  const inFlight = attempts.find(isInFlight);
  return inFlight ? { outcome: "attempted", order, attempt: inFlight } : null;
}

/** The order that this submission makes pending. Its `holds` are still those of before. */
function submittedOrder(
  { order, coupon }: OrderSnapshot,
  session: SessionRecord,
  { ids, buyer, now, ...command }: Submission,
): OrderRecord {
  const draft = order
    ? { ...order, customer: customerOf(session, order, buyer, ids.customer) }
    : newOrder(session, ids, buyer, now);
  const isHeld = draft.holds === "held";
  return {
    ...draft,
    status: "pending",
    failure_code: null,
    reserved: command.external_stock,
    sweep_at: session.expires_at,
    payment_method_type: command.payment_method_type,
    coupon_key: isHeld ? draft.coupon_key : (coupon?.customer_key ?? null),
    updated_at: now,
  };
}

/** Nothing is due: the order is paid at once, without a gateway. */
function payNothing(
  snapshot: OrderSnapshot,
  session: SessionRecord,
  unpaid: OrderRecord,
  { ids, now, external_stock }: Submission,
): Decision<SubmissionResult> {
  const payment = { order: unpaid, session, attempt: null, money: null, ids, now, external_stock };
  const { order, changes } = payOrder(snapshot, payment);
  return { result: { outcome: "submitted", order, attempt: null }, changes };
}

const newAttempt = (
  session: SessionRecord,
  order: OrderRecord,
  { attempt, now }: Submission,
): AttemptRecord => ({
  store_id: session.store_id,
  livemode: session.livemode,
  ...attempt,
  order_id: order.id,
  session_id: session.id,
  state: "in_flight",
  reference: null,
  payment_reference: null,
  next_action: null,
  amount: session.amount_total,
  currency: session.currency,
  received_amount: null,
  received_currency: null,
  failure_code: null,
  asked: 0,
  check_at: now + firstCheckMs,
  created_at: now,
  updated_at: now,
});
