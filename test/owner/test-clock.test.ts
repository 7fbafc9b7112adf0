import { describe, expect, test } from "vitest";
import { createStorefront, type Storage, sandboxGateway } from "vitrine";
import { createTestShop, type TestShop } from "vitrine/testing";
import { beginClock, turnClock } from "../../src/steps/clock-steps.ts";
import { storages } from "../support/storages.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const sealKey = new Uint8Array(32).fill(7);

/** Moves the test clock until it is ready. */
async function turn(shop: TestShop, ms: number) {
  const { store_id } = shop.where;
  let clock = await shop.storefront.owner.testClock.advance({ store_id, ms });
  while (clock.status === "advancing")
    clock = await shop.storefront.owner.testClock.advance({ store_id, ms: 0 });
  return clock;
}

/** Buys a monthly subscription. */
async function subscribe(shop: TestShop): Promise<string> {
  const product = await shop.product({ recurring: { interval: "month", interval_count: 1 } });
  const session = await shop.checkout([{ product_id: product.id, quantity: 1 }]);
  const customer = { email: "ana@example.com", name: "Ana" };
  const order = await shop.pay(session, { customer });
  return order.subscription_id ?? "";
}

/** Pays a year of months, each when it is due, and ends the subscription with its last one. */
async function payYear(shop: TestShop, move: (ms: number) => Promise<unknown>): Promise<void> {
  const { subscriptions } = shop.storefront;
  const id = await subscribe(shop);
  let now = shop.now();
  const moveTo = async (time: string): Promise<void> => {
    await move(Date.parse(time) - now);
    now = Date.parse(time);
  };

  for (let month = 1; month <= 12; month += 1) {
    const subscription = await subscriptions.retrieve(id, shop.where);
    const { current_period_end, amount, currency } = subscription;
    await moveTo(current_period_end);
    const period = { period_start: current_period_end, reference: `month-${month}` };
    await subscriptions.renew(id, { ...shop.where, ...period, amount, currency });
    await shop.storefront.drainWebhooks();
  }
  await subscriptions.cancel(id, shop.where);
  const { current_period_end } = await subscriptions.retrieve(id, shop.where);
  await moveTo(current_period_end);
}

/** What the receiver was told. Several events of one moment may come in any order. */
const toldBy = (shop: TestShop) =>
  shop.webhooks
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ type, sequence, created_at, data }) => {
      const subscription = "subscription" in data ? data.subscription : null;
      return [type, sequence, created_at, subscription?.current_period_end ?? null];
    });

const openShop = async (storage: Storage): Promise<TestShop> =>
  createTestShop({ storage, sealKey });

