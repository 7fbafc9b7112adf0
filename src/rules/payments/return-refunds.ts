import { orderAlert } from "../orders/order-alert.ts";
import { type OrderChanges, orderChanges } from "../orders/order-changes.ts";
import type { EventIds } from "../orders/order-commands.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { AlertRecord, OrderRecord } from "../records.ts";
import type { AttemptRecord, MoneyReturn, PaymentRecord, ReturnRefund } from "./payment-records.ts";

// These rules are about the refunds of money that pays nothing: a duplicate, or
// money of another amount. Each counts once by the provider's id of it, and the
// money is returned when they make up its amount. The order's sums are about the
// money that pays it.

/** Gives the minor units of the money that went back to the buyer. */
export const amountReturned = ({ sent_back }: Pick<PaymentRecord, "sent_back">): number =>
  sent_back
    .filter(({ state }) => state === "succeeded")
    .reduce((sum, { amount }) => sum + amount, 0);

/** Money that pays nothing, with its order, as one step reads them. */
export interface NeedlessMoney extends Pick<OrderSnapshot, "attempts"> {
  readonly order: OrderRecord;
  readonly payment: PaymentRecord;
}

interface Told {
  readonly ids: Pick<EventIds, "alerts">;
  readonly now: number;
}

/**
 * Brings the result of one refund into the money. Null means that it tells nothing
 * new. A failure is final, and a success ends in a failure only: the bank has sent
 * the money back.
 */
export function applyReturnRefund(
  needless: NeedlessMoney,
  report: ReturnRefund,
  told: Told,
): { readonly payment: PaymentRecord; readonly changes: OrderChanges } | null {
  const { order, attempts, payment: before } = needless;
  const known = findKnown(before.sent_back, report);
  const isNamedNow = known?.reference === null && report.reference !== null;
  if (known?.state === "failed" || (known?.state === report.state && !isNamedNow)) return null;

  const refund: ReturnRefund = {
    ...report,
    reference: report.reference ?? known?.reference ?? null,
  };
  const sent_back = [...before.sent_back.filter((other) => other !== known), refund];
  const payment = withStateOfSums({ ...before, sent_back, updated_at: told.now });

  const isTakenBack = known?.state === "succeeded" && refund.state === "failed";
  const returned = amountReturned(payment);
  const exceeds = returned > payment.amount && returned > amountReturned(before);
  const alert = (type: "return_failed" | "refund_exceeds_order"): AlertRecord =>
    orderAlert(order, {
      id: told.ids.alerts[1],
      type,
      subject: payment.id,
      data: refundOf(payment, refund),
      now: told.now,
    });
  const alerts = [
    ...(isTakenBack ? [alert("return_failed")] : []),
    // More of the money has gone back than came.
    ...(exceeds ? [alert("refund_exceeds_order")] : []),
  ];
  const changes = orderChanges({
    order,
    attempts: attemptsOf(payment, attempts, told.now),
    payments: [payment],
    alerts,
  });
  return { payment, changes };
}

/**
 * Finds a known refund. One that the gateway gave no id for is the next one of its
 * amount that is told of.
 */
const findKnown = (
  sent_back: readonly ReturnRefund[],
  { reference, amount }: ReturnRefund,
): ReturnRefund | undefined =>
  sent_back.find((refund) => refund.reference === reference) ??
  sent_back.find((refund) => refund.reference === null && refund.amount === amount);

function withStateOfSums(payment: PaymentRecord): PaymentRecord {
  if (amountReturned(payment) >= payment.amount)
    return { ...payment, state: "returned", check_at: null };
  if (payment.state !== "returned") return payment;
  return { ...payment, state: "return_failed", check_at: null };
}

/**
 * Gives the attempt with its new state when this is its first money, which has the
 * attempt's id.
 */
function attemptsOf(
  payment: PaymentRecord,
  attempts: readonly AttemptRecord[],
  now: number,
): readonly AttemptRecord[] {
  const state = payment.state === "returned" ? "returned" : "duplicate";
  return attempts
    .filter(({ id }) => id === payment.id)
    .filter((attempt) => attempt.state === "duplicate" || attempt.state === "returned")
    .filter((attempt) => attempt.state !== state)
    .map((attempt) => ({ ...attempt, state, check_at: null, updated_at: now }));
}

const refundOf = (payment: PaymentRecord, refund: ReturnRefund) => ({
  payment_id: payment.id,
  reference: payment.payment_reference,
  refund_reference: refund.reference,
  amount: refund.amount,
  currency: payment.currency,
});

/**
 * Uses the key up, as every result of the provider does: what is left is asked for
 * with the next one.
 */
export const withUsedKey = (way: MoneyReturn): MoneyReturn => ({
  ...way,
  key_attempt: way.key_attempt + 1,
  requested_at: null,
  pending: false,
  refund_reference: null,
});
