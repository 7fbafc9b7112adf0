import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { createTestShop } from "vitrine/testing";
import { timeOfId } from "../../src/domain/keys/ids.ts";
import { tokenSecret } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const dayMs = 86_400_000;
const turnedMs = 40 * dayMs;

/** The sandbox, which notes until when each payment may come. */
function notingGateway(ends: number[]): PaymentGateway {
  const sandbox = sandboxGateway();
  return {
    ...sandbox,
    createPayment: (request) => {
      ends.push(request.expires_at);
      return sandbox.createPayment(request);
    },
  };
}

/** The seconds that the signatures of deliveries were made at. */
function signedAt() {
  const times: number[] = [];
  const deliverTo = (request: Request): Response => {
    const [, time] = /t=(\d+)/.exec(request.headers.get("x-service-signature") ?? "") ?? [];
    times.push(Number(time) * 1_000);
    return new Response(null, { status: 200 });
  };
  return { times, deliverTo };
}

describe.each(storages)("while the clock of the test mode is turned, on %s", (_name, open) => {
  test("records tell its time; ids, signatures, logs, tokens, replies and gateways the real one", async () => {
    const ends: number[] = [];
    const { times, deliverTo } = signedAt();
    const shop = await createTestShop({
      storage: await open(),
      sealKey: new Uint8Array(32).fill(7),
      gateways: [notingGateway(ends)],
      customerTokens: { keys: [{ kid: "k1", alg: "HS256", secret: tokenSecret }] },
      requestLog: {},
      deliverTo,
    });
    const { storefront, where, now, keys } = shop;
    const { owner, customers } = storefront;
    const { store_id } = where;
    const product = await shop.product();
    const { token } = await customers.issueToken({ ...where, customer_id: "ana" });
    const create = () =>
      shop.call("POST", "/checkout/sessions", {
        body: {
          items: [{ product_id: product.id, quantity: 1 }],
          success_url: shop.return_url,
          cancel_url: shop.return_url,
        },
        headers: { "Idempotency-Key": "once" },
      });
    const first = await create();
    const { testClock, keys: ownKeys } = storefront.as("ana").owner;
    const turned = await testClock.advance({ store_id, ms: turnedMs });
    expect(turned).toMatchObject({ status: "ready", offset_ms: turnedMs });

    // A key of idempotency lives a real day, a token of a buyer its real hour.
    expect(await create()).toEqual(first);
    const headers = { "X-Service-Customer-Token": token };
    expect((await shop.call("GET", "/customers/me/orders", { headers })).status).toBe(200);

    times.length = 0;
    const session = await shop.checkout([{ product_id: product.id, quantity: 1 }]);
    const order = await shop.pay(session);
    await shop.advanceClock(1_000);
    expect(Date.parse(order.created_at)).toBe(now() - 1_000 + turnedMs);
    expect(timeOfId("ord", order.id)).toBe(now() - 1_000);
    const until = Date.parse(session.expires_at);
    expect(until).toBeGreaterThan(now() + turnedMs);
    for (const end of ends) expect([end > now(), end < now() + dayMs]).toEqual([true, true]);
    expect(ends.length).toBeGreaterThan(0);

    const event = shop.webhooks.at(-1);
    expect(Date.parse(event?.created_at ?? "")).toBe(now() - 1_000 + turnedMs);
    expect(timeOfId("evt", event?.id ?? "")).toBe(now() - 1_000);
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(Math.abs(now() - time)).toBeLessThan(2_000);

    const made = await ownKeys.create({ ...where, kind: "secret" });
    expect(Date.parse(made.created_at)).toBe(now());
    const { data: entries } = await owner.audit.list({ store_id, limit: 100 });
    expect(entries.map(({ action }) => action)).toEqual(["keys.create", "test_clock.advance"]);
    for (const { created_at } of entries) expect(Date.parse(created_at)).toBeLessThanOrEqual(now());
    const logged = async () => (await owner.requests.list({ ...where, limit: 100 })).data;
    await expect.poll(async () => (await logged()).length).toBeGreaterThan(2);
    for (const { created_at } of await logged())
      expect(Date.parse(created_at)).toBeLessThanOrEqual(now());

    // A page of the shop's own may read the header.
    await owner.origins.add(store_id, "https://shop.example.com");
    const answer = await storefront.handler(
      new Request(`https://api.example.com/v1/products?key=${keys.publishable}`, {
        headers: {
          authorization: `Bearer ${keys.publishable}`,
          origin: "https://shop.example.com",
        },
      }),
      { ip: "203.0.113.1" },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-test-clock")).toBe(new Date(now() + turnedMs).toISOString());
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Test-Clock");
    await storefront.close();
  });

  test("the checkout page says its time, and live answers have none", async () => {
    const shop = await createTestShop({
      storage: await open(),
      sealKey: new Uint8Array(32).fill(7),
    });
    const { storefront, where, now } = shop;
    const { store_id } = where;
    const { owner } = storefront;
    await owner.stores.update(store_id, { timezone: "UTC" });
    const product = await shop.product();
    const page = async () => {
      const session = await shop.checkout([{ product_id: product.id, quantity: 1 }]);
      const request = new Request(session.checkout_url, { headers: { "accept-language": "en" } });
      const html = await (await storefront.checkoutPage.handler(request)).text();
      return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    };
    const style = { month: "long", day: "numeric", timeZone: "UTC" } as const;
    const dayOf = (time: number) => new Intl.DateTimeFormat("en", style).format(time);
    expect(await page()).not.toContain(dayOf(now() + turnedMs));
    await owner.testClock.advance({ store_id, ms: turnedMs });
    expect(await page()).toContain(dayOf(now() + turnedMs));

    const { key } = await owner.keys.create({ store_id, livemode: true, kind: "secret" });
    const headers = { authorization: `Bearer ${key}` };
    const live = await storefront.handler(
      new Request("https://shop.example.com/v1/store", { headers }),
      { ip: "203.0.113.1" },
    );
    expect([live.status, live.headers.get("x-test-clock")]).toEqual([200, null]);
    await storefront.close();
  });

  test("a wipe puts the clock back, and the events go on with the next number", async () => {
    const shop = await createTestShop({
      storage: await open(),
      sealKey: new Uint8Array(32).fill(7),
    });
    const { storefront, where, now } = shop;
    const { owner } = storefront;
    const sell = async () => {
      const { id: product_id } = await shop.product();
      return shop.pay(await shop.checkout([{ product_id, quantity: 1 }]));
    };
    await owner.testClock.advance({ store_id: where.store_id, ms: turnedMs });
    const before = await sell();
    const last = Math.max(0, ...shop.webhooks.map(({ sequence }) => sequence));
    expect(last).toBeGreaterThan(0);
    await owner.wipeTestData(where.store_id);

    const order = await sell();
    expect(Date.parse(order.created_at)).toBe(now());
    expect(order.number).toBe(before.number + 1);
    const { data } = await owner.events.list({ ...where, limit: 100 });
    expect(data.map(({ sequence }) => sequence).sort()).toEqual([last + 1, last + 2, last + 3]);
    await storefront.close();
  });
});
