import { orderAlert } from "../orders/order-alert.ts";
import { type Decision, orderChanges } from "../orders/order-changes.ts";
import type { PaymentApplication, PaymentApplied } from "../orders/order-commands.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { awaitsPayment } from "../orders/order-states.ts";
import { failOrder } from "../orders/order-transitions.ts";
import type { OrderRecord } from "../records.ts";
import { hasOtherInFlight } from "./order-attempt.ts";
import type { AttemptRecord } from "./payment-records.ts";
import { firstCheckAfterLoss, nextCheckInFlight, nextCheckOfUnknown } from "./payment-schedule.ts";

// These rules are about a payment without a result. Until it expires, its order
// waits for it. Afterwards the attempt is `unknown`: the order fails and gives back
// what it held, and the gateway is asked less and less often. The result still
// counts when it comes.

type OpenApplied = Exclude<PaymentApplied, { readonly outcome: "unknown_attempt" }>;

interface OpenPayment {
  readonly order: OrderRecord;
  /** The attempt before this report. */
  readonly attempt: AttemptRecord;
  /** The attempt with the facts of this report. */
  readonly noted: AttemptRecord;
}

/**
 * Keeps the attempt open. The report brought no result: the payment is pending, or
 * nobody knows.
 */
export function stayOpen(
  snapshot: OrderSnapshot,
  payment: OpenPayment,
  command: PaymentApplication,
): Decision<OpenApplied> {
  const { order, attempt, noted } = payment;
  const { now, ends_call = false } = command;
  if (attempt.state === "unknown") return stayUnknown(payment, command);
  if (attempt.expires_at <= now) return becomeUnknown(snapshot, payment, command);

  const next = nextCheckInFlight(noted, now);
  const check_at = ends_call ? Math.min(next, firstCheckAfterLoss(now)) : next;
  const call_ends_at = ends_call ? now - snapshot.offset : attempt.call_ends_at;
  const waiting: AttemptRecord = { ...noted, check_at, call_ends_at };
  return {
    result: { outcome: "pending", order, attempt: waiting },
    changes: orderChanges({ order, attempts: [waiting] }),
  };
}

/**
 * Makes the attempt `unknown`, because its time is over: its order does not wait
 * for it any more.
 */
function becomeUnknown(
  snapshot: OrderSnapshot,
  { order, attempt, noted }: OpenPayment,
  { ids, now }: PaymentApplication,
): Decision<OpenApplied> {
  const { expires_at } = attempt;
  const unknown = asUnknown({ ...noted, expires_at }, now);
  const alerts = alertsOfUnknown(order, unknown, ids.alerts[0], now);
  if (!awaitsPayment(order.status) || hasOtherInFlight(snapshot.attempts, unknown))
    return {
      result: { outcome: "unchanged", order, attempt: unknown },
      changes: orderChanges({ order, attempts: [unknown], alerts }),
    };

  const failure = { order, code: "expired", attempts: [unknown], ids, now } as const;
  const failed = failOrder(snapshot, failure);
  return {
    result: { outcome: "failed", order: failed.order, attempt: unknown },
    changes: { ...failed.changes, alerts },
  };
}

function stayUnknown(
  { order, attempt, noted }: OpenPayment,
  { ids, now }: PaymentApplication,
): Decision<OpenApplied> {
  const { expires_at, check_at } = attempt;
  const unknown = asUnknown({ ...noted, expires_at, asked: attempt.asked + 1 }, now);
  // Once the owner was told, nobody asks any more, and a late report tells nobody again.
  const alerts = check_at === null ? [] : alertsOfUnknown(order, unknown, ids.alerts[0], now);
  return {
    result: { outcome: "pending", order, attempt: unknown },
    changes: orderChanges({ order, attempts: [unknown], alerts }),
  };
}

/**
 * Gives the attempt as one whose order does not wait for it: it is asked about on
 * its own schedule.
 */
const asUnknown = (attempt: AttemptRecord, now: number): AttemptRecord => ({
  ...attempt,
  state: "unknown",
  check_at: nextCheckOfUnknown(attempt, now),
  updated_at: now,
});

/**
 * Tells the owner after the last question, because the owner must then look at the
 * provider's books.
 */
function alertsOfUnknown(
  order: OrderRecord,
  { id: subject, check_at, reference, amount, currency }: AttemptRecord,
  id: string | undefined,
  now: number,
) {
  if (check_at !== null) return [];

  const data = { reference, amount, currency };
  return [orderAlert(order, { id, type: "payment_in_doubt", subject, data, now })];
}
