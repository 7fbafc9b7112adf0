import { hourMs, minuteMs } from "../../domain/durations.ts";
import { orderAlert } from "../orders/order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { EventIds } from "../orders/order-commands.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { OrderRecord } from "../records.ts";
import type { RefundReport } from "../refunds/refund-commands.ts";
import { nextRefundAction, nextRefundCheck } from "../refunds/refund-schedule.ts";
import type { MoneyReturn, PaymentRecord } from "./payment-records.ts";
import type {
  PaymentReturn,
  PaymentReturned,
  ReturningPayment,
  ReturnSettlement,
  ReturnStarted,
} from "./return-commands.ts";
import { amountReturned, applyReturnRefund, withUsedKey } from "./return-refunds.ts";

// Money that pays nothing goes back to the buyer. Each try is written before the gateway is asked,
// so that a process that dies leaves a try to be repeated, and never two at once.

/** The next try follows this long after each try: six tries lie within 24 hours. */
export const waitsMs = [10 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 12 * hourMs];
const maxTries = waitsMs.length + 1;

/** Begins a try. The money that pays the order never goes back in this way. */
export function decideReturn(
  snapshot: OrderSnapshot,
  { payment_id, asked_by, can_ask, ids, now }: PaymentReturn,
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

  const way = returnOf(money);
  // The owner's call begins a new round: whoever can be asked is asked, however old the return is.
  // The tries of a round end by their number, unless the gateway has taken the return.
  const since = way.tries > 0 && way.pending ? (way.requested_at ?? now) : now;
  const sent = { ...way, acknowledged: way.pending, created_at: since };
  const next = nextRefundAction(sent, now, can_ask, since);
  if (next === "give_up") {
    const { result, changes } = giveUp(order, { ...money, updated_at: now }, ids);
    return { result: { outcome: "unchanged", payment: result.payment }, changes };
  }

  const started = withTry(money, way, now);
  return {
    result: { outcome: "started", payment: started, next, repeat: way.requested_at !== null },
    changes: orderChanges({ order, payments: [started] }),
  };
}

/**
 * Gives the return as its next try finds it. A key that was not used yet asks for
 * all that is left.
 */
function returnOf(money: PaymentRecord): MoneyReturn {
  const isNewRound = money.state === "return_failed";
  const way: MoneyReturn = {
    // A point stands before the number of a key: `rf_X.2` is the third key of `rf_X`.
    refund_id: money.id.replace("pay_", "rf_").replace(".", "-"),
    key_attempt: 0,
    amount: 0,
    requested_at: null,
    pending: false,
    refund_reference: null,
    ...money.return,
    tries: isNewRound ? 0 : (money.return?.tries ?? 0),
  };
  if (way.requested_at !== null) return way;
  return { ...way, amount: money.amount - amountReturned(money) };
}

function withTry(money: PaymentRecord, way: MoneyReturn, now: number): ReturningPayment {
  const requested_at = way.requested_at ?? now;
  const next = { ...money, state: "returning", updated_at: now } as const;
  // A look at a return that the gateway has taken is no new try.
  if (way.pending)
    return {
      ...next,
      return: { ...way, requested_at },
      check_at: nextRefundCheck(requested_at, now),
    };

  const tries = way.tries + 1;
  return {
    ...next,
    return: { ...way, requested_at, tries },
    check_at: now + (waitsMs[tries - 1] ?? hourMs),
  };
}

