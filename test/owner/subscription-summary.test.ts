import { describe, expect, test } from "vitest";
import { monthlyAmount } from "../../src/rules/subscriptions/subscription-sums.ts";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const sum = {
  status: "active",
  ending: false,
  paused: false,
  currency: "BRL",
  interval: "month",
  interval_count: 1,
  count: 1,
  amount: 1200,
} as const;

test.each([
  ["month", 1, 1200],
  ["month", 3, 400],
  ["year", 1, 100],
  ["week", 1, 5200],
  ["day", 1, 36_500],
  ["day", 30, 1217],
] as const)("a subscription of each %s, %i of them, brings %i a month", (interval, n, amount) => {
  expect(monthlyAmount({ ...sum, interval, interval_count: n })).toBe(amount);
});

describe.each(storages)("what subscriptions bring, on %s", (_name, open) => {
  test("is counted over those that go on; each one stands in one number", async () => {
    const shop = await createShop(await open(), { limits: { checkout: null } });
    const where = { store_id: shop.a.id, livemode: false };
    await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, {
      supports_recurring: true,
    });
    const subscribe = async (interval: "month" | "year", price: number) => {
      const recurring = { interval, interval_count: 1 };
      const made = { name: "Plan", price, currency: "BRL", recurring };
      const { id } = await shop.owner.products.create(shop.a.id, made);
      return (await shop.buy({ items: [{ product_id: id, quantity: 1 }] })).subscription_id ?? "";
    };
    const { subscriptions } = shop.storefront;
    const last_30_days = { started: 0, ended: 0, churn: null, recovered: [] };
    const counts = { trialing: 0, active: 0, past_due: 0, ending: 0, paused: 0 };
    const none = { ...counts, monthly: [], last_30_days };
    expect(await shop.owner.subscriptions.summary(where)).toEqual(none);

    const monthly = await subscribe("month", 4900);
    await subscribe("year", 12_000);
    const paused = await subscribe("month", 700);
    await subscriptions.pause(paused, where);
    const ending = await subscribe("month", 900);
    await subscriptions.pause(ending, where);
    await subscriptions.cancel(ending, where);
    const ended = await subscribe("month", 800);
    await subscriptions.cancel(ended, { ...where, at_period_end: false });
    const { current_period_end } = await subscriptions.retrieve(monthly, where);
    await subscriptions.fail(monthly, {
      ...where,
      period_start: current_period_end,
      reference: "f",
    });

    expect(await shop.owner.subscriptions.summary(where)).toEqual({
      trialing: 0,
      active: 1,
      past_due: 1,
      ending: 1,
      paused: 1,
      monthly: [{ currency: "BRL", amount: 5900 }],
      last_30_days: { started: 5, ended: 1, churn: null, recovered: [] },
    });
    expect(await shop.owner.subscriptions.summary({ ...where, livemode: true })).toEqual(none);

    // Of the four that were there 31 days later, one ends; the open period is paid after all.
    shop.advance(31 * 86_400_000);
    await subscriptions.renew(monthly, {
      ...where,
      period_start: current_period_end,
      reference: "r",
      amount: 4900,
      currency: "BRL",
    });
    await subscriptions.cancel(paused, { ...where, at_period_end: false });
    expect((await shop.owner.subscriptions.summary(where)).last_30_days).toEqual({
      started: 0,
      ended: 1,
      churn: 0.25,
      recovered: [{ currency: "BRL", count: 1, amount: 4900 }],
    });
    const unknown = shop.owner.subscriptions.summary({ ...where, store_id: "str_none" });
    expect(await thrownBy(unknown)).toMatchObject({ code: "resource_not_found" });
  });
});
