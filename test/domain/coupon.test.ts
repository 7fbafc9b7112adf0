import { describe, expect, test } from "vitest";
import { type CouponFacts, judgeCoupon, normalizeCode } from "../../src/domain/coupon.ts";

const now = Date.UTC(2026, 0, 15);

const facts: CouponFacts = {
  enabled: true,
  discount_type: "percentage",
  discount_amount: 10,
  currency: null,
  min_subtotal: null,
  min_subtotal_currency: null,
  product_ids: null,
  starts_at: null,
  ends_at: null,
  max_uses: null,
  used: 0,
};

const cart = {
  currency: "BRL",
  lines: [
    { product_id: "a", amount_subtotal: 600 },
    { product_id: "b", amount_subtotal: 400 },
  ],
};

const minimumOf = (min_subtotal: number, min_subtotal_currency: string | null = "BRL") => ({
  min_subtotal,
  min_subtotal_currency,
});

describe("each condition of a coupon, on both sides of its limit", () => {
  test.each([
    ["nothing restricts it", {}, true],
    ["it is disabled", { enabled: false }, false],
    ["it begins in this millisecond", { starts_at: now }, true],
    ["it begins in the next millisecond", { starts_at: now + 1 }, false],
    ["it ends in this millisecond", { ends_at: now }, false],
    ["it ends in the next millisecond", { ends_at: now + 1 }, true],
    ["one use is left", { max_uses: 5, used: 4 }, true],
    ["no use is left", { max_uses: 5, used: 5 }, false],
    ["it was used more often than it may be", { max_uses: 5, used: 6 }, false],
    ["it is for the cart's currency", { currency: "BRL" }, true],
    ["it is for another currency", { currency: "USD" }, false],
    ["the cart costs exactly the minimum", minimumOf(1_000), true],
    ["the cart costs one unit too little", minimumOf(1_001), false],
    ["the minimum is in another currency", minimumOf(1_000, "USD"), false],
    ["a cart of another currency costs far more than the minimum", minimumOf(1, "USD"), false],
    ["the minimum has no currency", minimumOf(1, null), false],
    ["no minimum is in another currency", { min_subtotal_currency: "USD" }, true],
    [
      "it is for the cart's currency, and its minimum in another one",
      { currency: "BRL", ...minimumOf(1, "USD") },
      false,
    ],
    ["one product of the cart is eligible", { product_ids: ["b", "z"] }, true],
    ["no product of the cart is eligible", { product_ids: ["z"] }, false],
  ] as const)("%s", (_name, change, isValid) => {
    expect(judgeCoupon({ ...facts, ...change }, cart, now)).toBe(isValid);
  });

  test("no coupon at all", () => {
    expect(judgeCoupon(null, cart, now)).toBe(false);
  });

  test("the minimum counts lines that the coupon is not for", () => {
    const coupon = { ...facts, product_ids: ["b"], ...minimumOf(1_000) };
    expect(judgeCoupon(coupon, cart, now)).toBe(true);
  });

  test.each([
    ["BRL", "BRL", true],
    ["USD", "USD", true],
    ["BRL", "USD", false],
    ["USD", "BRL", false],
  ])("a minimum in %s is reached by a cart in %s: %j", (minimum, currency, isReached) => {
    const coupon = { ...facts, ...minimumOf(1_000, minimum) };
    expect(judgeCoupon(coupon, { ...cart, currency }, now)).toBe(isReached);
  });
});

test.each([
  ["  summer10 ", "SUMMER10"],
  ["ＳＵＭＭＥＲ", "SUMMER"],
  ["ação", "AÇÃO"],
  ["a b", "A B"],
])("the code %j is looked up as %j", (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
});