/** Decides what follows when the gateway has answered a try, or has not. */
export function decideReturnResult(
  snapshot: OrderSnapshot,
  { payment_id, key_attempt, report, ids, now }: ReturnSettlement,
): Decision<PaymentReturned> {
  const { order, attempts } = snapshot;
  const money = snapshot.payments.find(({ id }) => id === payment_id);
  if (!order || !money) return withoutChanges({ outcome: "unknown_payment" });

  const way = money.return;
  const isReturned = money.state === "returned";
  const isOpen = report === "no_answer" || report.status === "pending";
  if (way === null || (isReturned && isOpen))
    return withoutChanges({ outcome: "unchanged", payment: money });
  if (way.key_attempt !== key_attempt)
    return noteEarlierKey(snapshot, order, money, { report, ids, now });

  const payment = { ...money, return: way, updated_at: now };
  if (report === "no_answer") return endTry(order, payment, ids);
  if (report.status === "pending") return waitForResult(order, payment, report);

  const { status: state, reference, amount } = report;
  const used = withUsedKey(way);
  const settled = { order, attempts, payment: { ...payment, return: used } };
  // A refusal without an id made no refund: there is nothing to keep of it.
  const isRefund = state === "succeeded" || reference !== null;
  const refund = { reference, amount: amount ?? way.amount, state };
  const applied = isRefund ? applyReturnRefund(settled, refund, { ids, now }) : null;
  if (!applied) return endTry(order, settled.payment, ids);

  const { result, changes } = endTry(order, { ...applied.payment, return: used }, ids);
  const { attempts: changed, alerts } = applied.changes;
  return {
    result,
    changes: changes && { ...changes, attempts: changed, alerts: [...alerts, ...changes.alerts] },
  };
}

type EarlierReport = Pick<ReturnSettlement, "report" | "ids" | "now">;

/** Counts money that moved under an earlier key, whose answer came late. */
function noteEarlierKey(
  { attempts }: OrderSnapshot,
  order: OrderRecord,
  payment: PaymentRecord,
  { report, ids, now }: EarlierReport,
): Decision<PaymentReturned> {
  const unchanged = withoutChanges({ outcome: "unchanged", payment } as const);
  const hasMoved =
    report !== "no_answer" && report.status === "succeeded" && report.reference !== null;
  if (!hasMoved) return unchanged;

  const { reference, amount } = report;
  const refund = { reference, amount: amount ?? payment.amount, state: "succeeded" } as const;
  const applied = applyReturnRefund({ order, attempts, payment }, refund, { ids, now });
  if (!applied) return unchanged;

  const outcome = applied.payment.state === "returned" ? "returned" : "unchanged";
  return { result: { outcome, payment: applied.payment }, changes: applied.changes };
}

/**
 * Waits for the result, because the gateway has taken the return. It counts even
 * when it was given up in the meantime.
 */
function waitForResult(
  order: OrderRecord,
  money: ReturningPayment,
  { reference }: RefundReport,
): Ended {
  const refund_reference = reference ?? money.return.refund_reference;
  const payment: PaymentRecord = {
    ...money,
    state: "returning",
    return: { ...money.return, pending: true, refund_reference },
    check_at: money.check_at ?? money.updated_at + hourMs,
  };
  return {
    result: { outcome: "returning", payment },
    changes: orderChanges({ order, payments: [payment] }),
  };
}

type Ended = Decision<Exclude<PaymentReturned, { readonly outcome: "unknown_payment" }>>;

/** Ends a try. When the money is still here after the last one, the owner is told. */
function endTry(
  order: OrderRecord,
  payment: ReturningPayment,
  ids: Pick<EventIds, "alerts">,
): Ended {
  const { pending, tries } = payment.return;
  const isLast = !pending && tries >= maxTries;
  if (isLast && payment.state === "returning") return giveUp(order, payment, ids);

  const { state } = payment;
  const outcome = state === "returning" || state === "returned" ? state : "unchanged";
  return {
    result: { outcome, payment },
    changes: orderChanges({ order, payments: [payment] }),
  };
}

/** Gives up, because nobody asks any more: the owner is told, once. */
function giveUp(order: OrderRecord, money: PaymentRecord, ids: Pick<EventIds, "alerts">): Ended {
  const payment: PaymentRecord = { ...money, state: "return_failed", check_at: null };
  const alert = orderAlert(order, {
    id: ids.alerts[0],
    type: "return_failed",
    subject: money.id,
    data: {
      payment_id: money.id,
      reference: money.payment_reference,
      amount: money.amount - amountReturned(money),
      currency: money.currency,
    },
    now: money.updated_at,
  });
  return {
    result: { outcome: "return_failed", payment },
    changes: orderChanges({
      order,
      payments: [payment],
      alerts: money.state === "return_failed" ? [] : [alert],
    }),
  };
}
