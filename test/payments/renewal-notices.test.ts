import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { memoryStorage, type Storage, type StorefrontOptions } from "vitrine";
import { type Message, sendMessages } from "vitrine/mail";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const day = 24 * 3_600_000;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const customer = { id: "u_1", email: "ana@example.com", name: "Ana" };

let shop: Shop;
let where: { store_id: string; livemode: boolean };

async function openShop(
  storage: Storage,
  renewals: StorefrontOptions["renewals"] = {},
): Promise<void> {
  shop = await createShop(storage, { limits: { checkout: null }, renewals });
  where = { store_id: shop.a.id, livemode: false };
}

async function subscribe(interval?: "week") {
  const product = await sellMonthly(shop);
  if (interval)
    await shop.owner.products.update(shop.a.id, product, {
      recurring: { interval, interval_count: 1 },
    });
  const items = [{ product_id: product, quantity: 1 }];
  const order = await shop.buy({ items }, {}, { customer, consent });
  return shop.storefront.subscriptions.retrieve(order.subscription_id ?? "", where);
}

const type = "subscription.renewal_upcoming";
const notices = async () => (await shop.owner.events.list({ ...where, type, limit: 100 })).data;
const goTo = async (time: number): Promise<void> => {
  shop.advance(time - shop.now());
  await shop.storefront.runMaintenance();
};
/** Runs maintenance six times a day until the given time. */
const liveUntil = async (time: number): Promise<void> => {
  while (shop.now() < time) await goTo(shop.now() + day / 6);
};

describe.each(storages)("the notice of a renewal, on %s", (_name, open) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });

  test("comes once for each period, by day, three days before its charge", async () => {
    await openShop(storage);
    const { current_period_end } = await subscribe();
    const charge = Date.parse(current_period_end);
    await liveUntil(charge - 3 * day - day / 6);
    expect(await notices()).toEqual([]);
    await liveUntil(charge - 1);
    const [notice] = await notices();
    expect(await notices()).toHaveLength(1);
    const told = Date.parse(notice?.payload?.created_at ?? "");
    expect(charge - told).toBeLessThanOrEqual(3 * day);
    expect(charge - told).toBeGreaterThan(2 * day);
    expect(notice?.payload?.data).toMatchObject({
      subscription: { next_charge_at: current_period_end, status: "active" },
      order: null,
    });

    await liveUntil(charge + 32 * day);
    expect(await notices()).toHaveLength(2);
  });

  test("two processes tell once; a pause and an end tell of nothing", async () => {
    await openShop(storage);
    const paused = await subscribe();
    const ending = await subscribe();
    const running = await subscribe();
    await shop.storefront.subscriptions.pause(paused.id, where);
    await shop.storefront.subscriptions.cancel(ending.id, { ...where, at_period_end: true });
    shop.advance(29 * day);
    await Promise.all([shop.storefront.runMaintenance(), shop.storefront.runMaintenance()]);
    await liveUntil(Date.parse(running.current_period_end) - 1);
    const told = (await notices()).map(({ payload }) =>
      payload && "subscription" in payload.data ? payload.data.subscription.id : "",
    );
    expect(told).toEqual([running.id]);
  });

  test("the clock of the test mode brings it near", async () => {
    await openShop(storage);
    await subscribe();
    await shop.owner.testClock.advance({ store_id: shop.a.id, ms: 29 * day });
    expect(await notices()).toHaveLength(1);
  });
});

test("0 days tell of nothing, and a week is told of in its second half", async () => {
  await openShop(memoryStorage(), { noticeDays: 0 });
  const month = await subscribe();
  await liveUntil(Date.parse(month.current_period_end) - 1);
  expect(await notices()).toEqual([]);

  await openShop(memoryStorage(), { noticeDays: 30 });
  const week = await subscribe("week");
  await liveUntil(Date.parse(week.current_period_end) - 1);
  const [notice] = await notices();
  const told = Date.parse(notice?.payload?.created_at ?? "") - shop.now();
  expect(told).toBeLessThan(0);
  expect(-told).toBeLessThan(3.6 * day);
  await expect(openShop(memoryStorage(), { noticeDays: 61 })).rejects.toMatchObject({
    param: "renewals.noticeDays",
  });
});

test("the message names the amount, the day and the method", async () => {
  await openShop(memoryStorage());
  await shop.owner.stores.update(shop.a.id, { locale: "pt-BR", timezone: "America/Sao_Paulo" });
  const sent: Message[] = [];
  const end = new AbortController();
  const work = sendMessages(shop.storefront, {
    onMessage: (message) => void sent.push(message),
    signal: end.signal,
    testMode: true,
    kinds: ["renewal_notice"],
    now: shop.now,
  });
  onTestFinished(() => {
    end.abort();
    return work;
  });
  const { current_period_end } = await subscribe();
  await liveUntil(Date.parse(current_period_end) - 1);
  await expect.poll(() => sent.length).toBe(1);
  const text = sent[0]?.text.replace(/\u00a0/g, " ");
  expect(sent[0]).toMatchObject({ kind: "renewal_notice", to: customer.email });
  expect(text).toMatch(/Em \d+ de \S+( de \d+)?, R\$ 50,00 por Box será cobrado em Sandbox/);
});
