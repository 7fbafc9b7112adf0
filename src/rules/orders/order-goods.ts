import { judgeCoupon } from "../../domain/coupon.ts";
import { isOffered, type StockChange } from "../catalog/stock.ts";
import type { CartProduct } from "../checkout/checkout-records.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import type { CouponChange } from "./order-changes.ts";
import type { SourceAnswer } from "./order-commands.ts";
import { isUnnamedCustomer } from "./order-customer.ts";
import type { OrderSnapshot, SnapshotCoupon } from "./order-snapshot.ts";

// An order takes from the shop pieces of its products, and one use of its coupon.

/** Who holds the goods of a session. */
export type Holder = "order" | "session" | "nobody";

export function holderOf(order: OrderRecord | null, session: SessionRecord): Holder {
  if (order?.holds === "held") return "order";
  return session.hold ? "session" : "nobody";
}

/** Tells why a product of the session cannot be bought. It gives null when all can. */
export function refuseProducts(
  { offered }: OrderSnapshot,
  { lines, renews }: SessionRecord,
  { from_source }: SourceAnswer,
): "product_unavailable" | "insufficient_stock" | null {
  if (renews) return null;
  if (from_source !== undefined) return from_source === "available" ? null : from_source;
  const areOffered = !offered || lines.every(({ product_id }) => offered.has(product_id));
  return areOffered ? null : "product_unavailable";
}

/**
 * Judges the session's goods by the products that the host's own catalog gave. A
 * catalog that reserves pieces says by the reservation whether there are enough.
 */
export function judgeSource(
  session: SessionRecord,
  products: readonly CartProduct[],
  reserves: boolean,
): NonNullable<SourceAnswer["from_source"]> {
  const byId = new Map(products.map((product) => [product.id, product]));
  const counts = quantityByProduct(session);
  const isSold = ([product_id]: (typeof counts)[number]): boolean => {
    const product = byId.get(product_id);
    return product !== undefined && isOffered(product);
  };
  if (!counts.every(isSold)) return "product_unavailable";

  const isShort = counts.some(([product_id, quantity]) => {
    const on_hand = byId.get(product_id)?.on_hand ?? null;
    return on_hand !== null && on_hand < quantity;
  });
  return isShort && !reserves ? "insufficient_stock" : "available";
}

/**
 * Tells why an order cannot take over the goods that its session holds. It gives
 * null when it can.
 */
export const refuseTakeOver = (
  { coupon }: OrderSnapshot,
  { hold }: SessionRecord,
): "coupon_invalid" | null =>
  isUsedByOther(coupon, hold) && isCouponUsedUp(coupon, 1) ? "coupon_invalid" : null;

/** Tells whether the use of the coupon that the session took counts for another customer. */
const isUsedByOther = (coupon: SnapshotCoupon | null, hold: SessionRecord["hold"]): boolean =>
  coupon !== null && hold?.coupon_key !== coupon.customer_key;

/** Tells why the session's goods cannot be held now. It gives null when they can. */
export function refuseHolds(
  snapshot: OrderSnapshot,
  session: SessionRecord,
  now: number,
): "insufficient_stock" | "coupon_invalid" | null {
  if (isStockShort(snapshot, session, "free")) return "insufficient_stock";
  if (session.coupon_id === null) return null;

  const { coupon } = snapshot;
  const cart = { currency: session.currency, lines: session.lines };
  const isValid = judgeCoupon(coupon, cart, now) && !isCouponUsedUp(coupon, 0);
  return isValid ? null : "coupon_invalid";
}

/**
 * Tells whether a counted product has fewer pieces than the session asks for. A session
 * that holds its pieces already is compared with the whole stock, not with the free pieces:
 * the owner may have set the stock below what is held.
 */
export const isStockShort = (
  { stock }: OrderSnapshot,
  session: SessionRecord,
  pieces: "free" | "held",
): boolean =>
  quantityByProduct(session).some(([product_id, quantity]) => {
    const count = stock.get(product_id);
    if (!count?.counted) return false;
    return (pieces === "held" ? count.stock : count.stock - count.held) < quantity;
  });

