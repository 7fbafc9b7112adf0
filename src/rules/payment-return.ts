import { orderAlert } from "./order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { AttemptRecord, PaymentRecord } from "./payment-records.ts";
import type { OrderRecord } from "./records.ts";
import type {
  PaymentReturn,
  PaymentReturned,
  ReturnSettlement,
  ReturnStarted,
} from "./return-commands.ts";

// A duplicate payment goes back to the buyer. Each try is written before the gateway is asked, so
// that a process that dies leaves a try to be repeated, and never two at once.

const minute = 60_000;
const hour = 60 * minute;

/** How long after each try the next one follows: six tries lie within 24 hours. */
const waitsMs = [10 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour];
const maxTries = waitsMs.length + 1;

/** A gateway that took the return, but has no result yet, is asked this often. */
const askPendingMs = hour;

/** Begins a try. Only a duplicate goes back, never the money that pays the order. */
export function decideReturn(
  snapshot: OrderSnapshot,
  { payment_id, asked_by, now }: PaymentReturn,
): Decision<ReturnStarted> {
  const { order } = snapshot;
  const money = snapshot.payments.find(({ id }) => id === payment_id);
  if (!order || !money) return withoutChanges({ outcome: "unknown_payment" });
  if (money.state === "booked") return withoutChanges({ outcome: "invalid_transition" });

  const isOver = money.state === "returned";
  const isUnderWay = money.state === "returning" && asked_by === "owner";
  const isGivenUp = money.state === "return_failed" && asked_by === "maintenance";
  if (isOver || isUnderWay || isGivenUp)
    return withoutChanges({ outcome: "unchanged", payment: money });

  const started = nextTry(money, now);
  return {
    result: { outcome: "started", payment: started },
    changes: orderChanges({ order, payments: [started] }),
  };
}

function nextTry(money: PaymentRecord, now: number): PaymentRecord {
  const isNewRound = money.return === null || money.state === "return_failed";
  const refusals = money.return?.refusals ?? 0;
  const before = {
    refund_id: money.id.replace(/^pay_/, "rf_"),
    pending: false,
    refund_reference: null,
    ...money.return,
    refusals,
    tries: isNewRound ? 0 : (money.return?.tries ?? 0),
  };
  // A look at a return that the gateway has taken is no new try.
  const tries = before.pending ? before.tries : before.tries + 1;
  const wait = before.pending ? askPendingMs : (waitsMs[tries - 1] ?? askPendingMs);
  return {
    ...money,
    state: "returning",
    return: { ...before, tries },
    check_at: now + wait,
    updated_at: now,
  };
}

/** The gateway has answered a try, or has not. */
export function decideReturnResult(
  snapshot: OrderSnapshot,
  { payment_id, status, refund_reference, ids, now }: ReturnSettlement,
): Decision<PaymentReturned> {
  const { order, attempts } = snapshot;
  const money = snapshot.payments.find(({ id }) => id === payment_id);
  if (!order || !money) return withoutChanges({ outcome: "unknown_payment" });
  if (money.state !== "returning" || money.return === null)
    return withoutChanges({ outcome: "unchanged", payment: money });

  const noted = {
    ...money.return,
    pending: status === "pending",
    refund_reference: refund_reference ?? money.return.refund_reference,
    refusals: money.return.refusals + (status === "failed" ? 1 : 0),
  };
  const payment: PaymentRecord = { ...money, return: noted, updated_at: now };
  if (status === "succeeded") return returned(order, attempts, payment);
  if (status === "pending" || noted.tries < maxTries)
    return {
      result: { outcome: "returning", payment },
      changes: orderChanges({ order, payments: [payment] }),
    };
  return giveUp(order, payment, ids.alerts[0]);
}

function returned(
  order: OrderRecord,
  attempts: readonly AttemptRecord[],
  money: PaymentRecord,
): Decision<PaymentReturned> {
  const payment: PaymentRecord = { ...money, state: "returned", check_at: null };
  const own = attempts.filter(({ id, state }) => id === money.id && state === "duplicate");
  return {
    result: { outcome: "returned", payment },
    changes: orderChanges({
      order,
      attempts: own.map((attempt) => ({ ...attempt, state: "returned", check_at: null })),
      payments: [payment],
    }),
  };
}

function giveUp(
  order: OrderRecord,
  money: PaymentRecord,
  alert_id: string | undefined,
): Decision<PaymentReturned> {
  const payment: PaymentRecord = { ...money, state: "return_failed", check_at: null };
  const alert = orderAlert(order, {
    id: alert_id,
    type: "return_failed",
    subject: money.id,
    data: {
      payment_id: money.id,
      reference: money.payment_reference,
      amount: money.amount,
      currency: money.currency,
    },
    now: money.updated_at,
  });
  return {
    result: { outcome: "return_failed", payment },
    changes: orderChanges({ order, payments: [payment], alerts: [alert] }),
  };
}
