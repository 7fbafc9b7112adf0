import { addMoney, multiplyMoney } from "./sums.ts";

export interface PricingLine {
  readonly product_id: string;
  /** In minor units. */
  readonly unit_amount: number;
  readonly quantity: number;
}

export interface PricingCoupon {
  readonly discount_type: "percentage" | "fixed";
  /** A percentage, or in minor units when the discount is fixed. */
  readonly discount_amount: number;
  /** Null means that the coupon is for every product. */
  readonly product_ids: readonly string[] | null;
}

export interface PricedLine {
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
}

export interface Priced extends PricedLine {
  readonly lines: readonly PricedLine[];
}

/**
 * Prices a cart. The amounts of the lines add up exactly to those of the cart.
 * Returns null when an amount is above 2^53-1.
 */
export function priceCart(cart: {
  readonly lines: readonly PricingLine[];
  readonly coupon: PricingCoupon | null;
}): Priced | null {
  const subtotals: number[] = [];
  for (const line of cart.lines) {
    const subtotal = multiplyMoney(line.unit_amount, line.quantity);
    if (subtotal === null) return null;
    subtotals.push(subtotal);
  }

  const amount_subtotal = addMoney(subtotals);
  if (amount_subtotal === null) return null;

  const { coupon } = cart;
  const eligible = cart.lines.map((line, index) =>
    coupon && isEligible(coupon, line.product_id) ? (subtotals[index] ?? 0) : 0,
  );
  const base = eligible.reduce((sum, amount) => sum + amount, 0);
  const amount_discount = coupon ? discountOn(coupon, base) : 0;
  const shares = divideDiscount(amount_discount, eligible, base);

  const lines = subtotals.map((subtotal, index) => {
    const discount = shares[index] ?? 0;
    return {
      amount_subtotal: subtotal,
      amount_discount: discount,
      amount_total: subtotal - discount,
    };
  });

  return {
    amount_subtotal,
    amount_discount,
    amount_total: amount_subtotal - amount_discount,
    lines,
  };
}

export const isEligible = (
  coupon: Pick<PricingCoupon, "product_ids">,
  product_id: string,
): boolean => coupon.product_ids === null || coupon.product_ids.includes(product_id);

/**
 * Gives the discount on the eligible subtotal `base`, and never more than that. A
 * percentage is computed in whole hundredths of a percent and rounded once, half
 * up.
 */
function discountOn(coupon: PricingCoupon, base: number): number {
  if (coupon.discount_type === "fixed") return Math.min(coupon.discount_amount, base);
  const hundredths = BigInt(Math.round(coupon.discount_amount * 100));
  return Number((BigInt(base) * hundredths + 5_000n) / 10_000n);
}

/**
 * Divides the discount among the lines by the largest-remainder method. Of equal
 * remainders the first line comes first.
 */
function divideDiscount(discount: number, weights: readonly number[], total: number): number[] {
  if (discount === 0 || total === 0) return weights.map(() => 0);

  const whole = BigInt(total);
  const parts = weights.map((weight, index) => {
    const exact = BigInt(discount) * BigInt(weight);
    return { index, share: Number(exact / whole), rest: exact % whole };
  });

  const byRest = [...parts].sort((a, b) => {
    if (a.rest === b.rest) return a.index - b.index;
    return a.rest > b.rest ? -1 : 1;
  });
  let left = discount - parts.reduce((sum, part) => sum + part.share, 0);
  for (const part of byRest) {
    if (left === 0) break;
    part.share += 1;
    left -= 1;
  }

  return parts.map((part) => part.share);
}
