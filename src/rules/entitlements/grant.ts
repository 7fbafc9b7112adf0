import type { EventDrafts } from "../orders/order-events.ts";
import { isRefundable } from "../orders/order-states.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import type { EntitlementRecord } from "./entitlement-record.ts";

/**
 * Gives what the lines of the session deliver. The lines of a link that pays a later period
 * deliver nothing: the first payment of the subscription has granted it.
 */
export const grantLines = (
  { lines }: SessionRecord,
  { items }: OrderRecord,
  granted_at: number,
): readonly EntitlementRecord[] =>
  lines.flatMap(({ delivery, product_id, quantity }, index) =>
    delivery
      ? {
          ...delivery,
          item_id: items[index]?.id ?? "",
          product_id,
          quantity,
          granted_at,
          revoked_at: null,
        }
      : [],
  );

/** Gives the session whose deliveries are now the order's. */
export const withoutDeliveries = (session: SessionRecord): SessionRecord => ({
  ...session,
  lines: session.lines.map(({ delivery: _granted, ...line }) => line),
});

/**
 * Gives the order whose entitlements follow its status: a buyer has what was bought exactly
 * while the order is paid and not refunded in full. So a chargeback revokes, and a dispute that
 * is won, or a refund that fails after all, grants the same again.
 */
export function withEntitlements(order: OrderRecord, events: EventDrafts): OrderRecord {
  const { entitlements = [], status, updated_at } = order;
  const stands = isRefundable(status);
  const moves = entitlements.some(({ revoked_at }) => (revoked_at === null) !== stands);
  if (!moves) return order;

  const revoked_at = stands ? null : updated_at;
  const after = { ...order, entitlements: entitlements.map((each) => ({ ...each, revoked_at })) };
  events.entitlements(stands ? "entitlement.granted" : "entitlement.revoked", after);
  return after;
}
