import { withEntitlements } from "../entitlements/grant.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { isRefundable } from "../orders/order-states.ts";
import type { AttemptRecord, PaymentRecord, RefundRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";
import type { RefundReservation, RefundReserved } from "./refund-commands.ts";
import { firstRefundCheckMs } from "./refund-schedule.ts";
import { refundBalance, withRefunds } from "./refund-sums.ts";

// A refund first reserves its amount. The gateway then moves the money, outside any transaction.
// Its answer books the amount as refunded, or gives it back.

export function decideRefund(
  snapshot: OrderSnapshot,
  command: RefundReservation,
): Decision<RefundReserved> {
  const { order, refunds } = snapshot;
  if (!order) return withoutChanges({ outcome: "unknown_order" });

  const { id, reference, amount } = command.refund;
  const known = refunds.find((refund) => refund.id === id || isNamed(refund, reference));
  if (!known && command.not_moved) return withoutChanges({ outcome: "not_in_doubt" });
  if (!known) return reserveAmount(snapshot, order, command, null);

  if (amount !== null && amount !== known.amount)
    return withoutChanges({ outcome: "different_amount" });
  if (isUnknown(known) && command.moved_by_host)
    return bookByHost(snapshot, order, settledByHost(known, command.now), command);
  if (command.not_moved) return failByHost(snapshot, order, known, command);
  if (!wasRefused(known)) return withoutChanges({ outcome: "unchanged", order, refund: known });
  return reserveAmount(snapshot, order, command, known);
}

/**
 * Tells whether the reference names the refund. The host may name a refund that was
 * made at the provider by the provider's id.
 */
const isNamed = (refund: RefundRecord, reference: string): boolean =>
  refund.reference === reference ||
  (isMadeAtProvider(refund) && refund.provider_reference === reference);

/**
 * Tells whether the refund was made at the provider. Such a refund has no id of the
 * caller's: it carries its own twice.
 */
export const isMadeAtProvider = ({ id, reference }: RefundRecord): boolean => reference === id;

/**
 * Tells whether nobody asks about the refund any more: only the provider's message
 * or the host can settle it.
 */
const isUnknown = ({ state, check_at }: RefundRecord): boolean =>
  state === "pending" && check_at === null;

/**
 * Tells whether the provider never had the refund, so that the same call may try
 * again, under the next key.
 */
const wasRefused = ({ state, moved, acknowledged }: RefundRecord): boolean =>
  state === "failed" && moved === "by_gateway" && !acknowledged;

function reserveAmount(
  snapshot: OrderSnapshot,
  order: OrderRecord,
  command: RefundReservation,
  refused: RefundRecord | null,
): Decision<RefundReserved> {
  if (!isRefundable(order.status)) return withoutChanges({ outcome: "invalid_transition" });

  const balance = refundBalance(order);
  const amount = refused?.amount ?? command.refund.amount ?? balance;
  if (amount < 1 || amount > balance) return withoutChanges({ outcome: "exceeds_balance" });

  const paid = snapshot.payments.find(({ state }) => state === "booked") ?? null;
  const attempt = snapshot.attempts.find(({ state }) => state === "succeeded") ?? null;
  if (command.moved_by_host || isTakenByHost(attempt)) {
    const refund = refused
      ? settledByHost(refused, command.now)
      : newRefund(order, command, { amount, attempt, paid, moved: "by_host" });
    return bookByHost(snapshot, order, refund, command);
  }
  if (!attempt || !command.refunding.includes(attempt.gateway))
    return withoutChanges({ outcome: "no_gateway" });
  if (attempt.reference === null) return withoutChanges({ outcome: "no_reference" });

  const refund = refused
    ? triedAgain(refused, command)
    : newRefund(order, command, { amount, attempt, paid, moved: "by_gateway" });
  const reserved = withRefunds(order, replaceRefund(snapshot.refunds, refund), command.now);
  return {
    result: { outcome: "reserved", order: reserved, refund },
    changes: orderChanges({
      order: reserved,
      refunds: [refund],
      withdrawn: refused ? [{ type: "refund_failed", subject: refused.id }] : [],
    }),
  };
}

/** Tells whether the host's own code took the payment, so that it alone can send the money back. */
const isTakenByHost = (attempt: AttemptRecord | null): boolean => attempt?.gateway === "host";

interface RefundMove {
  readonly amount: number;
  readonly attempt: AttemptRecord | null;
  /** The money that pays the order. */
  readonly paid: PaymentRecord | null;
  readonly moved: RefundRecord["moved"];
}

function newRefund(
  order: OrderRecord,
  { refund, sent_now, now }: RefundReservation,
  { amount, attempt, paid, moved }: RefundMove,
): RefundRecord {
  const isByHost = moved === "by_host";
  return {
    store_id: order.store_id,
    livemode: order.livemode,
    id: refund.id,
    order_id: order.id,
    attempt_id: attempt?.id ?? null,
    reference: refund.reference,
    state: isByHost ? "succeeded" : "pending",
    amount,
    reason: refund.reason,
    moved,
    gateway: isByHost ? null : (attempt?.gateway ?? null),
    account: attempt?.account ?? null,
    attempt_reference: attempt?.reference ?? null,
    payment_reference:
      paid?.payment_reference ?? attempt?.payment_reference ?? attempt?.reference ?? null,
    provider_reference: null,
    failure_reason: null,
    key_attempt: 0,
    requested_at: !isByHost && sent_now ? now : null,
    acknowledged: false,
    asks_first: false,
    check_at: isByHost ? null : now + firstRefundCheckMs,
    succeeded_at: isByHost ? now : null,
    created_at: now,
    updated_at: now,
  };
}

const settledByHost = (refund: RefundRecord, now: number): RefundRecord => ({
  ...refund,
  state: "succeeded",
  moved: "by_host",
  failure_reason: null,
  asks_first: false,
  check_at: null,
  succeeded_at: now,
  updated_at: now,
});

/**
 * Tries a refused refund again. A refusal may have been about a repeat of a refund
 * that the provider has made: it is asked about before the next key is sent.
 */
const triedAgain = (refund: RefundRecord, { now }: RefundReservation): RefundRecord => ({
  ...refund,
  state: "pending",
  failure_reason: null,
  asks_first: true,
  requested_at: now,
  check_at: now + firstRefundCheckMs,
  updated_at: now,
});

/**
 * Settles a refund that nobody asks about any more: the host says that no money
 * moved. The provider's later word would still count.
 */
function failByHost(
  { refunds }: OrderSnapshot,
  order: OrderRecord,
  known: RefundRecord,
  { ids, now }: RefundReservation,
): Decision<RefundReserved> {
  if (known.state === "failed")
    return withoutChanges({ outcome: "unchanged", order, refund: known });
  if (!isUnknown(known)) return withoutChanges({ outcome: "not_in_doubt" });

  const refund: RefundRecord = {
    ...known,
    state: "failed",
    failure_reason: "The host says that no money moved.",
    acknowledged: false,
    updated_at: now,
  };
  const after = withRefunds(order, replaceRefund(refunds, refund), now);
  const events = new EventDrafts(ids.events, now);
  events.refundFailed(after, order.status, refund);
  return {
    result: { outcome: "settled", order: after, refund },
    changes: orderChanges({
      order: after,
      refunds: [refund],
      events: events.list,
      withdrawn: [{ type: "money_in_doubt", subject: refund.id }],
    }),
  };
}

function bookByHost(
  { refunds }: OrderSnapshot,
  order: OrderRecord,
  refund: RefundRecord,
  { ids, now }: RefundReservation,
): Decision<RefundReserved> {
  const booked = withRefunds(order, replaceRefund(refunds, refund), now);
  const events = new EventDrafts(ids.events, now);
  events.refund(booked, order.status, refund);
  const { order: after } = withEntitlements(booked, events);
  return {
    result: { outcome: "refunded", order: after, refund },
    changes: orderChanges({ order: after, refunds: [refund], events: events.list }),
  };
}

export const replaceRefund = (
  refunds: readonly RefundRecord[],
  refund: RefundRecord,
): readonly RefundRecord[] => [...refunds.filter(({ id }) => id !== refund.id), refund];
