import type { OrderStatus } from "../contract/schemas.ts";
import type {
  DisputeClosing,
  DisputeOpening,
  RefundReservation,
  RefundSettlement,
} from "./order-commands.ts";
import { changesOf, type Decision, eventWriter, nothing, type Snapshot } from "./order-parts.ts";
import type { DisputeRecord, RefundRecord } from "./payment-records.ts";
import type { OrderRecord } from "./records.ts";

// Refunds and disputes (CONTRACT 6). A refund reserves its amount, the gateway moves it outside any transaction, and the result books or frees it.

export interface RefundDecision<Outcome extends string> extends Decision<Outcome> {
  readonly refund: RefundRecord | null;
}

export type ReservationOutcome =
  | "reserved"
  | "refunded"
  | "failed"
  | "invalid_transition"
  | "exceeds_balance"
  | "different_amount"
  | "unknown_order";

export function decideRefund(
  snapshot: Snapshot,
  command: RefundReservation,
): RefundDecision<ReservationOutcome> {
  const { order, attempts, refunds } = snapshot;
  const answer = (
    outcome: ReservationOutcome,
    refund: RefundRecord | null = null,
  ): RefundDecision<ReservationOutcome> => ({
    ...nothing(outcome, snapshot),
    refund,
  });
  if (!order) return answer("unknown_order");
  const { now } = command;
  const known = refunds.find(
    ({ id, reference }) => id === command.refund.id || reference === command.refund.reference,
  );
  if (known) {
    if (command.refund.amount !== null && command.refund.amount !== known.amount)
      return answer("different_amount", known);
    return answer(known.state === "succeeded" ? "refunded" : known.state, known);
  }
  if (order.status !== "paid" && order.status !== "partially_refunded")
    return answer("invalid_transition");
  const left = order.amount_total - order.amount_refunded - order.amount_refunding;
  const amount = command.refund.amount ?? left;
  if (amount < 1 || amount > left) return answer("exceeds_balance");

  const payment = attempts.find((attempt) => attempt.state === "succeeded");
  const byGateway =
    payment !== undefined &&
    payment.reference !== null &&
    command.refunding.includes(payment.gateway);
  const refund: RefundRecord = {
    store_id: order.store_id,
    livemode: order.livemode,
    id: command.refund.id,
    order_id: order.id,
    reference: command.refund.reference,
    state: byGateway ? "reserved" : "succeeded",
    amount,
    reason: command.refund.reason,
    gateway: byGateway ? payment.gateway : null,
    payment_reference: byGateway ? payment.reference : null,
    check_at: byGateway ? command.check_at : null,
    created_at: now,
    updated_at: now,
  };
  if (!byGateway) return book(order, refund, 0, command, "refunded");
  const reserved: OrderRecord = {
    ...order,
    amount_refunding: order.amount_refunding + amount,
    updated_at: now,
  };
  return {
    outcome: "reserved",
    order: reserved,
    attempt: null,
    refund,
    changes: changesOf(reserved, { refunds: [refund] }),
  };
}

export type SettlementOutcome =
  | "refunded"
  | "failed"
  | "unchanged"
  | "unknown_order"
  | "unknown_refund";

export function decideRefundResult(
  snapshot: Snapshot,
  command: RefundSettlement,
): RefundDecision<SettlementOutcome> {
  const { order, refunds } = snapshot;
  if (!order) return { ...nothing("unknown_order"), refund: null };
  const refund = refunds.find(({ id }) => id === command.refund_id);
  if (!refund) return { ...nothing("unknown_refund", snapshot), refund: null };
  if (refund.state !== "reserved") return { ...nothing("unchanged", snapshot), refund };
  const { now } = command;
  const settled: RefundRecord = {
    ...refund,
    state: command.succeeded ? "succeeded" : "failed",
    check_at: null,
    updated_at: now,
  };
  if (command.succeeded) return book(order, settled, refund.amount, command, "refunded");
  const freed: OrderRecord = {
    ...order,
    amount_refunding: order.amount_refunding - refund.amount,
    updated_at: now,
  };
  return {
    outcome: "failed",
    order: freed,
    attempt: null,
    refund: settled,
    changes: changesOf(freed, { refunds: [settled] }),
  };
}

/** The money went back. A dispute opened meanwhile keeps its status; winning it leads to the one that the refunds made. */
function book<O extends string>(
  order: OrderRecord,
  refund: RefundRecord,
  reserved: number,
  { ids, now }: Pick<RefundSettlement, "ids" | "now">,
  outcome: O,
): RefundDecision<O> {
  const amount_refunded = order.amount_refunded + refund.amount;
  const reached: OrderStatus =
    amount_refunded === order.amount_total ? "refunded" : "partially_refunded";
  const disputed = order.status === "chargeback";
  const booked: OrderRecord = {
    ...order,
    status: disputed ? "chargeback" : reached,
    status_before_dispute: disputed ? reached : order.status_before_dispute,
    amount_refunded,
    amount_refunding: order.amount_refunding - reserved,
    refunded_at: now,
    updated_at: now,
  };
  const events = eventWriter(ids.events, now);
  events.refunded(booked, order.status, refund);
  return {
    outcome,
    order: booked,
    attempt: null,
    refund,
    changes: changesOf(booked, { refunds: [refund], events: events.drafts }),
  };
}

export type DisputeOutcome =
  | "opened"
  | "closed"
  | "unchanged"
  | "invalid_transition"
  | "unknown_order"
  | "unknown_dispute";

export function decideDispute(
  snapshot: Snapshot,
  command: DisputeOpening,
): Decision<DisputeOutcome> {
  const { order, disputes } = snapshot;
  const { now } = command;
  if (!order) return nothing("unknown_order");
  if (disputes.some(({ id }) => id === command.dispute.id)) return nothing("unchanged", snapshot);
  if (
    order.status !== "paid" &&
    order.status !== "partially_refunded" &&
    order.status !== "refunded"
  )
    return nothing("invalid_transition", snapshot);
  const dispute: DisputeRecord = {
    store_id: order.store_id,
    livemode: order.livemode,
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
  const events = eventWriter(command.ids.events, now);
  events.disputed(disputed, order.status, dispute);
  return {
    outcome: "opened",
    order: disputed,
    attempt: null,
    changes: changesOf(disputed, { disputes: [dispute], events: events.drafts }),
  };
}

export function decideDisputeClosed(
  snapshot: Snapshot,
  command: DisputeClosing,
): Decision<DisputeOutcome> {
  const { order, disputes } = snapshot;
  const { now } = command;
  if (!order) return nothing("unknown_order");
  const dispute = disputes.find(({ id }) => id === command.dispute_id);
  if (!dispute) return nothing("unknown_dispute", snapshot);
  if (dispute.outcome === command.result) return nothing("unchanged", snapshot);
  if (dispute.outcome !== null) return nothing("invalid_transition", snapshot);
  const closed: DisputeRecord = { ...dispute, outcome: command.result, updated_at: now };
  const after: OrderRecord =
    command.result === "won"
      ? {
          ...order,
          status: order.status_before_dispute ?? "paid",
          status_before_dispute: null,
          updated_at: now,
        }
      : { ...order, updated_at: now };
  return {
    outcome: "closed",
    order: after,
    attempt: null,
    changes: changesOf(after, { disputes: [closed] }),
  };
}
