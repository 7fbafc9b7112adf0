import { describe, expect, test } from "vitest";
import { type PricingCoupon, type PricingLine, priceCart } from "../../src/domain/pricing.ts";
import { addMoney, multiplyMoney } from "../../src/domain/sums.ts";

const largest = Number.MAX_SAFE_INTEGER;

describe("amounts up to 2^53-1 are exact", () => {
  test.each([
    [[], 0],
    [[1, 2, 3], 6],
    [[largest], largest],
    [[largest - 1, 1], largest],
    [[largest, 1], null],
    [[largest, 1, -1], null],
  ] as const)("the sum of %j is %j", (values, sum) => {
    expect(addMoney(values)).toBe(sum);
  });

  // 2^53-1 is 6361 times 1416003655831, so that the product meets the limit exactly.
  test.each([
    [1_990, 3, 5_970],
    [0, 999, 0],
    [largest, 1, largest],
    [1_416_003_655_831, 6_361, largest],
    [1_416_003_655_831, 6_362, null],
    [2 ** 52, 2, null],
    [largest, largest, null],
  ] as const)("%j times %j is %j", (amount, quantity, product) => {
    expect(multiplyMoney(amount, quantity)).toBe(product);
  });
});

const line = (product_id: string, unit_amount: number, quantity = 1): PricingLine => ({
  product_id,
  unit_amount,
  quantity,
});

const coupon = (
  discount_type: PricingCoupon["discount_type"],
  discount_amount: number,
  product_ids: readonly string[] | null = null,
): PricingCoupon => ({ discount_type, discount_amount, product_ids });

describe("a percentage is rounded half up, once", () => {
  test.each([
    [10, 4, 0],
    [10, 5, 1],
    [10, 14, 1],
    [10, 15, 2],
    [50, 1, 1],
    [50, 3, 2],
    [33.33, 100, 33],
    [33.33, 150, 50],
    [0.01, 4_999, 0],
    [0.01, 5_000, 1],
    [99.99, 1, 1],
    [99.99, 10_000, 9_999],
    [100, 7, 7],
    // As binary fractions these two are a little less than their decimals.
    [1.15, 10_000, 115],
    [8.2, 10_000, 820],
    [12.5, largest, 1_125_899_906_842_624],
    [100, largest, largest],
  ] as const)("%j %% of %j is %j", (percentage, subtotal, amount_discount) => {
    const priced = priceCart({
      lines: [line("a", subtotal)],
      coupon: coupon("percentage", percentage),
    });
    const amount_total = subtotal - amount_discount;
    const sums = { amount_subtotal: subtotal, amount_discount, amount_total };
    expect(priced).toEqual({ ...sums, lines: [sums] });
  });
});

describe("a fixed discount is never more than the eligible lines cost", () => {
  test.each([
    [99, 99],
    [100, 100],
    [101, 100],
    [largest, 100],
  ])("%j off 100 is %j off", (amount, amount_discount) => {
    const priced = priceCart({ lines: [line("a", 100)], coupon: coupon("fixed", amount) });
    expect(priced).toMatchObject({ amount_discount, amount_total: 100 - amount_discount });
  });

  test("lines that are not eligible raise neither the limit nor their own discount", () => {
    const lines = [line("a", 100), line("b", 900)];
    const priced = priceCart({ lines, coupon: coupon("fixed", 500, ["a"]) });
    expect(priced).toMatchObject({ amount_discount: 100, amount_total: 900 });
    expect(priced?.lines.map((each) => each.amount_discount)).toEqual([100, 0]);
  });

  test("a coupon for products that are not in the cart takes nothing off", () => {
    const priced = priceCart({ lines: [line("a", 100)], coupon: coupon("percentage", 50, ["z"]) });
    expect(priced).toMatchObject({ amount_discount: 0, amount_total: 100 });
  });
});

describe("the discount is divided among the lines by the largest remainders", () => {
  test.each([
    // Exact shares: each of 10 lines of 10 gets 1.
    [[10, 10, 10], 3, [1, 1, 1]],
    // 100/3 each: the unit that is left goes to the first of equal lines.
    [[1, 1, 1], 1, [1, 0, 0]],
    [[1, 1, 1], 2, [1, 1, 0]],
    // 2.5, 2.5 and 5: a tie of two halves.
    [[25, 25, 50], 10, [3, 2, 5]],
    // 1.75 and 5.25: the larger remainder wins although it comes later in size.
    [[25, 75], 7, [2, 5]],
    // 0.1, 0.1 and 0.8: the last line has the largest remainder.
    [[1, 1, 8], 1, [0, 0, 1]],
    [[0, 5], 3, [0, 3]],
    [[0, 0], 3, [0, 0]],
    [[largest - 1, 1], largest, [largest - 1, 1]],
  ])("lines of %j with %j off get %j", (amounts, discount, shares) => {
    const lines = amounts.map((amount, index) => line(`p${index}`, amount));
    const priced = priceCart({ lines, coupon: coupon("fixed", discount) });
    expect(priced?.lines.map((each) => each.amount_discount)).toEqual(shares);
  });
});

test.each([
  ["a line above 2^53-1", [line("a", 2 ** 52, 2)]],
  ["lines whose sum is above 2^53-1", [line("a", largest), line("b", 1)]],
])("%s has no price", (_name, lines) => {
  expect(priceCart({ lines, coupon: null })).toBeNull();
});

test("a cart of exactly 2^53-1 has a price", () => {
  const lines = [line("a", largest - 1), line("b", 1)];
  expect(priceCart({ lines, coupon: null })).toMatchObject({ amount_total: largest });
});
