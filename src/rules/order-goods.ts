import { judgeCoupon } from "../domain/coupon.ts";
import type { CouponChange } from "./order-changes.ts";
import { isUnnamedCustomer } from "./order-customer.ts";
import type { OrderSnapshot, SnapshotCoupon } from "./order-snapshot.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";
import type { StockChange } from "./stock.ts";

// What an order takes from the shop: pieces of its products, and one use of its coupon.

/** Why the session's goods cannot be held now; null when they can. */
export function refuseHolds(
  snapshot: OrderSnapshot,
  session: SessionRecord,
  now: number,
): "insufficient_stock" | "coupon_invalid" | null {
  if (isStockShort(snapshot, session)) return "insufficient_stock";
  if (session.coupon_id === null) return null;

  const { coupon } = snapshot;
  const cart = { currency: session.currency, lines: session.lines };
  const isValid =
    judgeCoupon(coupon, cart, now) && !isCouponUsedUp(coupon) && !lacksCustomer(coupon);
  return isValid ? null : "coupon_invalid";
}

/** True when a counted product has fewer pieces than the session asks for. */
export const isStockShort = (snapshot: OrderSnapshot, session: SessionRecord): boolean =>
  quantityByProduct(session).some(([product_id, quantity]) => {
    const free = snapshot.on_hand.get(product_id);
    return free !== undefined && free < quantity;
  });

/** True when the coupon has no use left, in all or for this customer. */
export function isCouponUsedUp(coupon: SnapshotCoupon | null): boolean {
  if (coupon === null) return false;

  const { max_uses, used, max_uses_per_customer, used_by_customer } = coupon;
  if (max_uses !== null && used >= max_uses) return true;
  return max_uses_per_customer !== null && used_by_customer >= max_uses_per_customer;
}

/**
 * True when the coupon counts its uses per customer, and nobody has told who buys.
 * A buyer who is new each time would use it without end.
 */
const lacksCustomer = (coupon: SnapshotCoupon | null): boolean =>
  coupon !== null &&
  coupon.max_uses_per_customer !== null &&
  isUnnamedCustomer(coupon.customer_key);

/**
 * Pieces of each product, summed over the lines. They are sorted by id: stock is
 * locked so.
 */
export function quantityByProduct(
  session: SessionRecord,
): readonly (readonly [product_id: string, quantity: number])[] {
  const quantities = new Map<string, number>();
  for (const { product_id, quantity } of session.lines)
    quantities.set(product_id, (quantities.get(product_id) ?? 0) + quantity);
  return [...quantities].sort(([a], [b]) => (a < b ? -1 : 1));
}

const changeStock = (
  session: SessionRecord,
  change: { readonly stock: -1 | 0; readonly held: -1 | 0 | 1; readonly guarded: boolean },
): readonly StockChange[] =>
  quantityByProduct(session).map(([product_id, quantity]) => ({
    product_id,
    stock_delta: change.stock * quantity,
    held_delta: change.held * quantity,
    guarded: change.guarded,
  }));

/** Keeps the pieces for a pending order. */
export const holdStock = (session: SessionRecord) =>
  changeStock(session, { stock: 0, held: 1, guarded: true });

/** Gives back the pieces that a pending order held. */
export const releaseStock = (session: SessionRecord) =>
  changeStock(session, { stock: 0, held: -1, guarded: false });

/** Sells the pieces that a pending order held. */
export const sellHeldStock = (session: SessionRecord) =>
  changeStock(session, { stock: -1, held: -1, guarded: false });

/** Sells pieces that nobody held. */
export const sellFreeStock = (session: SessionRecord, guarded: boolean) =>
  changeStock(session, { stock: -1, held: 0, guarded });

/**
 * The order's coupon use, counted for the customer that the order names; null
 * without a coupon.
 */
export function couponChange(
  { coupon_id, coupon_key }: OrderRecord,
  used_delta: 1 | -1,
  guarded: boolean,
): CouponChange | null {
  if (coupon_id === null || coupon_key === null) return null;
  return { coupon_id, used_delta, customer_key: coupon_key, guarded };
}
