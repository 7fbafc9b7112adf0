import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { DisputeClosing, DisputeOpening, DisputeResult } from "./order-commands.ts";
import { EventDrafts } from "./order-events.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { DisputeRecord } from "./payment-records.ts";
import type { OrderRecord } from "./records.ts";

export function decideDispute(
  snapshot: OrderSnapshot,
  command: DisputeOpening,
): Decision<DisputeResult> {
  const { order, disputes } = snapshot;
  const { now } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const isKnown = disputes.some(({ id }) => id === command.dispute.id);
  if (isKnown) return withoutChanges({ outcome: "unchanged", order });
  if (!mayBeDisputed(order)) return withoutChanges({ outcome: "invalid_transition", order });

  const dispute: DisputeRecord = {
    store_id: order.store_id,
    livemode: order.livemode,
    payment_reference: null,
    notified: false,
    ...command.dispute,
    order_id: order.id,
    outcome: null,
    created_at: now,
    updated_at: now,
  };
  const disputed: OrderRecord = {
    ...order,
    status: "chargeback",
    status_before_dispute: order.status,
    disputed_at: now,
    updated_at: now,
  };

  const events = new EventDrafts(command.ids.events, now);
  events.dispute(disputed, order.status, dispute);
  return {
    result: { outcome: "opened", order: disputed },
    changes: orderChanges({ order: disputed, disputes: [dispute], events: events.list }),
  };
}

const mayBeDisputed = ({ status }: OrderRecord): boolean =>
  status === "paid" || status === "partially_refunded" || status === "refunded";

/** A dispute that is won gives the order its status of before. A lost one leaves the order so. */
export function decideDisputeClosed(
  snapshot: OrderSnapshot,
  command: DisputeClosing,
): Decision<DisputeResult> {
  const { order, disputes } = snapshot;
  const { now, result } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const dispute = disputes.find(({ id }) => id === command.dispute_id);
  if (!dispute) return withoutChanges({ outcome: "unknown_dispute" });
  if (dispute.outcome === result) return withoutChanges({ outcome: "unchanged", order });
  if (dispute.outcome !== null) return withoutChanges({ outcome: "invalid_transition", order });

  const closed: DisputeRecord = { ...dispute, outcome: result, updated_at: now };
  const restored = { status: order.status_before_dispute ?? "paid", status_before_dispute: null };
  const after: OrderRecord = {
    ...order,
    ...(result === "won" ? restored : {}),
    updated_at: now,
  };
  return {
    result: { outcome: "closed", order: after },
    changes: orderChanges({ order: after, disputes: [closed] }),
  };
}
