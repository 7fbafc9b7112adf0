import type { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { isRefundable } from "../orders/order-states.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import type { EntitlementRecord, LineDelivery } from "./entitlement-record.ts";
import { type FilledOrder, fillOrder } from "./key-pool.ts";

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
      ? idsOf(delivery).map((id) => ({
          id,
          content: delivery.content,
          item_id: items[index]?.id ?? "",
          product_id,
          quantity: delivery.more_ids ? 1 : quantity,
          granted_at,
          revoked_at: null,
        }))
      : [],
  );

const idsOf = ({ id, more_ids = [] }: LineDelivery): readonly string[] => [id, ...more_ids];

/** Gives the session whose deliveries are now the order's. */
export const withoutDeliveries = (session: SessionRecord): SessionRecord => ({
  ...session,
  lines: session.lines.map(({ delivery: _granted, ...line }) => line),
});

/**
 * Gives the order whose entitlements follow its status: a buyer has what was bought exactly
 * while the order is paid and not refunded in full. So a chargeback revokes, and a dispute that
 * is won, or a refund that fails after all, grants the same again. An entitlement that had no key
 * yet takes one from the pools. What the owner has granted again stays with the buyer.
 */
export function withEntitlements(
  order: OrderRecord,
  events: EventDrafts,
  pools: OrderSnapshot["pools"] = new Map(),
): FilledOrder {
  const { entitlements = [], status, updated_at } = order;
  const stands = isRefundable(status);
  const follows = entitlements.filter(({ regranted_at }) => stands || regranted_at === undefined);
  const moves = follows.some(({ revoked_at }) => (revoked_at === null) !== stands);
  if (!moves) return { order, keys: {} };

  const revoked_at = stands ? null : updated_at;
  const move = ({ regranted_at: _given, ...each }: EntitlementRecord) => ({ ...each, revoked_at });
  const moved = entitlements.map((each) => (follows.includes(each) ? move(each) : each));
  const after = fillOrder({ ...order, entitlements: moved }, pools, updated_at);
  events.entitlements(stands ? "entitlement.granted" : "entitlement.revoked", after.order);
  return after;
}
