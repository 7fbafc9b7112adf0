import { type Decision, type OrderChanges, orderChanges } from "../orders/order-changes.ts";
import type { PaymentApplication, PaymentApplied } from "../orders/order-commands.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { awaitsPayment } from "../orders/order-states.ts";
import { noteDuplicate } from "../orders/order-transitions.ts";
import { endOthers, isOpen } from "../payments/order-attempt.ts";
import type {
  AttemptRecord,
  PaymentRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";
import { nextPeriod, pastDue, tellPastDue, tellRenewed } from "./period.ts";
import { aheadMs, awaitsPeriod, isEnding, renewalBy } from "./subscription-record.ts";

// What the charge of a renewal changes: the period's order, and the subscription behind it.

interface PeriodMoney {
  readonly subscription: SubscriptionRecord;
  readonly order: OrderRecord;
  /** The attempt with the money that came for it. */
  readonly attempt: AttemptRecord;
  readonly money: PaymentRecord;
}

/** Pays the period. Money that comes after the subscription's end pays nothing. */
export function payPeriod(
  snapshot: OrderSnapshot,
  payment: PeriodMoney,
  { ids, now }: PaymentApplication,
): Decision<PaymentApplied> {
  const { subscription, order: unpaid, attempt, money } = payment;
  if (!awaitsPeriod(subscription, { period_start: unpaid.period_start ?? 0 }))
    return noteNeedless(payment, { ids, now });

  const order: OrderRecord = {
    ...unpaid,
    status: "paid",
    failure_code: null,
    payment_method_type: attempt.method_type ?? unpaid.payment_method_type,
    paid_at: now,
    updated_at: now,
  };
  const settled = nextPeriod(subscription, order, now);

  const events = new EventDrafts(ids.events, now);
  events.order("order.paid", order, unpaid.status);
  tellRenewed(events, subscription, settled, order);

  return {
    result: { outcome: "paid", order, attempt },
    changes: orderChanges({
      order,
      attempts: [attempt, ...endOthers(snapshot.attempts, attempt, now)],
      payments: [money],
      subscription: settled,
      events: events.list,
    }),
  };
}

/**
 * Fails the order of the period and tells the owner about its money. The money pays nothing,
 * because the subscription has ended or another order has paid the period.
 */
function noteNeedless(
  { subscription, order: unpaid, attempt, money }: PeriodMoney,
  { ids, now }: Pick<PaymentApplication, "ids" | "now">,
): Decision<PaymentApplied> {
  const order: OrderRecord = {
    ...unpaid,
    status: "failed",
    failure_code: unpaid.failure_code ?? "canceled",
    updated_at: now,
  };
  const needless: PaymentRecord = { ...money, state: "duplicate" };
  const alert = isEnding(subscription) ? "payment_after_end" : "duplicate_payment";
  const noted = noteDuplicate({ order, attempt, isFirst: true, money: needless, ids, alert });

  const events = new EventDrafts(ids.events, now);
  if (awaitsPayment(unpaid.status)) events.order("order.failed", order, unpaid.status);
  const changes = noted.changes && { ...noted.changes, events: events.list };
  return { result: noted.result, changes };
}

/**
 * Follows a charge that failed: the subscription is past due, and maintenance plans the
 * next try. A charge whose result is not known blocks the next one.
 */
export function followFailure(
  { result, changes }: Decision<PaymentApplied>,
  { subscription, attempts }: OrderSnapshot,
  command: PaymentApplication,
): Decision<PaymentApplied> {
  if (!subscription || result.outcome === "unknown_attempt") return { result, changes };

  const { order, attempt } = result;
  const isOfThisPeriod = order.period_start === subscription.current_period_end;
  const wasOpen = attempts.some((known) => known.id === attempt.id && isOpen(known));
  const hasFailed = result.outcome === "failed" || (attempt.state === "failed" && wasOpen);
  if (!isOfThisPeriod || !hasFailed) return { result, changes };

  const { now, ids } = command;
  const isWithdrawn = isEnding(subscription) || subscription.paused_at != null;
  const before = isWithdrawn && !isOpen(attempt) ? withoutTry(subscription) : null;
  const written = changes ?? orderChanges({ order });
  if (before) return { result, changes: { ...written, subscription: before } };
  // A charge that was made ahead, for a buyer who has been erased since, leaves no period unpaid.
  const isErased = !subscription.renewal && now < subscription.current_period_end;
  if (isEnding(subscription) || isErased) return { result, changes };

  const settled = withFailedTry(pastDue(subscription, order, now), attempt, command);
  const events = new EventDrafts(ids.events.slice(written.events.length), now);
  tellPastDue(events, subscription, settled, order);
  if (settled.renewal?.stopped && !subscription.renewal?.stopped)
    events.subscription("subscription.payment_action_required", settled, order);
  return { result, changes: withSubscription(written, settled, events) };
}

const withSubscription = (
  changes: OrderChanges,
  subscription: SubscriptionRecord,
  events: EventDrafts,
): OrderChanges => ({ ...changes, subscription, events: [...changes.events, ...events.list] });

/**
 * Takes back a try that was made ahead of a period which nobody charges now: it is made again when
 * the buyer keeps or resumes the subscription. Null writes nothing.
 */
function withoutTry(subscription: SubscriptionRecord): SubscriptionRecord | null {
  const { renewal, status, current_period_start: from, current_period_end: next } = subscription;
  const isAhead = renewal?.tries === 1 && aheadMs(renewal.saved) > 0;
  if (!renewal || !isAhead || status !== "active") return null;

  const { charge_at } = renewalBy(renewal.saved, { from, next });
  return { ...subscription, renewal: { ...renewal, tries: 0, charge_at } };
}

function withFailedTry(
  subscription: SubscriptionRecord,
  attempt: AttemptRecord,
  { result, now }: PaymentApplication,
): SubscriptionRecord {
  const { renewal } = subscription;
  if (!renewal) return subscription;

  const stopped = renewal.stopped || (result.status === "failed" && result.needs_buyer === true);
  // Maintenance finds the charge due now, and moves it to the next day of the store's plan.
  return {
    ...subscription,
    renewal: { ...renewal, stopped, charge_at: isOpen(attempt) ? null : now },
  };
}
