import { isEligible } from "./pricing.ts";

/** One spelling for storing and look-up (CONTRACT 4). */
export const normalizeCode = (text: string): string => text.normalize("NFKC").trim().toUpperCase();

export interface CouponFacts {
  readonly enabled: boolean;
  readonly discount_type: "percentage" | "fixed";
  readonly discount_amount: number;
  readonly currency: string | null;
  readonly min_subtotal: number | null;
  readonly product_ids: readonly string[] | null;
  /** Epoch milliseconds; inclusive start, exclusive end. */
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly max_uses: number | null;
  readonly used: number;
}

export interface CouponCart {
  readonly currency: string;
  readonly lines: readonly { readonly product_id: string; readonly amount_subtotal: number }[];
}

/** True when the coupon can be applied to this cart now. Limits per customer are judged when the buyer is known, at submission. */
export function judgeCoupon(coupon: CouponFacts | null, cart: CouponCart, now: number): boolean {
  if (!coupon?.enabled) return false;
  const subtotal = cart.lines.reduce((sum, line) => sum + line.amount_subtotal, 0);
  return (
    (coupon.starts_at === null || now >= coupon.starts_at) &&
    (coupon.ends_at === null || now < coupon.ends_at) &&
    (coupon.max_uses === null || coupon.used < coupon.max_uses) &&
    (coupon.currency === null || coupon.currency === cart.currency) &&
    (coupon.min_subtotal === null || subtotal >= coupon.min_subtotal) &&
    cart.lines.some((line) => isEligible(coupon, line.product_id))
  );
}
