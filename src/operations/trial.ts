import { fail } from "../contract/errors.ts";
import { refuse } from "../input/check.ts";
import { trialCouponOf } from "../rules/subscriptions/trial.ts";
import { priceLines } from "./cart.ts";
import type { MatchedGoods, PricedGoods, PricingCall, WantedGoods } from "./wanted-goods.ts";

/** Prices a trial: nothing is paid today, and the buyer's means of payment is kept for later. */
export async function priceTrial(
  call: PricingCall,
  { items, coupon_code }: WantedGoods,
  matched: MatchedGoods,
): Promise<Omit<PricedGoods, "lines">> {
  if (coupon_code !== null)
    fail("coupon_invalid", { message: "A coupon lowers the first payment, and a trial has none." });
  if (!(await canSave(call)))
    refuse(
      "items",
      "has a product with a trial, and no payment method of the store can be kept without a " +
        "payment: it needs supports_recurring and a gateway with saveMethod",
    );

  const [product] = matched.products;
  const coupon = trialCouponOf(call.partition.store_id, product?.id ?? "");
  const facts = { ...coupon, used: 0 };
  const priced = priceLines(items, matched, facts) ?? fail("amount_out_of_range");
  return { coupon: { id: coupon.id, code: null }, priced };
}

/** A host with a payment page of its own keeps the means of payment by its own code. */
async function canSave({ ctx, partition }: PricingCall): Promise<boolean> {
  if (ctx.checkoutUrls.build) return true;

  const { store_id, livemode } = partition;
  const methods = await ctx.storage.catalog.listPaymentMethods(store_id);
  return methods.some(
    (method) => method.enabled && method.supports_recurring && ctx.savesAlone(method, livemode),
  );
}
