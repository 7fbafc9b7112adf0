import { fail } from "../contract/errors.ts";
import { type CouponFacts, judgeCoupon } from "../domain/coupon.ts";
import { priceCart } from "../domain/pricing.ts";
import { refuse } from "../input/check.ts";
import { isOffered } from "../rules/catalog/stock.ts";
import type { Cart, CartProduct } from "../rules/checkout/checkout-records.ts";

/**
 * A line of a request; the product that it names stands at the same index of the
 * products.
 */
export interface CartLine {
  readonly product_id: string;
  readonly quantity: number;
}

interface Amounts {
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
}

export interface PricedCart extends Amounts {
  readonly currency: string;
  readonly lines: readonly Amounts[];
}

type MatchedLines =
  | { readonly ok: true; readonly products: readonly CartProduct[]; readonly currency: string }
  | { readonly ok: false; readonly code: "product_unavailable" | "currency_mismatch" };

export const maxQuantity = 999;

/** Gives the ids of the products of a cart, each id once. */
export const productIdsOf = (lines: readonly CartLine[]): readonly string[] => [
  ...new Set(lines.map((line) => line.product_id)),
];

/**
 * Finds the product of each line. Gives an error code instead when the lines cannot
 * be sold together.
 */
export function matchLines(lines: readonly CartLine[], cart: Cart): MatchedLines {
  const byId = new Map(cart.products.map((product) => [product.id, product]));
  const products: CartProduct[] = [];
  for (const { product_id } of lines) {
    const product = byId.get(product_id);
    if (!product || !isOffered(product)) return { ok: false, code: "product_unavailable" };
    products.push(product);
  }

  const currency = products[0]?.currency ?? "";
  return products.every((product) => product.currency === currency)
    ? { ok: true, products, currency }
    : { ok: false, code: "currency_mismatch" };
}

/**
 * The lines are priced by this: the product of each line, in the order of the
 * lines.
 */
interface PricedBasis {
  readonly products: readonly Pick<CartProduct, "price">[];
  readonly currency: string;
}

/** Prices the lines. Gives null when an amount would exceed 2^53-1 minor units. */
export function priceLines(
  lines: readonly CartLine[],
  { products, currency }: PricedBasis,
  coupon: CouponFacts | null,
): PricedCart | null {
  const priced = priceCart({
    lines: lines.map((line, index) => ({
      product_id: line.product_id,
      quantity: line.quantity,
      unit_amount: products[index]?.price ?? 0,
    })),
    coupon,
  });
  return priced && { currency, ...priced };
}

/** Says whether the coupon applies at `now` to lines that were priced without it. */
export function couponApplies(
  coupon: CouponFacts | null,
  lines: readonly CartLine[],
  undiscounted: PricedCart,
  now: number,
): boolean {
  const subtotals = lines.map((line, index) => ({
    product_id: line.product_id,
    amount_subtotal: undiscounted.lines[index]?.amount_subtotal ?? 0,
  }));
  return judgeCoupon(coupon, { currency: undiscounted.currency, lines: subtotals }, now);
}

/**
 * Refuses quantities that cannot be sold. When several lines name the same product,
 * their quantities are added up.
 */
export function checkQuantities(
  lines: readonly CartLine[],
  products: readonly CartProduct[],
): void {
  const sums = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const sum = (sums.get(line.product_id) ?? 0) + line.quantity;
    sums.set(line.product_id, sum);

    const product = products[index];
    if (!product) continue;

    const most = Math.min(maxQuantity, product.max_quantity ?? maxQuantity);
    if (sum > most) refuse(`items[${index}].quantity`, `brings the product above ${most} pieces`);
    if (product.on_hand !== null && sum > product.on_hand) fail("insufficient_stock");
    if (product.recurring && lines.length > 1)
      refuse("items", "must hold a recurring product alone");
  }
}
