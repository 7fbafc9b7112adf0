import type { CouponValidation } from "../contract/schemas.ts";
import { type CouponFacts, normalizeCode, unconditional } from "../domain/coupon.ts";
import { modeTime, partitionOf } from "./caller.ts";
import { type CartLine, couponApplies, matchLines, priceLines, productIdsOf } from "./cart.ts";
import type { Handler } from "./operation.ts";
import { single } from "./results.ts";

/** Every refusal has the same text, so that nobody learns from it which codes exist. */
const refusal: CouponValidation = {
  valid: false,
  message: "This coupon cannot be applied to these items.",
};

export const validateCoupon: Handler<"validateCoupon"> = async ({ ctx, caller, input }) => {
  const { code, items } = input.body;
  const cart = await ctx.catalog.loadCart(
    partitionOf(caller),
    productIdsOf(items),
    normalizeCode(code),
  );

  // Every step runs whatever the step before it gave. Stand-ins take the place of
  // what does not exist. So a refusal always takes the same work and time, and its
  // time tells no more than its text.
  const matched = matchLines(items, cart);
  const basis = matched.ok ? matched : standInBasis(items);
  const coupon = cart.coupon ?? standInCoupon;
  const undiscounted = priceLines(items, basis, null);
  const applies =
    undiscounted && couponApplies(coupon, items, undiscounted, modeTime(caller, ctx.now()));
  const priced = priceLines(items, basis, coupon);
  if (!matched.ok || !cart.coupon || !applies || !priced) return single(refusal);

  return single({
    valid: true,
    message: "The coupon applies.",
    code: cart.coupon.code,
    discount: { discount_type: coupon.discount_type, discount_amount: coupon.discount_amount },
    amount_subtotal: priced.amount_subtotal,
    amount_discount: priced.amount_discount,
    amount_total: priced.amount_total,
    currency: priced.currency,
  } satisfies CouponValidation);
};

/** Gives prices for lines whose products cannot be sold together. */
const standInBasis = (lines: readonly CartLine[]) => ({
  products: lines.map(() => ({ price: 100 })),
  currency: "",
});

/** A coupon that is judged in place of an unknown one. */
export const standInCoupon: CouponFacts = { ...unconditional, discount_amount: 10, used: 0 };
