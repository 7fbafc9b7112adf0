import { expect, test } from "vitest";
import { type PricingCoupon, priceCart } from "../../src/domain/pricing.ts";

const line = (product_id: string, unit_amount: number, quantity = 1) => ({
  product_id,
  unit_amount,
  quantity,
});

const percent = (amount: number, product_ids: string[] | null = null): PricingCoupon => ({
  discount_type: "percentage",
  discount_amount: amount,
  product_ids,
});

test("without a coupon a line costs its unit amount times its quantity", () => {
  const priced = priceCart({ lines: [line("a", 1990, 3), line("b", 500)], coupon: null });
  expect(priced).toMatchObject({ amount_subtotal: 6470, amount_discount: 0, amount_total: 6470 });
});

test("a percentage is rounded half up once, on the whole subtotal", () => {
  const priced = priceCart({ lines: [line("a", 3), line("b", 3)], coupon: percent(15) });
  expect(priced?.amount_discount).toBe(1); // 0.9 rounds to 1; two lines of 0.45 would each round to 0
});

test("the unit that division leaves over goes to the first of equal lines", () => {
  const lines = [line("a", 100), line("b", 100), line("c", 100)];
  const coupon: PricingCoupon = { ...percent(0), discount_type: "fixed", discount_amount: 100 };
  const discounts = priceCart({ lines, coupon })?.lines.map((each) => each.amount_discount);
  expect(discounts).toEqual([34, 33, 33]);
});

test("a coupon for one product leaves the other lines at their price", () => {
  const priced = priceCart({ lines: [line("a", 100), line("b", 100)], coupon: percent(50, ["b"]) });
  expect(priced?.lines.map((each) => each.amount_total)).toEqual([100, 50]);
});

test("a cart above the largest safe integer has no price", () => {
  const lines = [line("a", Number.MAX_SAFE_INTEGER, 2)];
  expect(priceCart({ lines, coupon: null })).toBeNull();
});
