import { endedHold, isEnding, withoutHold } from "../checkout/session-hold.ts";
import { versionOf } from "../checkout/session-version.ts";
import { begunAttempt, hasFailedTooOften, isInFlight } from "../payments/order-attempt.ts";
import type { AttemptRecord } from "../payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import { sellsPeriod, withChargePutOff } from "../subscriptions/subscription-record.ts";
import { trialDays } from "../subscriptions/trial.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { Submission, SubmissionResult } from "./order-commands.ts";
import { customerOf } from "./order-customer.ts";
import { EventDrafts } from "./order-events.ts";
import {
  type Holder,
  holderOf,
  holdStock,
  lacksCustomer,
  refuseHolds,
  refuseProducts,
  refuseTakeOver,
  takeCoupon,
} from "./order-goods.ts";
import { newOrder } from "./order-record.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import { isPaid } from "./order-states.ts";
import { payOrder } from "./order-transitions.ts";

/** Decides the buyer's submission of a payment: the order becomes pending and holds its goods. */
export function decideSubmission(
  snapshot: OrderSnapshot,
  command: Submission,
): Decision<SubmissionResult> {
  const { session, order } = snapshot;
  const { now } = command;
  if (!session) return withoutChanges({ outcome: "unknown_session" });

  const earlier = order && earlierResult({ ...snapshot, order, session }, command);
  if (earlier) return withoutChanges(earlier);

  if (session.status === "complete") return withoutChanges({ outcome: "session_not_open" });
  if (now >= session.expires_at) return withoutChanges({ outcome: "session_expired" });

  const { seen_version } = command;
  if (seen_version !== undefined && seen_version !== versionOf(session))
    return withoutChanges({ outcome: "session_changed" });

  if (session.renews && !sellsPeriod(snapshot.subscription, session))
    return withoutChanges({ outcome: "session_not_open" });
  if (hasFailedTooOften(snapshot.attempts)) return withoutChanges({ outcome: "too_many_attempts" });

  const holder = holderOf(order, session);
  const refusal =
    refuseProducts(snapshot, session, command) ?? refuseGoods(snapshot, session, { holder, now });
  if (refusal) return withoutChanges({ outcome: refusal });
  if (command.needs_hold && (holder === "nobody" || isEnding(session.hold, now - snapshot.offset)))
    return withoutChanges({ outcome: "hold_lost" });

  const unpaid = submittedOrder(snapshot, session, command);
  // A trial costs nothing today, and still has the gateway keep the means of payment.
  const isFree = session.amount_total === 0 && trialDays(session) === null;
  if (isFree) return payNothing(snapshot, session, unpaid, command);

  const pending: OrderRecord = { ...unpaid, holds: "held" };
  const { payment_method_type: method_type } = command;
  const begun = { ...command.attempt, session_id: session.id, method_type };
  const attempt = begunAttempt(snapshot, pending, begun, now);
  const events = new EventDrafts(command.ids.events, now);
  if (!order) events.order("order.created", pending, null);
  return {
    result: { outcome: "submitted", order: pending, attempt },
    changes: orderChanges({
      session: { ...withoutHold(session), payment_status: "pending" },
      order: pending,
      attempts: [...replacedAttempts(snapshot.attempts, command), attempt],
      stock: holder === "nobody" ? holdStock(session) : [],
      coupons: takeCoupon(pending, session, { holder, guarded: true }),
      open_hold: endedHold(session),
      subscription: withChargePutOff(snapshot.subscription, attempt),
      events: events.list,
    }),
  };
}

function refuseGoods(
  snapshot: OrderSnapshot,
  session: SessionRecord,
  { holder, now }: { readonly holder: Holder; readonly now: number },
): "insufficient_stock" | "coupon_invalid" | null {
  if (holder === "order") return null;
  // A session may hold a use before its buyer is known; an order may not.
  if (lacksCustomer(snapshot.coupon)) return "coupon_invalid";
  if (holder === "session") return refuseTakeOver(snapshot, session);
  return refuseHolds(snapshot, session, now);
}

interface KnownSubmission {
  readonly session: SessionRecord;
  readonly order: OrderRecord;
  readonly attempts: readonly AttemptRecord[];
}

/**
 * Gives the answer that an earlier submission of the order requires. It gives null
 * when a payment may start.
 */
function earlierResult(
  { session, order, attempts }: KnownSubmission,
  { attempt: asked, replaces = null, leaves_element = false, now }: Submission,
): SubmissionResult | null {
  // A step that is repeated after a lost acknowledgement gives the first answer.
  // The caller then asks the gateway again, which takes the payment once, by the
  // attempt's id.
  const same = attempts.find(({ id }) => id === asked.id);
  if (same) return { outcome: isInFlight(same) ? "submitted" : "attempted", order, attempt: same };

  const { idempotency_key } = asked;
  const sameKey = attempts.find(
    (attempt) => idempotency_key !== null && attempt.idempotency_key === idempotency_key,
  );
  if (sameKey) return { outcome: "attempted", order, attempt: sameKey };
  if (isPaid(order.status)) return { outcome: "already_paid", order };

  const inFlight = attempts.find(isInFlight);
  if (!inFlight || inFlight.id === replaces?.attempt_id) return null;

  // A caller that comes with a canceled attempt has lost a race: it gets the winner's attempt.
  const isOpen = session.status === "open" && now < session.expires_at;
  const leaves = leaves_element && inFlight.next_action?.type === "client_secret";
  const isOther = inFlight.method_id !== asked.method_id || leaves;
  const maySwitch = isOpen && replaces === null && isOther;
  return { outcome: maySwitch ? "to_cancel" : "attempted", order, attempt: inFlight };
}

/** Gives the attempt that the gateway has canceled, so that this submission can take its place. */
function replacedAttempts(
  attempts: readonly AttemptRecord[],
  { replaces = null, now }: Submission,
): readonly AttemptRecord[] {
  const inFlight = attempts.find(isInFlight);
  if (!inFlight || !replaces) return [];

  const { reference, failure_code } = replaces;
  return [
    {
      ...inFlight,
      state: "failed",
      reference: reference ?? inFlight.reference,
      failure_code,
      check_at: null,
      updated_at: now,
    },
  ];
}

/** Gives the order that this submission makes pending. Its `holds` are still those of before. */
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
    reserved: command.external_stock && !session.renews,
    sweep_at: session.expires_at,
    payment_method_type: command.payment_method_type,
    coupon_key: isHeld ? draft.coupon_key : (coupon?.customer_key ?? null),
    updated_at: now,
  };
}

/** Pays the order at once, without a gateway, because nothing is due. */
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
