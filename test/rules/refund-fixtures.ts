import type { DisputeClosing, DisputeOpening } from "../../src/rules/disputes/dispute-commands.ts";
import type { Decision } from "../../src/rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import { newMoney } from "../../src/rules/payments/order-money.ts";
import type {
  AttemptRecord,
  PaymentRecord,
  RefundRecord,
} from "../../src/rules/payments/payment-records.ts";
import type { AlertRecord } from "../../src/rules/records.ts";
import type {
  RefundMessage,
  RefundReport,
  RefundReservation,
  RefundSettlement,
} from "../../src/rules/refunds/refund-commands.ts";
import { withRefunds } from "../../src/rules/refunds/refund-sums.ts";
import { base, paid, written as writtenOrder } from "../payments/order-fixtures.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const now = base.now + minute;
export const ids = { ...base.ids, refund: "rf_second" };

if (!paid.order) throw new Error("The fixture has an order.");
/** An order of 2,000 that is paid. */
export const order = paid.order;
export const where = { store_id: order.store_id, livemode: order.livemode, order_id: order.id };
export const attempt = paid.attempts[0] as AttemptRecord;

/** The money that pays the order. */
export const booked: PaymentRecord = newMoney(
  paid,
  attempt,
  { reference: "money", amount: 2_000, currency: "BRL", now: base.now },
  "booked",
);

/** The snapshot after a decision about money that came before. */
export function written(before: OrderSnapshot, decision: Decision<unknown>): OrderSnapshot {
  const { changes } = decision;
  const merge = <R extends { readonly id: string }>(old: readonly R[], fresh: readonly R[]) => [
    ...old.filter(({ id }) => !fresh.some((other) => other.id === id)),
    ...fresh,
  ];
  return {
    ...writtenOrder(before, decision),
    payments: merge(before.payments, changes?.payments ?? []),
    refunds: merge(before.refunds, changes?.refunds ?? []),
    disputes: merge(before.disputes, changes?.disputes ?? []),
  };
}

export const reserve = (
  reference: string,
  amount: number | null,
  changes: Partial<RefundReservation> = {},
): RefundReservation => ({
  ...where,
  refund: { id: `rf_${reference}`, reference, reason: null, amount },
  moved_by_host: false,
  refunding: ["sandbox"],
  sent_now: true,
  ids,
  now,
  ...changes,
});

export const settle = (
  reference: string,
  status: RefundReport["status"],
  changes: Partial<RefundSettlement> = {},
): RefundSettlement => ({
  ...where,
  refund_id: `rf_${reference}`,
  key_attempt: 0,
  report: { status, reference: `re_${reference}`, amount: null, failure_reason: null },
  within_call: false,
  ids,
  now: now + 1,
  ...changes,
});

/** A refund of 500 that the gateway was sent, and has not answered. */
export const refundOf = (reference: string, changes: Partial<RefundRecord> = {}): RefundRecord => ({
  ...where,
  id: `rf_${reference}`,
  attempt_id: attempt.id,
  reference,
  state: "pending",
  amount: 500,
  reason: null,
  moved: "by_gateway",
  gateway: "sandbox",
  account: null,
  attempt_reference: "ref",
  payment_reference: "money",
  provider_reference: null,
  failure_reason: null,
  key_attempt: 0,
  requested_at: now,
  acknowledged: false,
  asks_first: false,
  check_at: now + minute,
  succeeded_at: null,
  created_at: now,
  updated_at: now,
  ...changes,
});

/** The refund as a message has recorded it when it was made at the provider. */
export const atProvider = (id: string, changes: Partial<RefundRecord> = {}): RefundRecord =>
  refundOf(id, {
    reference: `rf_${id}`,
    attempt_reference: null,
    provider_reference: `re_${id}`,
    requested_at: null,
    acknowledged: true,
    check_at: null,
    ...changes,
  });

/** The order with its money and these refunds, whose sums it shows. */
export const withRefundsOf = (...refunds: readonly RefundRecord[]): OrderSnapshot => ({
  ...paid,
  payments: [booked],
  refunds,
  order: withRefunds(order, refunds, order.updated_at),
});

/** A message about the refund `re_1` of 500, made at the provider. */
export const message = (
  report: Partial<RefundMessage["report"]> = {},
  changes: Partial<RefundMessage> = {},
): RefundMessage => ({
  store_id: where.store_id,
  livemode: where.livemode,
  order_id: where.order_id,
  money: {
    gateway: "sandbox",
    account: null,
    payment_reference: "money",
    notification_id: "ntf_1",
  },
  refund_id: null,
  currency: "BRL",
  report: { status: "succeeded", reference: "re_1", amount: 500, failure_reason: null, ...report },
  ids: { ...ids, refund: "rf_new" },
  now: now + 1,
  ...changes,
});

/** An alert about the order. */
export const alertOf = (
  alert: Pick<AlertRecord, "id" | "type" | "subject" | "data" | "created_at">,
): AlertRecord => ({
  store_id: where.store_id,
  livemode: where.livemode,
  ...alert,
  data: { order_id: order.id, ...alert.data },
});

/** The host tells of a dispute; without an amount it is about the order's total. */
export const opening = (
  id: string,
  amount: number | null = null,
  changes: Partial<DisputeOpening> = {},
): DisputeOpening => ({
  ...where,
  dispute: { id, amount, reason: "fraud", due_by: null },
  inquiry: false,
  money: null,
  ids,
  now,
  ...changes,
});

/** The host tells of the end of a dispute. */
export const closing = (
  dispute_id: string,
  result: "won" | "lost",
  changes: Partial<DisputeClosing> = {},
): DisputeClosing => ({
  ...where,
  dispute_id,
  result,
  money: null,
  ids,
  now: now + 2,
  ...changes,
});
