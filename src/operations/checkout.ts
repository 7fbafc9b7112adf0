import { fail } from "../contract/errors.ts";
import type { Input } from "../contract/routes.ts";
import { matchReturnUrl } from "../domain/url-rules.ts";
import { takesLocalhost } from "../rules/checkout/accepted-origin.ts";
import type { CartCoupon, CartProduct } from "../rules/checkout/checkout-records.ts";
import { sessionLifetimeMs } from "../rules/checkout/lifetimes.ts";
import type { AccessRecord, SessionLine, SessionRecord } from "../rules/records.ts";
import { partitionOf } from "./caller.ts";
import {
  type CartLine,
  checkQuantities,
  couponApplies,
  matchLines,
  type PricedCart,
  priceLines,
  productIdsOf,
} from "./cart.ts";
import type { OperationContext } from "./context.ts";
import type { IdempotentCall, IdempotentHandler } from "./operation.ts";
import { patternBudget, readVariables } from "./variables.ts";

type CheckoutBody = Input<"createCheckoutSession">["body"];

/**
 * Drafts the session of a cart: the amounts come from the stored products alone,
 * never from the request. The caller writes the draft together with its idempotency
 * key.
 */
export const createCheckoutSession: IdempotentHandler<"createCheckoutSession"> = async (call) => {
  const { ctx, caller, cart } = call;
  const { body } = call.input;
  const partition = partitionOf(caller);
  const product_ids = productIdsOf(body.items);
  const products = (await ctx.catalog.cartProducts?.(partition, product_ids)) ?? cart.products;

  const urls = readReturnUrls(body, caller.access);
  const matched = matchLines(body.items, { ...cart, products });
  if (!matched.ok) return fail(matched.code);

  const budget = patternBudget();
  const variables = matched.products.map((product, line) =>
    readVariables(body.items[line]?.variables, product, { line, budget }),
  );
  checkQuantities(body.items, matched.products);

  const { coupon, priced } = priceWithCoupon(call, matched);
  const lines = linesOf(ctx, { items: body.items, products: matched.products, priced, variables });
  return draftOf(call, { urls, coupon, priced, lines });
};

interface ReturnUrls {
  readonly success_url: string;
  readonly cancel_url: string;
}

function readReturnUrls({ success_url, cancel_url }: ReturnUrls, access: AccessRecord): ReturnUrls {
  const read = (url: string, param: string): string =>
    matchReturnUrl(url, access.return_urls, takesLocalhost(access)) ??
    fail("redirect_url_not_allowed", { param });

  return {
    success_url: read(success_url, "success_url"),
    cancel_url: read(cancel_url, "cancel_url"),
  };
}

interface Pricing {
  /** Null when the request names no coupon. */
  readonly coupon: CartCoupon | null;
  readonly priced: PricedCart;
}

function priceWithCoupon(
  { input, cart, now }: IdempotentCall<"createCheckoutSession">,
  matched: { products: readonly CartProduct[]; currency: string },
): Pricing {
  const { items, coupon_code } = input.body;
  const undiscounted = priceLines(items, matched, null) ?? fail("amount_out_of_range");
  if (coupon_code === undefined) return { coupon: null, priced: undiscounted };

  const { coupon } = cart;
  if (!coupon || !couponApplies(coupon, items, undiscounted, now)) return fail("coupon_invalid");
  return { coupon, priced: priceLines(items, matched, coupon) ?? fail("amount_out_of_range") };
}

interface LineParts {
  readonly items: readonly CartLine[];
  readonly products: readonly CartProduct[];
  readonly priced: PricedCart;
  readonly variables: readonly Record<string, string>[];
}

const linesOf = (
  ctx: OperationContext,
  { items, products, priced, variables }: LineParts,
): readonly SessionLine[] =>
  products.map((product, index) => ({
    id: ctx.newId("li"),
    product_id: product.id,
    product_slug: product.slug,
    name: product.name,
    image_url: product.images[0] ?? null,
    quantity: items[index]?.quantity ?? 0,
    unit_amount: product.price,
    amount_subtotal: priced.lines[index]?.amount_subtotal ?? 0,
    amount_discount: priced.lines[index]?.amount_discount ?? 0,
    amount_total: priced.lines[index]?.amount_total ?? 0,
    variables: variables[index] ?? {},
    recurring: product.recurring,
  }));

interface DraftParts extends Pricing {
  readonly urls: ReturnUrls;
  readonly lines: readonly SessionLine[];
}

function draftOf(
  { ctx, caller, input, now }: IdempotentCall<"createCheckoutSession">,
  { urls, coupon, priced, lines }: DraftParts,
): SessionRecord {
  const body: CheckoutBody = input.body;
  const { store_id, livemode } = partitionOf(caller);
  // Every field is named, because V8 builds an object that begins with a spread a microsecond
  // slower for each field.
  return {
    store_id,
    livemode,
    id: ctx.newId("cs"),
    status: "open",
    payment_status: "unpaid",
    created_at: now,
    expires_at: now + sessionLifetimeMs,
    currency: priced.currency,
    amount_subtotal: priced.amount_subtotal,
    amount_discount: priced.amount_discount,
    amount_total: priced.amount_total,
    lines,
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    email: body.customer?.email ?? null,
    discord_id: body.customer?.discord_id ?? null,
    customer_id: caller.buyer?.customer_id ?? null,
    success_url: urls.success_url,
    cancel_url: urls.cancel_url,
    metadata: body.metadata ?? {},
    seal_key_id: ctx.checkoutUrls.build ? null : ctx.checkoutUrls.sealKeyId,
    checkout_url: null,
  };
}
