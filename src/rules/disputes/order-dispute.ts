import { withEntitlements } from "../entitlements/grant.ts";
import { orderAlert } from "../orders/order-alert.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { isPaid } from "../orders/order-states.ts";
import type { DisputeRecord, PaymentRecord, RefundRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";
import { findMoney } from "../refunds/refund-message.ts";
import type { DisputeClosing, DisputeOpening, DisputeResult } from "./dispute-commands.ts";

/**
 * Decides a dispute, which takes the order to `chargeback`. With `message_seen` the
 * same message came before, and nothing changes.
 */
export function decideDispute(
  snapshot: OrderSnapshot,
  command: DisputeOpening,
  message_seen = false,
): Decision<DisputeResult> {
  const { order, disputes } = snapshot;
  const { dispute, money } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const payment = money && findMoney(snapshot, money);
  if (payment === undefined) return withoutChanges({ outcome: "unknown_payment" });

  const isKnown = disputes.some(({ id }) => id === dispute.id);
  if (isKnown || message_seen) return withoutChanges({ outcome: "unchanged", order });
  if (command.inquiry) return tellOwner(order, command, "dispute_inquiry");
  if (payment && payment.state !== "booked") return tellOwner(order, command, "duplicate_disputed");

  if (!isPaid(order.status)) return withoutChanges({ outcome: "invalid_transition", order });
  const amount = dispute.amount ?? order.amount_total;
  // A provider's report is recorded in full: fees and exchange rates can exceed the order.
  if (!money && amount > order.amount_total) return withoutChanges({ outcome: "exceeds_total" });

  return openDispute(order, newDispute(order, { ...command, amount }, null), command);
}

type DisputeFacts = Pick<DisputeOpening, "dispute" | "money" | "now"> & { readonly amount: number };

const newDispute = (
  { store_id, livemode, id: order_id }: OrderRecord,
  { dispute, money, amount, now }: DisputeFacts,
  outcome: DisputeRecord["outcome"],
): DisputeRecord => ({
  store_id,
  livemode,
  id: dispute.id,
  order_id,
  payment_reference: money?.payment_reference ?? null,
  amount,
  reason: dispute.reason,
  due_by: dispute.due_by,
  outcome,
  notified: money !== null,
  created_at: now,
  updated_at: now,
});

function openDispute(
  order: OrderRecord,
  dispute: DisputeRecord,
  { ids, now }: Pick<DisputeOpening, "ids" | "now">,
): Decision<DisputeResult> {
  const isDisputed = order.status === "chargeback";
  const disputed: OrderRecord = {
    ...order,
    status: "chargeback",
    status_before_dispute: isDisputed ? order.status_before_dispute : order.status,
    disputed_at: now,
    updated_at: now,
  };

  const events = new EventDrafts(ids.events, now);
  events.dispute(disputed, order.status, dispute);
  const { order: after } = withEntitlements(disputed, events);
  return {
    result: { outcome: "opened", order: after },
    changes: orderChanges({ order: after, disputes: [dispute], events: events.list }),
  };
}

/**
 * Tells the owner alone. A question of the bank, and a dispute of money that did
 * not pay the order, leave the order as it is.
 */
function tellOwner(
  order: OrderRecord,
  { dispute, money, ids, now }: DisputeOpening,
  type: "dispute_inquiry" | "duplicate_disputed",
): Decision<DisputeResult> {
  const alert = orderAlert(order, {
    id: ids.alerts[0],
    type,
    subject: order.id,
    data: {
      reference: dispute.id,
      payment_reference: money?.payment_reference ?? null,
      amount: dispute.amount,
      reason: dispute.reason,
    },
    now,
  });
  return {
    result: { outcome: "alerted", order },
    changes: orderChanges({ order, alerts: [alert] }),
  };
}

/**
 * Decides the end of a dispute. The order leaves `chargeback` when its last dispute
 * has closed and none was lost. A later verdict of the provider replaces an earlier
 * one: what was won can be lost, and the reverse.
 */
export function decideDisputeClosed(
  snapshot: OrderSnapshot,
  command: DisputeClosing,
  message_seen = false,
): Decision<DisputeResult> {
  const { order, disputes } = snapshot;
  const { now, result, money } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const payment = money && findMoney(snapshot, money);
  if (payment === undefined) return withoutChanges({ outcome: "unknown_payment" });
  if (message_seen) return withoutChanges({ outcome: "unchanged", order });

  const dispute = disputes.find(({ id }) => id === command.dispute_id);
  if (!dispute && payment && !command.known_only) return recordClosed(order, payment, command);
  if (!dispute) return withoutChanges({ outcome: "unknown_dispute" });
  if (dispute.outcome === result) return withoutChanges({ outcome: "unchanged", order });
  // The provider's own verdict replaces an earlier one. The host's does not.
  if (dispute.outcome !== null && !money)
    return withoutChanges({ outcome: "invalid_transition", order });

  const closed: DisputeRecord = { ...dispute, outcome: result, updated_at: now };
  return result === "lost" && dispute.outcome === "won" && order.status !== "chargeback"
    ? openDispute(order, closed, command)
    : closeDispute(snapshot, order, closed, { ...command, was: dispute.outcome });
}

type Verdict = Pick<DisputeClosing, "ids" | "now"> & { readonly was: DisputeRecord["outcome"] };

/**
 * Stores the verdict. The order gets its status of before when all disputes are won.
 * When that takes a lost one back, the event of the status tells of it.
 */
function closeDispute(
  { disputes, refunds, pools }: OrderSnapshot,
  order: OrderRecord,
  closed: DisputeRecord,
  { ids, now, was }: Verdict,
): Decision<DisputeResult> {
  const others = disputes.filter(({ id }) => id !== closed.id);
  const isLast = [...others, closed].every(({ outcome }) => outcome === "won");
  const restored = { status: order.status_before_dispute ?? "paid", status_before_dispute: null };
  const isRestored = isLast && order.status === "chargeback";
  const settled: OrderRecord = { ...order, ...(isRestored ? restored : {}), updated_at: now };

  const events = new EventDrafts(ids.events, now);
  if (isRestored && was === "lost") tellStatus(events, settled, refunds);
  const { order: after, keys } = withEntitlements(settled, events, pools);
  return {
    result: { outcome: "closed", order: after },
    changes: orderChanges({ order: after, disputes: [closed], ...keys, events: events.list }),
  };
}

/** Writes the event of the status that the order has again. */
function tellStatus(
  events: EventDrafts,
  order: OrderRecord,
  refunds: readonly RefundRecord[],
): void {
  const refund = refunds.filter(({ state }) => state === "succeeded").at(-1);
  if (order.status === "paid" || !refund) events.order("order.paid", order, "chargeback");
  else events.refund(order, "chargeback", refund);
}

/**
 * Records a dispute that is closed already. The message of the end came before that
 * of the opening, which then finds the dispute and changes nothing. A lost one
 * takes the order to `chargeback` now.
 */
function recordClosed(
  order: OrderRecord,
  payment: PaymentRecord,
  command: DisputeClosing,
): Decision<DisputeResult> {
  const { dispute_id, result, money, now } = command;
  if (payment.state !== "booked" || !isPaid(order.status))
    return withoutChanges({ outcome: "unchanged", order });

  const facts = { id: dispute_id, amount: null, reason: null, due_by: null };
  const described = { dispute: facts, money, amount: payment.amount, now };
  const dispute = newDispute(order, described, result);
  if (result === "lost") return openDispute(order, dispute, command);

  return {
    result: { outcome: "closed", order },
    changes: orderChanges({ order, disputes: [dispute] }),
  };
}