describe.each(storages)("the test clock of a store, on %s", (_name, open) => {
  test("a year of renewals is the year that the host's own clock gives", async () => {
    const wanted = await createTestShop();
    await payYear(wanted, (ms) => wanted.advanceClock(ms));
    const shop = await openShop(await open());
    await payYear(shop, (ms) => turn(shop, ms));

    expect(toldBy(shop)).toEqual(toldBy(wanted));
    const renewals = toldBy(shop).filter(([type]) => type === "subscription.renewed");
    expect(renewals).toHaveLength(12);
  });

  test("a session expires, and its order fails at the time of the test mode", async () => {
    const shop = await openShop(await open());
    const { id: product_id } = await shop.product();
    const session = await shop.checkout([{ product_id, quantity: 1 }]);
    const clock = await turn(shop, hourMs);
    expect(clock).toMatchObject({
      status: "ready",
      offset_ms: hourMs,
      now: new Date(shop.now() + hourMs).toISOString(),
    });

    const read = await shop.call("GET", `/checkout/sessions/${session.id}`);
    expect(read.body).toMatchObject({ data: { status: "expired" } });
    const later = await shop.checkout([{ product_id, quantity: 1 }]);
    expect(later).toMatchObject({ status: "open" });
    expect(Date.parse(later.expires_at)).toBe(Date.parse(session.expires_at) + hourMs);
  });

  test("a payment that nobody confirms runs out, and a webhook is tried again in its time", async () => {
    let refusals = 2;
    const storage = await open();
    const shop = await createTestShop({
      storage,
      sealKey,
      gateways: [sandboxGateway({ codesPaidAfter: { ms: 1, now: () => 0 } })],
      deliverTo: () => new Response(null, { status: refusals-- > 0 ? 500 : 200 }),
    });
    const { id: product_id } = await shop.product();
    const session = await shop.checkout([{ product_id, quantity: 1 }]);
    const order = await shop.pay(session, { outcome: "qr_code" });
    expect(order.status).toBe("pending");

    await turn(shop, 5 * dayMs);
    const found = await shop.storefront.orders.retrieve(order.id, shop.where);
    expect(found).toMatchObject({ status: "failed", failure_code: "expired" });
    const { data } = await shop.storefront.owner.deliveries.list(shop.where);
    expect(data.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    const events = await shop.storefront.owner.events.list(shop.where);
    const failed = events.data.find(({ type }) => type === "order.failed");
    expect(Date.parse(failed?.created_at ?? "")).toBeGreaterThan(shop.now() + minuteMs);
  });

  test("a process that read the clock before it was turned charges what came due by it", async () => {
    const storage = await open();
    const shop = await openShop(storage);
    const { storefront, where, now } = shop;
    const { checkout, owner } = storefront;
    const [method] = await owner.paymentMethods.list(where.store_id);
    const product = await shop.product({ recurring: { interval: "month", interval_count: 1 } });
    const { checkout_url } = await shop.checkout([{ product_id: product.id, quantity: 1 }]);
    const token = checkout_url.split("/").at(-1) ?? "";
    const saved = { payment_method_id: method?.id ?? "", consent: "Every month." };
    await checkout.submit(token, { ...saved, customer: { id: "ana" } });

    const address = "https://shop.example.com";
    const other = createStorefront({
      storage,
      checkout: { baseUrl: `${address}/pay` },
      docsUrl: `${address}/errors`,
      gateways: [sandboxGateway()],
      sealKey,
      now,
    });
    await other.checkout.view(token);
    const call = { store_id: where.store_id, token: "one", now: now(), until: now() + minuteMs };
    await beginClock(storage.records, { ...call, ms: 40 * dayMs });
    for (let turns = 0; turns < 16; turns += 1) {
      await turnClock(storage.records, { ...call, passes_held: false });
      await other.runMaintenance();
      await storefront.drainWebhooks();
    }
    const types = (await owner.events.list(where)).data.map(({ type }) => type);
    expect(types).toContain("subscription.renewal_upcoming");
    expect(types).toContain("subscription.renewed");
  });

  test("a second advance waits its turn, 400 days are the most, and a wipe puts it back", async () => {
    const shop = await openShop(await open());
    const { owner } = shop.storefront;
    const { store_id } = shop.where;
    await expect(owner.testClock.advance({ store_id, ms: -1 })).rejects.toMatchObject({
      code: "parameter_invalid",
      details: { param: "ms" },
    });
    await turn(shop, 300 * dayMs);
    await expect(owner.testClock.advance({ store_id, ms: 101 * dayMs })).rejects.toMatchObject({
      code: "parameter_invalid",
      details: { param: "ms" },
    });

    await owner.wipeTestData(store_id);
    expect(await owner.testClock.retrieve(store_id)).toMatchObject({
      status: "ready",
      offset_ms: 0,
    });
  });

  test("the live mode and other stores stay in the real time", async () => {
    const shop = await openShop(await open());
    const { owner } = shop.storefront;
    const other = await owner.stores.create({ name: "Other", currency: "BRL" });
    await turn(shop, 30 * dayMs);
    expect(await owner.testClock.retrieve(other.id)).toMatchObject({ offset_ms: 0 });

    const at = (livemode: boolean) =>
      owner.endpoints.list({ store_id: shop.where.store_id, livemode });
    expect(await at(true)).toEqual([]);
    const { status } = await shop.call("GET", "/products");
    expect(status).toBe(200);
  });

  test("test answers tell the time of the clock", async () => {
    const shop = await openShop(await open());
    const ask = async () => {
      const request = new Request("https://shop.example.com/v1/products", {
        headers: { authorization: `Bearer ${shop.keys.secret}` },
      });
      const { headers } = await shop.storefront.handler(request, { ip: "203.0.113.1" });
      return headers.get("x-test-clock");
    };
    expect(await ask()).toBeNull();
    await turn(shop, dayMs);
    expect(await ask()).toBe(new Date(shop.now() + dayMs).toISOString());
  });
});
