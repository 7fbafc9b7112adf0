import type { CouponValidation } from "../contract/schemas.ts";
import { normalizeCode } from "../domain/coupon.ts";
import { partitionOf } from "./caller.ts";
import { couponApplies, matchLines, priceLines, productIdsOf } from "./cart.ts";
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

  const matched = matchLines(items, cart);
  if (!matched.ok) return single(refusal);

  const undiscounted = priceLines(items, matched, null);
  const { coupon } = cart;
  if (!undiscounted || !coupon) return single(refusal);
  if (!couponApplies(coupon, items, undiscounted, ctx.now())) return single(refusal);

  const priced = priceLines(items, matched, coupon);
  if (!priced) return single(refusal);

  return single({
    valid: true,
    message: "The coupon applies.",
    code: coupon.code,
    discount: { discount_type: coupon.discount_type, discount_amount: coupon.discount_amount },
    amount_subtotal: priced.amount_subtotal,
    amount_discount: priced.amount_discount,
    amount_total: priced.amount_total,
    currency: priced.currency,
  } satisfies CouponValidation);
};
