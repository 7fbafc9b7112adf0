import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { isPaid } from "../orders/order-states.ts";
import { noteDuplicate } from "../orders/order-transitions.ts";
import { attemptTime, endOthers, hostAttempt } from "../payments/order-attempt.ts";
import { findByReference, hasMoney, hasMoneyOf, newMoney } from "../payments/order-money.ts";
import type { AttemptRecord, SubscriptionRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";
import { nextPeriod, pastDue, renewalOrder, tellPastDue, tellRenewed } from "./period.ts";
import type { Renewal, RenewalResult } from "./subscription-commands.ts";
import { hasPaid, isEnding } from "./subscription-record.ts";

/**
 * Decides a renewal from what the host says about the payment of the next period. The snapshot has
 * the order of this period, or else the one of `orderAfterEnd`.
 */
export function decideRenewal(snapshot: OrderSnapshot, command: Renewal): Decision<RenewalResult> {
  const { subscription, order, elsewhere } = snapshot;
  const { paid, period_start } = command;
  if (!subscription) return withoutChanges({ outcome: "unknown_subscription" });

  const isTaken = elsewhere.length > 0;
  const known = order?.period_start === period_start ? order : null;
  // The period's order tells a repeat: it is paid once, and failing again changes nothing.
  if (known && !paid) return withoutChanges({ outcome: "unchanged", subscription, order: known });
  if (known && isPaid(known.status)) {
    if (isTaken) return withoutChanges({ outcome: "reference_taken" });
    return noteNeedlessPayment(
      { snapshot, subscription, order: known, paysFor: "period" },
      command,
    );
  }

  const refusal = refuseRenewal(subscription, command);
  const isOver =
    refusal === "unknown_period" && (known !== null || hasPaid(subscription, period_start));
  if ((isOver || refusal === "invalid_transition") && paid && order) {
    if (elsewhere.some(hasMoney)) return withoutChanges({ outcome: "reference_taken" });
    const paysFor = isOver ? "period" : "nothing";
    return noteNeedlessPayment({ snapshot, subscription, order, paysFor }, command);
  }
  if (refusal) return withoutChanges({ outcome: refusal, subscription });
  if (isTaken) return withoutChanges({ outcome: "reference_taken" });
  return settlePeriod({ ...snapshot, order: known }, subscription, command);
}

function refuseRenewal(
  subscription: SubscriptionRecord,
  { period_start, paid, amount, currency }: Renewal,
): "unknown_period" | "invalid_transition" | "mismatch" | null {
  const { current_period_end } = subscription;
  // A provider may go on to charge for any number of periods after the end.
  if (isEnding(subscription) && period_start >= current_period_end) return "invalid_transition";
  if (period_start !== current_period_end) return "unknown_period";

  const isExact = amount === subscription.amount && currency === subscription.currency;
  return paid && !isExact ? "mismatch" : null;
}

/**
 * Writes the period's order as paid or failed, and the subscription that follows
 * from it.
 */
function settlePeriod(
  snapshot: OrderSnapshot,
  subscription: SubscriptionRecord,
  command: Renewal,
): Decision<RenewalResult> {
  const { order: known } = snapshot;
  const { now, paid, attempt_id, reference } = command;
  const base = known ?? renewalOrder(subscription, command);
  const failure_code = paid ? null : command.failure_code;
  const order: OrderRecord = paid
    ? { ...base, status: "paid", failure_code, paid_at: now, updated_at: now }
    : { ...base, status: "failed", failure_code, updated_at: now };
  const settled = paid ? nextPeriod(subscription, order, now) : pastDue(subscription, order, now);

  const events = new EventDrafts(command.ids.events, now);
  if (!known) events.order("order.created", { ...base, status: "pending" }, null);
  events.order(paid ? "order.paid" : "order.failed", order, base.status);
  if (paid) tellRenewed(events, subscription, settled, order);
  else tellPastDue(events, subscription, settled, order);
  if (!paid && command.needs_buyer)
    events.subscription("subscription.payment_action_required", settled, order);

  const attempt = hostAttempt(order, { id: attempt_id, reference, failure_code, now });
  const { amount_total: amount, currency } = order;
  const received = { reference, amount, currency, now };
  return {
    result: { outcome: paid ? "renewed" : "failed", subscription: settled, order },
    changes: orderChanges({
      order,
      attempts: [attempt, ...(paid ? endOthers(snapshot.attempts, attempt, now) : [])],
      payments: paid ? [newMoney(snapshot, attempt, received, "booked")] : [],
      subscription: settled,
      events: events.list,
    }),
  };
}

interface NeedlessPayment {
  readonly snapshot: OrderSnapshot;
  readonly subscription: SubscriptionRecord;
  readonly order: OrderRecord;
  /**
   * `period` means a period that is paid already. `nothing` means that the
   * subscription had ended.
   */
  readonly paysFor: "period" | "nothing";
}

/**
 * Notes money that no period needs. It is recorded whatever its amount, as a
 * duplicate of the order, and the owner is told. A repeat of the same money changes
 * nothing.
 */
function noteNeedlessPayment(
  { snapshot, subscription, order, paysFor }: NeedlessPayment,
  { reference, amount, currency, attempt_id, ids, now }: Renewal,
): Decision<RenewalResult> {
  const { attempts, payments } = snapshot;
  const isKnown =
    findByReference(payments, reference) !== undefined ||
    attempts.some((attempt) => attempt.id === attempt_id || hasMoneyOf(attempt, reference));
  if (isKnown) return withoutChanges({ outcome: "unchanged", subscription, order });

  const time = attemptTime(attempts, now);
  const received = {
    reference,
    amount: amount ?? order.amount_total,
    currency: currency ?? order.currency,
    now: time,
  };
  const attempt: AttemptRecord = {
    ...hostAttempt(order, { id: attempt_id, reference, failure_code: null, now: time }),
    received_amount: received.amount,
    received_currency: received.currency,
  };
  const money = newMoney(snapshot, attempt, received, "duplicate");

  const isDuplicate = paysFor === "period";
  const alert = isDuplicate ? "duplicate_payment" : "payment_after_end";
  const { changes } = noteDuplicate({ order, attempt, isFirst: true, money, ids, alert });
  const outcome = isDuplicate ? "duplicate" : "after_end";
  return { result: { outcome, subscription, order }, changes };
}
