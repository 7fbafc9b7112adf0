import { beforeEach, describe, expect, test } from "vitest";
import type { Subscription } from "vitrine";
import { periodStart } from "../../src/domain/periods.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("subscriptions, on %s", (_name, open) => {
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  let product_id: string;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null } });
    where = { store_id: shop.a.id, livemode: false };
    await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, {
      supports_recurring: true,
    });
    const recurring = { interval: "month" as const, interval_count: 1 };
    product_id = (
      await shop.owner.products.create(shop.a.id, {
        name: "Box",
        price: 5000,
        currency: "BRL",
        recurring,
      })
    ).id;
  });
  const subscribe = async (): Promise<Subscription> => {
    shop.advance(1);
    const order = await shop.buy(
      { items: [{ product_id, quantity: 2 }] },
      {},
      { customer: { id: "u_1", email: "ana@example.com" } },
    );
    return shop.storefront.subscriptions.retrieve(order.subscription_id ?? "", where);
  };
  const listed = async () =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data;
  const types = async (): Promise<string[]> =>
    (await listed()).map((event: { type: string }) => event.type);
  const renewal = (subscription: Subscription, changes: object = {}) => ({
    ...where,
    period_start: subscription.current_period_end,
    reference: `r-${subscription.current_period_end}`,
    amount: 10_000,
    currency: "BRL",
    ...changes,
  });

  test("the first order's payment creates the subscription in the same step", async () => {
    const subscription = await subscribe();
    expect(subscription).toMatchObject({
      status: "active",
      product_id,
      quantity: 2,
      unit_amount: 5000,
      amount: 10_000,
      interval: "month",
      interval_count: 1,
      current_period_start: "2026-01-15T12:00:00.001Z",
      current_period_end: "2026-02-15T12:00:00.001Z",
      customer: { id: "u_1" },
    });
    const events = await listed();
    expect(events.map((event: { type: string }) => event.type)).toEqual([
      "order.created",
      "order.paid",
      "checkout.session.completed",
      "subscription.created",
    ]);
    expect(events[3].data).toEqual({
      subscription,
      order: { id: subscription.latest_order_id, number: 1, status: "paid" },
    });
    expect(events[1].data.order.subscription_id).toBe(subscription.id);
  });

  test("after a pause a renewal names the period that began with the resumption", async () => {
    const before = await subscribe();
    const { subscriptions } = shop.storefront;
    await subscriptions.pause(before.id, where);
    shop.advance(45 * 86_400_000 + 17);
    const resumed = await subscriptions.resume(before.id, where);
    expect(resumed.current_period_end).toBe(new Date(shop.now()).toISOString());

    expect(await thrownBy(subscriptions.renew(before.id, renewal(before)))).toMatchObject({
      code: "parameter_invalid",
      param: "period_start",
    });
    const renewed = await subscriptions.renew(before.id, renewal(resumed));
    expect(renewed.subscription).toMatchObject({
      status: "active",
      current_period_start: resumed.current_period_end,
    });
  });

  test("a paid renewal makes a new order and writes order.paid and subscription.renewed; ten reports of one period are one renewal", async () => {
    const subscription = await subscribe();
    const told = await Promise.all(
      Array.from({ length: 10 }, () =>
        shop.storefront.subscriptions.renew(subscription.id, renewal(subscription)),
      ),
    );
    expect(new Set(told.map(({ order }) => order.id)).size).toBe(1);
    expect(told[0]?.order).toMatchObject({
      number: 2,
      status: "paid",
      amount_total: 10_000,
      checkout_session_id: null,
      metadata: {},
    });
    expect(await shop.storefront.subscriptions.retrieve(subscription.id, where)).toMatchObject({
      current_period_start: "2026-02-15T12:00:00.001Z",
      current_period_end: "2026-03-15T12:00:00.001Z",
      latest_order_id: told[0]?.order.id,
    });
    expect((await types()).slice(4)).toEqual([
      "order.created",
      "order.paid",
      "subscription.renewed",
    ]);
    expect((await shop.get("/orders", { key: shop.a.test.sec })).body.data).toHaveLength(2);
  });

  test("a failed renewal makes the subscription past_due; a later success of the same period renews it under the same order", async () => {
    const subscription = await subscribe();
    const { period_start } = renewal(subscription);
    const failed = { ...where, period_start, reference: "f1", failure_code: "declined" as const };
    const first = await shop.storefront.subscriptions.fail(subscription.id, failed);
    await shop.storefront.subscriptions.fail(subscription.id, failed);
    expect(first).toMatchObject({
      subscription: { status: "past_due" },
      order: { status: "failed", failure_code: "declined" },
    });
    const mended = await shop.storefront.subscriptions.renew(
      subscription.id,
      renewal(subscription),
    );
    expect(mended).toMatchObject({
      subscription: { status: "active" },
      order: { id: first.order.id, status: "paid" },
    });
    expect((await types()).slice(4)).toEqual([
      "order.created",
      "order.failed",
      "subscription.past_due",
      "order.paid",
      "subscription.renewed",
      "subscription.recovered",
    ]);
    expect(
      await shop.storefront.orders.refund(mended.order.id, { ...where, reference: "rf" }),
    ).toMatchObject({ status: "succeeded" });
    expect(
      await thrownBy(
        shop.storefront.orders.markPaid(mended.order.id, {
          ...where,
          reference: "x",
          amount: 1,
          currency: "BRL",
        }),
      ),
    ).toMatchObject({
      code: "invalid_transition",
    });
  });

  test("another period, amount, currency, store or mode is refused, each with its own error", async () => {
    const subscription = await subscribe();
    const renew = (changes: object) =>
      thrownBy(
        shop.storefront.subscriptions.renew(subscription.id, renewal(subscription, changes)),
      );
    expect(await renew({ period_start: "2026-02-16T12:00:00Z" })).toMatchObject({
      code: "parameter_invalid",
      param: "period_start",
    });
    expect(await renew({ amount: 9_999 })).toMatchObject({
      code: "payment_mismatch",
      param: "amount",
    });
    expect(await renew({ currency: "USD" })).toMatchObject({
      code: "payment_mismatch",
      param: "currency",
    });
    expect(await renew({ store_id: shop.b.id })).toMatchObject({ code: "resource_not_found" });
    expect(await renew({ livemode: true })).toMatchObject({ code: "resource_not_found" });
    expect(await types()).toHaveLength(4);
  });

  test("a subscription canceled at its period's end writes its event once, when access ends", async () => {
    const subscription = await subscribe();
    const marked = await shop.storefront.subscriptions.cancel(subscription.id, where);
    expect(marked).toMatchObject({
      status: "active",
      cancel_at_period_end: true,
      canceled_at: "2026-01-15T12:00:00.001Z",
      ended_at: null,
    });
    expect(await shop.storefront.runMaintenance()).toMatchObject({ subscriptions_ended: 0 });
    shop.advance(Date.parse(subscription.current_period_end) - shop.now());
    const reports = await Promise.all(
      Array.from({ length: 4 }, () => shop.storefront.runMaintenance()),
    );
    expect(reports.reduce((sum, report) => sum + report.subscriptions_ended, 0)).toBe(1);
    expect((await types()).filter((type) => type === "subscription.canceled")).toHaveLength(1); // the older ones are pruned by now
    expect(await shop.storefront.subscriptions.retrieve(subscription.id, where)).toMatchObject({
      status: "canceled",
      ended_at: subscription.current_period_end,
    });
  });

  test("money that no period needs is recorded, shown to the owner and never refused", async () => {
    const subscription = await subscribe();
    const { subscriptions, orders } = shop.storefront;
    const renew = (changes: object = {}) =>
      subscriptions.renew(subscription.id, renewal(subscription, changes));
    const latest = (await renew()).order;

    // Five cents for a paid period, and a payment of a period after the end.
    expect((await renew({ reference: "five", amount: 5 })).order).toEqual(latest);
    await subscriptions.cancel(subscription.id, { ...where, at_period_end: false });
    const period_start = "2026-03-15T12:00:00.001Z";
    for (let time = 0; time < 2; time++)
      expect((await renew({ reference: "late", period_start })).order).toEqual(latest);

    const money = await orders.listPayments(latest.id, where);
    expect(
      money.map(({ status, amount, payment_reference }) => [status, amount, payment_reference]),
    ).toEqual([
      ["booked", 10_000, renewal(subscription).reference],
      ["duplicate", 5, "five"],
      ["duplicate", 10_000, "late"],
    ]);
    const { data: alerts } = await shop.owner.alerts.list(shop.a.id);
    expect(
      alerts.map(({ type, data }) => [type, data["order_id"], data["reference"]]).sort(),
    ).toEqual([
      ["duplicate_payment", latest.id, "five"],
      ["payment_after_end", latest.id, "late"],
    ]);
    const failure = { ...where, period_start, reference: "no" };
    expect(await thrownBy(subscriptions.fail(subscription.id, failure))).toMatchObject({
      code: "invalid_transition",
    });
  });

  test("a subscription canceled now ends with the call; a repeat changes nothing", async () => {
    const subscription = await subscribe();
    for (let time = 0; time < 2; time++)
      expect(
        await shop.storefront.subscriptions.cancel(subscription.id, {
          ...where,
          at_period_end: false,
        }),
      ).toMatchObject({
        status: "canceled",
        ended_at: "2026-01-15T12:00:00.001Z",
      });
    expect((await types()).filter((type) => type === "subscription.canceled")).toHaveLength(1);
  });

  test("the list is newest first, by customer and status, with a cursor", async () => {
    const made = [await subscribe(), await subscribe(), await subscribe()]
      .map(({ id }) => id)
      .reverse();
    await shop.storefront.subscriptions.cancel(made[0] ?? "", { ...where, at_period_end: false });
    const page = await shop.storefront.subscriptions.list({ ...where, limit: 2 });
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([made.slice(0, 2), true]);
    const rest = await shop.storefront.subscriptions.list({
      ...where,
      limit: 2,
      starting_after: page.next_cursor,
    });
    expect([rest.data.map(({ id }) => id), rest.has_more, rest.next_cursor]).toEqual([
      made.slice(2),
      false,
      null,
    ]);
    expect(
      (await shop.storefront.subscriptions.list({ ...where, status: "canceled" })).data,
    ).toHaveLength(1);
    expect(
      (await shop.storefront.subscriptions.list({ ...where, customer_id: "u_2" })).data,
    ).toHaveLength(0);
  });
});

