import { fail } from "../contract/errors.ts";
import { judgeCoupon } from "../domain/coupon.ts";
import { compilePattern, matchesPattern } from "../domain/pattern.ts";
import { priceCart } from "../domain/pricing.ts";
import type { Cart } from "../rules/checkout-records.ts";
import type { CartCoupon, CartProduct, ProductRecord } from "../rules/records.ts";

export interface CartLine {
  readonly product_id: string;
  readonly quantity: number;
}

export interface PricedCart {
  readonly currency: string;
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
  readonly lines: readonly {
    readonly amount_subtotal: number;
    readonly amount_discount: number;
    readonly amount_total: number;
  }[];
}

/** The lines with their products, or the code that says why they cannot be sold together. */
export function matchLines(
  lines: readonly CartLine[],
  cart: Cart,
):
  | { readonly ok: true; readonly products: readonly CartProduct[]; readonly currency: string }
  | { readonly ok: false; readonly code: "product_unavailable" | "currency_mismatch" } {
  const known = new Map(cart.products.map((product) => [product.id, product]));
  const products: CartProduct[] = [];
  for (const { product_id } of lines) {
    const product = known.get(product_id);
    if (!product?.active || product.blocked) return { ok: false, code: "product_unavailable" };
    products.push(product);
  }
  const currency = products[0]?.currency ?? "";
  return products.every((product) => product.currency === currency)
    ? { ok: true, products, currency }
    : { ok: false, code: "currency_mismatch" };
}

/** Null when an amount would pass 2^53-1. */
export function price(
  lines: readonly CartLine[],
  products: readonly CartProduct[],
  currency: string,
  coupon: CartCoupon | null,
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

/** True when the coupon applies now to lines priced without it. */
export function couponApplies(
  coupon: CartCoupon | null,
  lines: readonly CartLine[],
  plain: PricedCart,
  now: number,
): boolean {
  return judgeCoupon(
    coupon,
    {
      currency: plain.currency,
      lines: lines.map((line, index) => ({
        product_id: line.product_id,
        amount_subtotal: plain.lines[index]?.amount_subtotal ?? 0,
      })),
    },
    now,
  );
}

/** Quantities are judged on the sum over all lines of a product. */
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
    const param = `items[${index}].quantity`;
    const most = Math.min(999, product.max_quantity ?? 999);
    if (sum > most)
      fail("parameter_invalid", {
        param,
        message: `${param} brings the product above ${most} pieces.`,
      });
    if (product.on_hand !== null && sum > product.on_hand) fail("insufficient_stock");
    if (product.recurring && lines.length > 1)
      fail("parameter_invalid", {
        param: "items",
        message: "items must hold a recurring product alone.",
      });
  }
}

/** The inputs that a product asks for, as text (CONTRACT 4 `variables[]`). */
export function readVariables(
  given: Readonly<Record<string, unknown>> | undefined,
  product: ProductRecord,
  line: number,
): Record<string, string> {
  const path = (key: string): string => `items[${line}].variables.${key.slice(0, 100)}`;
  const refuse = (key: string, reason: string): never =>
    fail("parameter_invalid", { param: path(key), message: `${path(key)} ${reason}.` });
  const declared = new Map(product.variables.map((variable) => [variable.key, variable]));
  for (const key of Object.keys(given ?? {}))
    if (!declared.has(key)) refuse(key, "is not an input of this product");

  const values: [string, string][] = [];
  for (const variable of product.variables) {
    const raw =
      given !== undefined && Object.hasOwn(given, variable.key) ? given[variable.key] : undefined;
    if (raw === undefined || raw === null || raw === "") {
      if (variable.required)
        fail("parameter_missing", {
          param: path(variable.key),
          message: `${path(variable.key)} is required.`,
        });
      continue;
    }
    const text = variable.type === "number" && typeof raw === "number" ? String(raw) : raw;
    if (typeof text !== "string") return refuse(variable.key, "must be text");
    if (text.length > (variable.max_length ?? 500))
      refuse(variable.key, `must be at most ${variable.max_length ?? 500} characters`);
    if (variable.type === "number" && !/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text))
      refuse(variable.key, "must be a number");
    if (variable.type === "select" && !variable.options.some((option) => option.value === text))
      refuse(variable.key, "is not one of the options");
    if (variable.pattern !== null && !fits(variable.pattern, text))
      refuse(variable.key, "does not have the form that is asked for");
    values.push([variable.key, text]);
  }
  return Object.fromEntries(values);
}

const patterns = new Map<string, ReturnType<typeof compilePattern>>();

function fits(source: string, text: string): boolean {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    if (patterns.size >= 1_000) patterns.clear();
    pattern = compilePattern(source);
    patterns.set(source, pattern);
  }
  return pattern !== null && matchesPattern(pattern, text);
}
