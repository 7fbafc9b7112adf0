import { isEligible } from "./pricing.ts";

/** Gives the form that a code is stored in and looked up by: a buyer may type it in any case. */
export const normalizeCode = (text: string): string => text.normalize("NFKC").trim().toUpperCase();

export interface CouponFacts {
  readonly enabled: boolean;
  readonly discount_type: "percentage" | "fixed";
  readonly discount_amount: number;
  readonly currency: string | null;
  readonly min_subtotal: number | null;
  /** The currency of `min_subtotal`. A cart of another currency never reaches it. */
  readonly min_subtotal_currency: string | null;
  readonly product_ids: readonly string[] | null;
  /** In epoch milliseconds, inclusive. Null means no bound. */
  readonly starts_at: number | null;
  /** In epoch milliseconds, exclusive. Null means no bound. */
  readonly ends_at: number | null;
  readonly max_uses: number | null;
  /** The number of times that the coupon was used so far. */
  readonly used: number;
}

/** A coupon that can be applied to each cart, and at any time. */
export const unconditional = {
  enabled: true,
  discount_type: "percentage",
  currency: null,
  min_subtotal: null,
  min_subtotal_currency: null,
  product_ids: null,
  starts_at: null,
  ends_at: null,
  max_uses: null,
} as const;

export interface CouponCart {
  readonly currency: string;
  readonly lines: readonly { readonly product_id: string; readonly amount_subtotal: number }[];
}

/**
 * Says whether the coupon can be applied to this cart now. The limit per customer
 * is not checked here: the buyer is known only at submission.
 */
export function judgeCoupon(coupon: CouponFacts | null, cart: CouponCart, now: number): boolean {
  if (!coupon?.enabled) return false;

  const subtotal = cart.lines.reduce((sum, line) => sum + line.amount_subtotal, 0);
  return (
    (coupon.starts_at === null || now >= coupon.starts_at) &&
    (coupon.ends_at === null || now < coupon.ends_at) &&
    (coupon.max_uses === null || coupon.used < coupon.max_uses) &&
    (coupon.currency === null || coupon.currency === cart.currency) &&
    (coupon.min_subtotal === null ||
      (coupon.min_subtotal_currency === cart.currency && subtotal >= coupon.min_subtotal)) &&
    cart.lines.some((line) => isEligible(coupon, line.product_id))
  );
}