describe("periods", () => {
  const at = (text: string) => Date.parse(text);
  test.each([
    ["2026-01-31T10:00:00Z", "month", 1, 1, "2026-02-28T10:00:00Z"],
    ["2026-01-31T10:00:00Z", "month", 1, 2, "2026-03-31T10:00:00Z"],
    ["2024-01-31T10:00:00Z", "month", 1, 1, "2024-02-29T10:00:00Z"],
    ["2024-02-29T23:59:59.999Z", "year", 1, 1, "2025-02-28T23:59:59.999Z"],
    ["2024-02-29T00:00:00Z", "year", 1, 4, "2028-02-29T00:00:00Z"],
    ["2026-11-30T00:00:00Z", "month", 3, 1, "2027-02-28T00:00:00Z"],
    ["2026-01-31T00:00:00Z", "week", 2, 1, "2026-02-14T00:00:00Z"],
    ["2026-12-31T00:00:00Z", "day", 1, 1, "2027-01-01T00:00:00Z"],
  ] as const)(
    "from %s, %s × %i, number %i begins at %s",
    (anchor, interval, interval_count, count, expected) => {
      expect(new Date(periodStart(at(anchor), interval, interval_count, count)).toISOString()).toBe(
        new Date(expected).toISOString(),
      );
    },
  );
});
