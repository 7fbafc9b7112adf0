import { fail } from "../contract/errors.ts";
import type { Input } from "../contract/routes.ts";
import { CouponRequest } from "../contract/routes.ts";
import type { CouponValidation } from "../contract/schemas.ts";
import { normalizeCode } from "../domain/coupon.ts";
import { parse } from "../input/parse.ts";
import { type Handler, one } from "./call.ts";
import { partitionOf } from "./caller.ts";
import { couponApplies, matchLines, price } from "./cart.ts";

/** The same words whatever the reason: nobody learns which codes exist (SPEC 2.6). */
const refused: CouponValidation = {
  valid: false,
  message: "This coupon cannot be applied to these items.",
};

export const validateCoupon: Handler = async ({ ctx, caller, input }) => {
  const parsed = parse(CouponRequest, input.body);
  if (!parsed.ok) return fail(parsed.code, parsed.details);
  const { code, items } = parsed.value as Input<"validateCoupon">["body"];
  const cart = await ctx.catalog.loadCart(
    partitionOf(caller),
    [...new Set(items.map((item) => item.product_id))],
    normalizeCode(code),
  );
  const matched = matchLines(items, cart);
  if (!matched.ok) return one(refused);
  const plain = price(items, matched.products, matched.currency, null);
  const { coupon } = cart;
  if (!plain || !coupon || !couponApplies(coupon, items, plain, ctx.now())) return one(refused);
  const priced = price(items, matched.products, matched.currency, coupon);
  if (!priced) return one(refused);
  return one({
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
