import { fail } from "../contract/errors.ts";
import type { Input } from "../contract/routes.ts";
import { matchReturnUrl } from "../domain/url-rules.ts";
import type { Cart } from "../rules/checkout-records.ts";
import type { SessionRecord } from "../rules/records.ts";
import { type Caller, partitionOf } from "./caller.ts";
import { checkQuantities, couponApplies, matchLines, price, readVariables } from "./cart.ts";
import type { Context } from "./context.ts";

/** SPEC 8. */
const sessionLifetimeMs = 30 * 60_000;

export type CheckoutBody = Input<"createCheckoutSession">["body"];

/** Judges the request against the cart and prices it: amounts come from the stored products alone (SPEC 2.4). */
export function draftSession(
  ctx: Context,
  caller: Caller,
  body: CheckoutBody,
  cart: Cart,
  now: number,
): SessionRecord {
  const { return_urls } = caller.access;
  const success_url =
    matchReturnUrl(body.success_url, return_urls) ??
    fail("redirect_url_not_allowed", { param: "success_url" });
  const cancel_url =
    matchReturnUrl(body.cancel_url, return_urls) ??
    fail("redirect_url_not_allowed", { param: "cancel_url" });

  const matched = matchLines(body.items, cart);
  if (!matched.ok) return fail(matched.code);
  const { products, currency } = matched;
  const variables = products.map((product, index) =>
    readVariables(body.items[index]?.variables, product, index),
  );
  checkQuantities(body.items, products);

  const plain = price(body.items, products, currency, null) ?? fail("amount_out_of_range");
  const coupon = body.coupon_code === undefined ? null : cart.coupon;
  if (body.coupon_code !== undefined && !couponApplies(coupon, body.items, plain, now))
    fail("coupon_invalid");
  const priced = coupon
    ? (price(body.items, products, currency, coupon) ?? fail("amount_out_of_range"))
    : plain;

  const { store_id, livemode } = partitionOf(caller);
  return {
    store_id, // a spread in front would make V8 add the rest one by one, at a microsecond each
    livemode,
    id: ctx.newId("cs"),
    status: "open",
    payment_status: "unpaid",
    created_at: now,
    expires_at: now + sessionLifetimeMs,
    currency,
    amount_subtotal: priced.amount_subtotal,
    amount_discount: priced.amount_discount,
    amount_total: priced.amount_total,
    lines: products.map((product, index) => ({
      id: ctx.newId("li"),
      product_id: product.id,
      product_slug: product.slug,
      name: product.name,
      image_url: product.images[0] ?? null,
      quantity: body.items[index]?.quantity ?? 0,
      unit_amount: product.price,
      amount_subtotal: priced.lines[index]?.amount_subtotal ?? 0,
      amount_discount: priced.lines[index]?.amount_discount ?? 0,
      amount_total: priced.lines[index]?.amount_total ?? 0,
      variables: variables[index] ?? {},
      recurring: product.recurring,
    })),
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    email: body.customer?.email ?? null,
    discord_id: body.customer?.discord_id ?? null,
    customer_id: caller.buyer?.customer_id ?? null,
    success_url,
    cancel_url,
    metadata: body.metadata ?? {},
    seal_key_id: ctx.checkoutUrls.build ? null : ctx.checkoutUrls.sealKeyId,
    checkout_url: null,
  };
}
