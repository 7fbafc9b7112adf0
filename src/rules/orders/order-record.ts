import { minuteMs } from "../../domain/durations.ts";
import { optionsField } from "../catalog/groups/product-options.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import type { BuyerFacts, OrderIds, ReservationSettlement } from "./order-commands.ts";
import { customerOf } from "./order-customer.ts";
import { awaitsPayment } from "./order-states.ts";

/** The request settles the reservation in the host's catalog. After this time, maintenance does. */
const settleReservationMs = minuteMs;

/**
 * Gives the time at which maintenance settles the order's reservation. It gives
 * null when it has none.
 */
export function settlementTime(
  reserved: boolean,
  now: number,
  { settled_later = false }: ReservationSettlement,
): number | null {
  if (!reserved) return null;
  return settled_later ? now : now + settleReservationMs;
}

/**
 * Makes the order of a session's first payment. It holds nothing yet, and the
 * storage numbers it.
 */
export function newOrder(
  session: SessionRecord,
  ids: OrderIds,
  buyer: BuyerFacts,
  now: number,
): OrderRecord {
  return {
    store_id: session.store_id,
    livemode: session.livemode,
    id: ids.order,
    number: 0,
    status: "pending",
    session_id: session.id,
    subscription_id: null,
    currency: session.currency,
    amount_subtotal: session.amount_subtotal,
    amount_discount: session.amount_discount,
    amount_total: session.amount_total,
    amount_refunded: 0,
    amount_refunding: 0,
    coupon_id: session.coupon_id,
    coupon_code: session.coupon_code,
    coupon_key: null,
    items: orderItems(session, ids.items),
    customer: customerOf(session, null, buyer, ids.customer),
    payment_method_type: null,
    failure_code: null,
    metadata: session.metadata,
    ...(session.channel !== undefined && { channel: session.channel }),
    holds: "none",
    reserved: false,
    sweep_at: session.expires_at,
    period_start: null,
    in_stats: true,
    status_before_dispute: null,
    created_at: now,
    updated_at: now,
    paid_at: null,
    refunded_at: null,
    disputed_at: null,
  };
}

const orderItems = (session: SessionRecord, ids: readonly string[]): OrderRecord["items"] =>
  session.lines.map((line, index) => ({
    id: ids[index] ?? "",
    product_id: line.product_id,
    product_slug: line.product_slug,
    name: line.name,
    image_url: line.image_url,
    quantity: line.quantity,
    unit_amount: line.unit_amount,
    amount_subtotal: line.amount_subtotal,
    amount_discount: line.amount_discount,
    amount_total: line.amount_total,
    variables: { ...line.variables },
    ...optionsField(line),
  }));

/**
 * Gives the order whose pieces the host's catalog confirmed or released. It gives
 * null when none are due.
 */
export const withReservationSettled = (order: OrderRecord): OrderRecord | null =>
  order.reserved && !awaitsPayment(order.status)
    ? { ...order, reserved: false, sweep_at: null }
    : null;