/**
 * Tells whether the coupon has no use left, in all or for this customer. `taken`
 * counts the uses that the session itself has taken, for another customer.
 */
function isCouponUsedUp(coupon: SnapshotCoupon | null, taken: 0 | 1): boolean {
  if (coupon === null) return false;

  const { max_uses, used, max_uses_per_customer, used_by_customer } = coupon;
  if (max_uses !== null && used - taken >= max_uses) return true;
  return max_uses_per_customer !== null && used_by_customer >= max_uses_per_customer;
}

/**
 * Tells whether the coupon counts its uses per customer, and nobody has told who
 * buys. A buyer who is new each time would use it without end.
 */
export const lacksCustomer = (coupon: SnapshotCoupon | null): boolean =>
  coupon !== null &&
  coupon.max_uses_per_customer !== null &&
  isUnnamedCustomer(coupon.customer_key);

/**
 * Gives the pieces of each product, summed over the lines and sorted by id, because stock is
 * locked in this order. A session that pays a period of a subscription takes no pieces.
 */
export function quantityByProduct(
  session: SessionRecord,
): readonly (readonly [product_id: string, quantity: number])[] {
  const quantities = new Map<string, number>();
  if (session.renews) return [];
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

/** Moves what a session holds from its lines before a change to those after it. */
export function heldStockChange(
  before: SessionRecord,
  after: SessionRecord,
): readonly StockChange[] {
  const held = new Map(quantityByProduct(before));
  const wanted = new Map(quantityByProduct(after));
  const ids = [...new Set([...held.keys(), ...wanted.keys()])].sort();
  return ids.flatMap((product_id) => {
    const held_delta = (wanted.get(product_id) ?? 0) - (held.get(product_id) ?? 0);
    return held_delta === 0
      ? []
      : [{ product_id, stock_delta: 0, held_delta, guarded: held_delta > 0 }];
  });
}

/** Gives back the pieces that a pending order held. */
export const releaseStock = (session: SessionRecord) =>
  changeStock(session, { stock: 0, held: -1, guarded: false });

/** Sells the pieces that a pending order held. */
export const sellHeldStock = (session: SessionRecord) =>
  changeStock(session, { stock: -1, held: -1, guarded: false });

/** Sells pieces that nobody held. */
export const sellFreeStock = (session: SessionRecord, guarded: boolean) =>
  changeStock(session, { stock: -1, held: 0, guarded });

/** Tells whether the coupon had no use left for the order, whoever holds its goods. */
export function isCouponMissing(
  { coupon }: OrderSnapshot,
  { hold }: SessionRecord,
  holder: Holder,
): boolean {
  if (holder === "nobody") return isCouponUsedUp(coupon, 0);
  return holder === "session" && isUsedByOther(coupon, hold) && isCouponUsedUp(coupon, 1);
}

/**
 * Counts or uncounts a use of the session's coupon for a customer. Without either,
 * it changes nothing.
 */
export const couponUse = (
  { coupon_id }: Pick<SessionRecord, "coupon_id">,
  { coupon_key }: { readonly coupon_key: string | null },
  { used_delta, guarded }: Pick<CouponChange, "used_delta" | "guarded">,
): readonly CouponChange[] =>
  coupon_id === null || coupon_key === null
    ? []
    : [{ coupon_id, used_delta, customer_key: coupon_key, guarded }];

/**
 * Gives what the order changes in the uses of its coupon when it gets its goods. A
 * use that the session took moves to the order's customer.
 */
export function takeCoupon(
  order: OrderRecord,
  { hold, coupon_id }: SessionRecord,
  { holder, guarded }: { readonly holder: Holder; readonly guarded: boolean },
): readonly CouponChange[] {
  if (holder === "order") return [];
  if (!hold) return couponUse(order, order, { used_delta: 1, guarded });
  if (hold.coupon_key === order.coupon_key) return [];

  return [
    ...couponUse({ coupon_id }, hold, { used_delta: -1, guarded: false }),
    ...couponUse(order, order, { used_delta: 1, guarded: false }),
  ];
}
