import { dayMs } from "../../domain/durations.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { awaitsPayment } from "../orders/order-states.ts";
import type { AttemptRecord, PaymentRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";

/** An order with all that decides whether it is over. */
export interface WholeOrder
  extends Pick<
    OrderSnapshot,
    "session" | "attempts" | "payments" | "refunds" | "disputes" | "notes"
  > {
  readonly order: OrderRecord;
}

/**
 * Why an order stays where it is. `changed` is one that was changed in the last 180 days, or since
 * its file was written.
 */
export type StayReason =
  | "awaits_payment"
  | "payment_open"
  | "money_to_return"
  | "refund_pending"
  | "dispute_open"
  | "entitled"
  | "subscription_runs"
  | "not_counted"
  | "changed";

/** The time after an order's last change in which its events are kept and more may come. */
export const quietMs = 180 * dayMs;

const isOpen = ({ state, check_at }: AttemptRecord): boolean =>
  check_at !== null || state === "in_flight" || state === "unknown";

/** Tells whether the host has money that pays nothing, or sends it back. */
const isOwed = ({ state, check_at }: PaymentRecord): boolean =>
  check_at !== null || (state !== "booked" && state !== "returned");

/**
 * Says why an order is not over. Null means that nothing more happens to it and that nothing needs
 * it.
 */
export function reasonToStay(
  { order, session, attempts, payments, refunds, disputes, notes }: WholeOrder,
  isRunning: boolean,
  now: number,
): StayReason | null {
  if (awaitsPayment(order.status) || order.reserved || order.sweep_at !== null)
    return "awaits_payment";
  if (session?.sweep_at != null || attempts.some(isOpen)) return "payment_open";
  if (payments.some(isOwed)) return "money_to_return";
  if (order.amount_refunding > 0) return "refund_pending";
  if (refunds.some(({ state, check_at }) => state === "pending" || check_at !== null))
    return "refund_pending";
  if (disputes.some(({ outcome }) => outcome === null)) return "dispute_open";
  if (order.entitlements?.some(({ revoked_at }) => revoked_at === null)) return "entitled";
  if (isRunning) return "subscription_runs";
  if (order.in_stats !== true) return "not_counted";

  const rows = [order, ...attempts, ...payments, ...refunds, ...disputes];
  const latest = Math.max(
    ...rows.map(({ updated_at }) => updated_at),
    ...notes.map(({ created_at }) => created_at),
  );
  return latest > now - quietMs ? "changed" : null;
}
