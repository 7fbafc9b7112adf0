import { describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "vitrine/testing";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const monthly = { recurring: { interval: "month", interval_count: 1 } } as const;

const told = (shop: TestShop, type: string): number =>
  shop.webhooks.filter((event) => event.type === type).length;

/** Sells a plan whose method is kept. `renewals` says how its charges go. */
async function subscribe(shop: TestShop, renewals = "succeed"): Promise<void> {
  const { owner, checkout } = shop.storefront;
  const [method] = await owner.paymentMethods.list(shop.where.store_id);
  const plan = await shop.product(monthly);
  const session = await shop.checkout([{ product_id: plan.id, quantity: 1 }]);
  await checkout.submit(session.checkout_url.split("/").at(-1) ?? "", {
    payment_method_id: method?.id ?? "",
    consent: "Charge me every month.",
    input: { renewals },
  });
}

describe("the clock of a test shop", () => {
  test.each([
    ["by whole days from midnight", 92, dayMs],
    ["by a quarter at once", 1, 92 * dayMs],
    ["by months", 3, (92 / 3) * dayMs],
  ])("charges each period of a plan when it moves %s", async (_how, leaps, ms) => {
    const shop = await createTestShop();
    await subscribe(shop);
    for (let leap = 0; leap < leaps; leap += 1) await shop.advanceClock(ms);

    expect(told(shop, "subscription.renewed")).toBe(3);
    expect(shop.now()).toBe(Date.UTC(2026, 3, 3));
  });

  test("charges in hours of the host's own, however few they are", async () => {
    const shop = await createTestShop({ renewals: { hours: { from: 9, to: 10 } } });
    await subscribe(shop);
    await shop.advanceClock(60 * dayMs);
    expect(told(shop, "subscription.renewed")).toBe(2);
  });

  test("brings a plan that is not paid through its tries to its end in one leap", async () => {
    const shop = await createTestShop();
    await subscribe(shop, "decline");
    await shop.advanceClock(45 * dayMs);
    expect(told(shop, "subscription.past_due")).toBe(1);
    expect(told(shop, "subscription.canceled")).toBe(1);
  });

  test("tells of a refund that fails later, and of each attempt of a delivery, in one leap", async () => {
    let attempts = 0;
    const shop = await createTestShop({
      deliverTo: (request) => {
        if (request.headers.get("X-Service-Event-Type") === "order.paid") attempts += 1;
        return new Response(null, { status: attempts > 0 && attempts < 4 ? 500 : 200 });
      },
    });
    const tea = await shop.product();
    const session = await shop.checkout([{ product_id: tea.id, quantity: 1 }]);
    const order = await shop.pay(session, { outcome: "refund_fails_later" });
    await shop.refund(order);
    await shop.advanceClock(31 * dayMs);
    expect(shop.webhooks.map(({ type }) => type)).toContain("order.refund_failed");
    expect(attempts).toBe(4);
  });

  test("ends a session that nobody pays, of which no event tells", async () => {
    const shop = await createTestShop();
    const tea = await shop.product();
    const session = await shop.checkout([{ product_id: tea.id, quantity: 1 }]);
    await shop.advanceClock(Date.parse(session.expires_at) - shop.now());
    expect(await shop.call("GET", `/checkout/sessions/${session.id}`)).toMatchObject({
      body: { data: { status: "expired" } },
    });
    expect(shop.webhooks).toEqual([]);
  });

  test("lets a year pass in a moment", async () => {
    const shop = await createTestShop();
    await subscribe(shop);
    const began = performance.now();
    await shop.advanceClock(365 * dayMs);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(told(shop, "subscription.renewed")).toBe(11);
  });
});
