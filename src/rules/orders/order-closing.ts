import { minuteMs } from "../../domain/durations.ts";
import { endOthers, isInFlight } from "../payments/order-attempt.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { Closing, ClosingResult, Failing, FailingResult } from "./order-commands.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import { awaitsPayment } from "./order-states.ts";
import { failOrder } from "./order-transitions.ts";

/** An order whose payment should have ended is looked at again after this time. */
const lookAgainMs = 10 * minuteMs;

/**
 * Fails the pending order, because the buyer gives up, the host closes the session,
 * or its time is over. An attempt in flight keeps it pending, for its money may
 * still come.
 */
export function decideClosing(snapshot: OrderSnapshot, command: Closing): Decision<ClosingResult> {
  const { order, attempts } = snapshot;
  const { now, reason, ids } = command;
  if (!snapshot.session) return withoutChanges({ outcome: "unknown_session" });

  const isOpen = snapshot.session.status === "open" && now < snapshot.session.expires_at;
  const closesNow = command.close_session && isOpen;
  const session = closesNow ? { ...snapshot.session, expires_at: now } : snapshot.session;
  const keepOrder = (result: ClosingResult): Decision<ClosingResult> => ({
    result,
    changes: closesNow ? orderChanges({ session }) : null,
  });

  if (!order) return keepOrder({ outcome: "no_order" });
  const isEarly = reason === "expired" && now < session.expires_at;
  if (!awaitsPayment(order.status) || isEarly) return keepOrder({ outcome: "unchanged", order });
  const waits = attempts.filter(isInFlight);
  if (waits.length > 0) {
    if (reason !== "expired") return keepOrder({ outcome: "in_flight", order });
    // The end of the payment ends the order. Maintenance looks once more, in case it does not.
    const sweep_at = Math.max(now + lookAgainMs, ...waits.map(({ expires_at }) => expires_at));
    return {
      result: { outcome: "in_flight", order },
      changes: orderChanges({ session: closesNow ? session : null, order: { ...order, sweep_at } }),
    };
  }

  const failure = { order, code: reason, attempts: [], ids, now };
  const failed = failOrder({ ...snapshot, session }, failure);
  return { result: { outcome: "closed", order: failed.order }, changes: failed.changes };
}

/**
 * Fails the order, because the host says that its payment failed. Attempts in
 * flight end with it: the gateway is asked to cancel them, and money that still
 * comes counts.
 */
export function decideFailing(snapshot: OrderSnapshot, command: Failing): Decision<FailingResult> {
  const { order } = snapshot;
  const { now, failure_code: code, ids, settled_later } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });
  if (order.status === "failed") return withoutChanges({ outcome: "unchanged", order });
  if (!awaitsPayment(order.status)) return withoutChanges({ outcome: "invalid_transition", order });

  const attempts = endOthers(snapshot.attempts, null, now);
  const failed = failOrder(snapshot, { order, code, attempts, ids, now, settled_later });
  return { result: { outcome: "failed", order: failed.order }, changes: failed.changes };
}
