import { beforeEach, describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const day = 24 * hour;
const customer = { id: "u_1", email: "ana@example.com" };
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";

describe.each(storages)("a pause while a period is not paid, on %s", (_name, open) => {
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  /** What the bank says of a saved card. `silent` takes the money, and its answer is lost. */
  let card: "pays" | "declines" | "needs_buyer" | "silent";
  /** The times at which a charge was asked for. */
  let tries: number[];
  /** The times at which the bank has taken money from the card. */
  let charged: number[];

  beforeEach(async () => {
    card = "pays";
    tries = [];
    charged = [];
    const known = new Map<string, PaymentResult>();
    const sandbox = sandboxGateway();
    const gateway: PaymentGateway = {
      ...sandbox,
      async chargeSaved({ id, amount, currency }) {
        tries.push(shop.now());
        const told = { reference: `r_${id}`, amount, currency };
        if (card === "declines" || card === "needs_buyer")
          return {
            ...{ ...told, status: "failed", failure_code: "declined" },
            needs_buyer: card === "needs_buyer",
          };
        charged.push(shop.now());
        known.set(id, { ...told, status: "succeeded" });
        if (card === "silent") throw new Error("The answer is lost.");
        return { ...told, status: "succeeded" };
      },
      async getPayment(query) {
        if (card === "silent") throw new Error("No answer.");
        return known.get(query.id) ?? (await sandbox.getPayment?.(query)) ?? null;
      },
    };
    shop = await createShop(await open(), { limits: { checkout: null }, gateways: [gateway] });
    where = { store_id: shop.a.id, livemode: false };
  });

  const subscribe = async (kept: { readonly consent?: string }) => {
    const items = [{ product_id: await sellMonthly(shop), quantity: 1 }];
    const order = await shop.buy({ items }, {}, { customer, ...kept });
    return find(order.subscription_id ?? "");
  };
  const find = (id: string) => shop.storefront.subscriptions.retrieve(id, where);
  const goTo = async (time: number): Promise<void> => {
    shop.advance(time - shop.now());
    await shop.storefront.runMaintenance();
  };
  const passDays = async (days: number): Promise<void> => {
    for (let passed = 0; passed < days; passed += 1) await goTo(shop.now() + day);
  };
  /** Maintenance finds nothing to charge in a pause, so it is looked for on few of its days. */
  const passPause = async (days: number): Promise<void> => {
    for (let part = 0; part < 2; part += 1) await goTo(shop.now() + (days / 2) * day);
  };
  const iso = (time: number): string => new Date(time).toISOString();
  const alerts = async () =>
    (await shop.owner.alerts.list(shop.a.id)).data.map((alert) => alert.type);
  /** The events of subscriptions, the first one first. */
  const events = async () => {
    const { data } = await shop.owner.events.list({ ...where, limit: 100 });
    const types = data.map(({ type }) => type as string).reverse();
    return types.filter((type) => type.startsWith("subscription."));
  };
  const paidOrders = async () => (await shop.owner.orders.list({ ...where, status: "paid" })).data;

  /** Lets a saved card fail, pauses after two days, and resumes after the days given. */
  const pauseUnpaid = async (days: number, refusal: typeof card = "declines") => {
    const { id, current_period_end } = await subscribe({ consent });
    card = refusal;
    await goTo(Date.parse(current_period_end));
    await goTo(shop.now() + 2 * day);
    expect((await find(id)).status).toBe("past_due");
    await shop.storefront.subscriptions.pause(id, where);
    tries = [];
    await passPause(days);
    expect(tries).toEqual([]);
    return { id, current_period_end };
  };
  const resume = async (id: string) => {
    const resumed = await shop.storefront.subscriptions.resume(id, where);
    return { resumed, at: shop.now() };
  };
  const payByLink = async (id: string) => {
    const link = await shop.storefront.subscriptions.payLink(id, {
      ...{ ...where, success_url: returnUrl },
    });
    const payment = { payment_method_id: shop.a.method_id, customer };
    const token = link.url.split("/").at(-1) ?? "";
    expect((await shop.storefront.checkout.submit(token, payment)).status).toBe("paid");
  };

  test.each([1, 29, 122])("of %i days is not charged to a saved method", async (days) => {
    const { id, current_period_end } = await pauseUnpaid(days);
    card = "pays";
    const { resumed, at } = await resume(id);
    expect(resumed).toMatchObject({ status: "past_due", current_period_end });

    await passDays(5);
    expect(charged).toHaveLength(1);
    const paid = await find(id);
    expect(paid).toMatchObject({ status: "active", current_period_start: iso(at) });
    const next = Date.parse(paid.current_period_end);
    expect(next).toBeGreaterThan(at + 27 * day);

    await goTo(next - 2 * day);
    await passDays(8);
    expect(charged).toHaveLength(2);
    expect(charged[1]).toBeGreaterThanOrEqual(next);
    expect((await find(id)).current_period_start).toBe(iso(next));
    expect(await events()).toEqual([
      "subscription.created",
      "subscription.past_due",
      "subscription.updated",
      "subscription.updated",
      "subscription.renewed",
      "subscription.recovered",
      "subscription.renewal_upcoming",
      "subscription.renewed",
    ]);
    expect(await alerts()).toEqual([]);
  });

  test("gives a method that goes on failing the days of tries from the resumption", async () => {
    const { id } = await pauseUnpaid(122);
    const { at } = await resume(id);
    await passDays(12);
    expect(tries.map((time) => Math.floor((time - at) / day))).toEqual([1, 2, 4, 6]);
    expect(charged).toEqual([]);
    expect((await find(id)).status).toBe("canceled");
    const told = await events();
    expect(told.filter((type) => type === "subscription.past_due")).toHaveLength(1);
  });

  test("leaves the buyer, whom the bank asks for, the days until the last try", async () => {
    const { id } = await pauseUnpaid(122, "needs_buyer");
    const { at } = await resume(id);
    await passDays(5);
    expect((await find(id)).status).toBe("past_due");
    await payByLink(id);
    expect(await find(id)).toMatchObject({ status: "active", current_period_start: iso(at) });
    expect(tries).toEqual([]);
  });

  test("is not charged where the host charges", async () => {
    const { id, current_period_end: period_start } = await subscribe({});
    const { subscriptions } = shop.storefront;
    await goTo(Date.parse(period_start));
    await subscriptions.fail(id, { ...where, period_start, reference: "no" });
    await subscriptions.pause(id, where);
    await passPause(122);
    const { resumed, at } = await resume(id);
    expect(resumed.current_period_end).toBe(period_start);

    const money = { reference: "yes", amount: 5000, currency: "BRL" };
    const renew = () => subscriptions.renew(id, { ...where, period_start, ...money });
    const [{ subscription }] = await Promise.all([renew(), renew()]);
    expect(subscription).toMatchObject({ status: "active", current_period_start: iso(at) });
    expect(Date.parse(subscription.current_period_end)).toBeGreaterThan(at + 27 * day);
    expect((await renew()).subscription).toEqual(subscription);
    expect(await paidOrders()).toHaveLength(2);
    expect(await alerts()).toEqual([]);
  });

  test.each([
    ["a host that fails to charge", {}],
    ["a saved method", { consent }],
  ] as const)("is not charged to a buyer who pays by links, with %s", async (_method, kept) => {
    const { id, current_period_end } = await subscribe(kept);
    const { subscriptions } = shop.storefront;
    card = "declines";
    await goTo(Date.parse(current_period_end));
    if (!("consent" in kept))
      await subscriptions.fail(id, {
        ...{ ...where, period_start: current_period_end, reference: "no" },
      });
    await subscriptions.pause(id, where);
    await passPause(122);
    const { at } = await resume(id);
    await payByLink(id);
    const paid = await find(id);
    expect(paid).toMatchObject({ status: "active", current_period_start: iso(at) });
    expect(Date.parse(paid.current_period_end)).toBeGreaterThan(at + 27 * day);
    expect(await paidOrders()).toHaveLength(2);
  });

  test.each([
    ["a period that is open", true],
    ["a period that was not charged yet", false],
  ])("whose money comes in it buys %s from then on", async (_period, isCharged) => {
    const { id, current_period_end } = await subscribe({ consent });
    card = "declines";
    if (isCharged) await goTo(Date.parse(current_period_end));
    await shop.storefront.subscriptions.pause(id, where);
    await goTo(Date.parse(current_period_end) + 90 * day);
    await payByLink(id);
    const at = shop.now();
    card = "pays";
    const { resumed } = await resume(id);
    expect(resumed).toMatchObject({ status: "active", current_period_start: iso(at) });

    const next = Date.parse(resumed.current_period_end);
    await goTo(next - day);
    expect(charged).toEqual([]);
    await passDays(3);
    expect(charged).toHaveLength(1);
    expect((await find(id)).current_period_start).toBe(iso(next));
  });

  test("that goes on behind the paid period leaves the next one to the resumption", async () => {
    const { id } = await pauseUnpaid(10);
    await payByLink(id);
    card = "pays";
    await passPause(100);
    expect(charged).toEqual([]);
    const { at } = await resume(id);
    await passDays(10);
    expect(charged).toHaveLength(1);
    expect((await find(id)).current_period_start).toBe(iso(at));
  });

  test("does not hide a charge that runs: its money pays the period, once", async () => {
    const { id, current_period_end } = await subscribe({ consent });
    card = "silent";
    await goTo(Date.parse(current_period_end));
    await shop.storefront.subscriptions.pause(id, where);
    await passDays(3);
    const { at } = await resume(id);
    await passDays(3);
    card = "pays";
    await passDays(10);
    expect(charged).toHaveLength(1);
    expect(await find(id)).toMatchObject({ status: "active", current_period_start: iso(at) });
    expect(await alerts()).toEqual([]);
  });

  test("behind a trial charges its first period once", async () => {
    const product_id = await sellMonthly(shop);
    const recurring = { interval: "month" as const, interval_count: 1, trial_days: 7 };
    await shop.owner.products.update(shop.a.id, product_id, { recurring });
    const items = [{ product_id, quantity: 1 }];
    const { subscription_id } = await shop.buy({ items }, {}, { customer, consent });
    const id = subscription_id ?? "";
    const { trial_end } = await find(id);
    card = "declines";
    await goTo(Date.parse(trial_end ?? ""));
    await shop.storefront.subscriptions.pause(id, where);
    await passPause(122);
    card = "pays";
    const { at } = await resume(id);
    await passDays(10);
    expect(charged).toHaveLength(1);
    expect(await find(id)).toMatchObject({
      ...{ status: "active", trial_end, current_period_start: iso(at) },
    });
  });
});
