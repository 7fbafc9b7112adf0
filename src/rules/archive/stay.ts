import { dayMs } from "../../domain/durations.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { awaitsPayment } from "../orders/order-states.ts";
import type { PaidSpan } from "../owner/sales.ts";
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

/** What is known of an order beside its own rows. */
export interface Surroundings {
  /** True when the order paid a period of a subscription that has not ended. */
  readonly isRunning: boolean;
  /** The payments whose sales outlive their orders, as the storage says. */
  readonly kept: PaidSpan | null;
  readonly now: number;
}

/** Tells whether the numbers and the sales stay as they are without the order. */
export const isCounted = ({ in_stats, paid_at }: OrderRecord, kept: PaidSpan | null): boolean =>
  in_stats === true &&
  (paid_at === null || kept === null || (paid_at >= kept.from && paid_at < kept.to));

/**
 * Says why an order is not over. Null means that nothing more happens to it and that nothing needs
 * it.
 */
export function reasonToStay(
  { order, session, attempts, payments, refunds, disputes, notes }: WholeOrder,
  { isRunning, kept, now }: Surroundings,
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
  if (!isCounted(order, kept)) return "not_counted";

  const rows = [order, ...attempts, ...payments, ...refunds, ...disputes];
  const latest = Math.max(
    ...rows.map(({ updated_at }) => updated_at),
    ...notes.map(({ created_at }) => created_at),
  );
  return latest > now - quietMs ? "changed" : null;
}
