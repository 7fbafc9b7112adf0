import type { OrderStatus } from "../contract/schemas.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type {
  RefundReservation,
  RefundReserved,
  RefundSettled,
  RefundSettlement,
} from "./order-commands.ts";
import { EventDrafts } from "./order-events.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { AttemptRecord, RefundRecord } from "./payment-records.ts";
import type { OrderRecord } from "./records.ts";

// A refund first reserves its amount. The gateway then moves the money, outside any transaction.
// Its result books the amount as refunded, or frees the reserve.

export function decideRefund(
  snapshot: OrderSnapshot,
  command: RefundReservation,
): Decision<RefundReserved> {
  const { order, attempts, refunds } = snapshot;
  const { now } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const { id, reference } = command.refund;
  const known = refunds.find((refund) => refund.id === id || refund.reference === reference);
  if (known) return withoutChanges(knownResult(order, known, command.refund.amount));
  if (order.status !== "paid" && order.status !== "partially_refunded")
    return withoutChanges({ outcome: "invalid_transition" });

  const balance = order.amount_total - order.amount_refunded - order.amount_refunding;
  const amount = command.refund.amount ?? balance;
  if (amount < 1 || amount > balance) return withoutChanges({ outcome: "exceeds_balance" });

  const payment = refundablePayment(attempts, command.refunding);
  const refund = newRefund(order, command, { amount, payment });
  if (!payment) return bookRefund(order, refund, { reserved: 0, ids: command.ids, now });

  const reserved: OrderRecord = {
    ...order,
    amount_refunding: order.amount_refunding + amount,
    updated_at: now,
  };
  return {
    result: { outcome: "reserved", order: reserved, refund },
    changes: orderChanges({ order: reserved, refunds: [refund] }),
  };
}

/** The answer to a refund whose id or reference was used before. */
function knownResult(
  order: OrderRecord,
  refund: RefundRecord,
  amount: number | null,
): RefundReserved {
  if (amount !== null && amount !== refund.amount) return { outcome: "different_amount" };
  const outcomes = { pending: "reserved", succeeded: "refunded", failed: "failed" } as const;
  return { outcome: outcomes[refund.state], order, refund };
}

/** The order's payment, when its gateway can move the money back. */
function refundablePayment(
  attempts: readonly AttemptRecord[],
  refunding: readonly string[],
): Pick<AttemptRecord, "id" | "gateway" | "reference"> | null {
  const payment = attempts.find((attempt) => attempt.state === "succeeded");
  if (!payment || payment.reference === null) return null;
  return refunding.includes(payment.gateway) ? payment : null;
}

function newRefund(
  order: OrderRecord,
  { refund, check_at, now }: RefundReservation,
  move: {
    readonly amount: number;
    /** Null: the host has moved the money. */
    readonly payment: Pick<AttemptRecord, "id" | "gateway" | "reference"> | null;
  },
): RefundRecord {
  return {
    store_id: order.store_id,
    livemode: order.livemode,
    id: refund.id,
    order_id: order.id,
    reference: refund.reference,
    attempt_id: move.payment?.id ?? null,
    state: move.payment ? "pending" : "succeeded",
    moved: move.payment ? "by_gateway" : "by_host",
    provider_reference: null,
    failure_reason: null,
    key_attempt: 0,
    requested_at: null,
    succeeded_at: move.payment ? null : now,
    amount: move.amount,
    reason: refund.reason,
    gateway: move.payment?.gateway ?? null,
    payment_reference: move.payment?.reference ?? null,
    check_at: move.payment ? check_at : null,
    created_at: now,
    updated_at: now,
  };
}

export function decideRefundResult(
  snapshot: OrderSnapshot,
  command: RefundSettlement,
): Decision<RefundSettled> {
  const { order, refunds } = snapshot;
  const { ids, now } = command;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const refund = refunds.find(({ id }) => id === command.refund_id);
  if (!refund) return withoutChanges({ outcome: "unknown_refund" });
  if (refund.state !== "pending") return withoutChanges({ outcome: "unchanged", order, refund });

  const settled: RefundRecord = {
    ...refund,
    state: command.succeeded ? "succeeded" : "failed",
    check_at: null,
    succeeded_at: command.succeeded ? now : null,
    updated_at: now,
  };
  if (command.succeeded) return bookRefund(order, settled, { reserved: refund.amount, ids, now });

  const freed: OrderRecord = {
    ...order,
    amount_refunding: order.amount_refunding - refund.amount,
    updated_at: now,
  };
  return {
    result: { outcome: "failed", order: freed, refund: settled },
    changes: orderChanges({ order: freed, refunds: [settled] }),
  };
}

interface RefundBooking extends Pick<RefundSettlement, "ids" | "now"> {
  /** What the refund had reserved: the booking frees it. */
  readonly reserved: number;
}

interface RefundBooked {
  readonly outcome: "refunded";
  readonly order: OrderRecord;
  readonly refund: RefundRecord;
}

/**
 * The money went back. An order that was disputed meanwhile stays so: when the dispute is won, the
 * order gets the status that its refunds reached.
 */
function bookRefund(
  order: OrderRecord,
  refund: RefundRecord,
  { reserved, ids, now }: RefundBooking,
): Decision<RefundBooked> {
  const amount_refunded = order.amount_refunded + refund.amount;
  const isWhole = amount_refunded === order.amount_total;
  const reached: OrderStatus = isWhole ? "refunded" : "partially_refunded";
  const isDisputed = order.status === "chargeback";
  const booked: OrderRecord = {
    ...order,
    status: isDisputed ? "chargeback" : reached,
    status_before_dispute: isDisputed ? reached : order.status_before_dispute,
    amount_refunded,
    amount_refunding: order.amount_refunding - reserved,
    refunded_at: now,
    updated_at: now,
  };

  const events = new EventDrafts(ids.events, now);
  events.refund(booked, order.status, refund);
  return {
    result: { outcome: "refunded", order: booked, refund },
    changes: orderChanges({ order: booked, refunds: [refund], events: events.list }),
  };
}
