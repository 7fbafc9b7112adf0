import { fail } from "../contract/errors.ts";
import { optionsField } from "../rules/catalog/groups/product-options.ts";
import type { CartProduct } from "../rules/checkout/checkout-records.ts";
import type { SessionLine } from "../rules/checkout/session-line.ts";
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
import type { MatchedGoods, PricedGoods, PricingCall, WantedGoods } from "./wanted-goods.ts";

/** Judges the goods and prices them by the stored products. Throws what the contract says. */
export async function priceGoods(call: PricingCall, wanted: WantedGoods): Promise<PricedGoods> {
  const { ctx, partition, cart } = call;
  const { items } = wanted;
  const product_ids = productIdsOf(items);
  const products = (await ctx.catalog.cartProducts?.(partition, product_ids)) ?? cart.products;
  const matched = matchLines(items, { ...cart, products: products.map(sold(wanted)) });
  if (!matched.ok) return fail(matched.code);

  const variables = await variablesOf(items, matched.products);
  checkQuantities(items, matched.products);

  const [first] = matched.products;
  const isTrial = first?.recurring?.trial_days !== undefined && first.price > 0;
  const { coupon, priced } = isTrial
    ? await (await import("./trial.ts")).priceTrial(call, wanted, matched)
    : priceWithCoupon(call, wanted, matched);
  const lines = linesOf(ctx, { items, products: matched.products, priced, variables });
  if (!matched.products.some(({ delivery }) => delivery)) return { coupon, priced, lines };

  const { withDeliveries } = await import("../rules/entitlements/line-delivery.ts");
  return { coupon, priced, lines: await withDeliveries(ctx, lines, matched.products) };
}

/** Takes the trial from a product whose buyer does not get it. */
const sold =
  ({ trial }: WantedGoods) =>
  (product: CartProduct): CartProduct => {
    if (trial || product.recurring?.trial_days === undefined) return product;
    const { interval, interval_count } = product.recurring;
    return { ...product, recurring: { interval, interval_count } };
  };

/** Reads what buyers typed. Most products ask for nothing, and then no code is loaded for it. */
async function variablesOf(
  items: WantedGoods["items"],
  products: readonly CartProduct[],
): Promise<readonly Record<string, string>[]> {
  const isAsked = products.some(({ variables }) => variables.length > 0);
  if (!isAsked && items.every(({ variables }) => variables === undefined)) return [];

  const { readAllVariables } = await import("./variables.ts");
  return readAllVariables(items, products);
}

function priceWithCoupon(
  { cart, now }: PricingCall,
  { items, coupon_code }: WantedGoods,
  matched: MatchedGoods,
): Omit<PricedGoods, "lines"> {
  const undiscounted = priceLines(items, matched, null) ?? fail("amount_out_of_range");
  if (coupon_code === null) return { coupon: null, priced: undiscounted };

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
    ...optionsField(product),
    recurring: product.recurring,
  }));
