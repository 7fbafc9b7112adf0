import { describe, expect, test } from "vitest";
import { type Storage, sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const pending = { status: "pending", reference: "r1", amount: 1000, currency: "BRL" } as const;
const noAnswer = (): never => {
  throw new Error("no answer");
};

describe.each(storages)("a payment whose result is not known, on %s", (_name, open) => {
  /** Takes one piece of one, and says how `getPayment` answers. */
  async function shopWith(gateway: Partial<PaymentGateway>): Promise<Shop> {
    const { cancelPayment: _left, ...sandbox } = sandboxGateway();
    const shop = await createShop(await open(), {
      limits: { checkout: null },
      gateways: [{ ...sandbox, createPayment: async () => pending, ...gateway }],
    });
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
    return shop;
  }

  const submit = (shop: Shop, token: string) =>
    shop.storefront.checkout.submit(token, { payment_method_id: shop.a.method_id });
  const isPieceFree = async (shop: Shop): Promise<boolean> => (await shop.session()).status === 201;
  const alertsOf = async (shop: Shop): Promise<string[]> =>
    (await shop.owner.alerts.list(shop.a.id)).data.map(({ type }) => type);
  const where = (shop: Shop) => ({ store_id: shop.a.id, livemode: false });

  test.each<[string, () => Promise<PaymentResult | null>]>([
    ["a look-up that throws", async () => noAnswer()],
    ["a provider that does not know its own reference", async () => null],
    ["a payment that stays open", async () => pending],
  ])("%s: the order fails when its time is over, the money still counts", async (_words, ask) => {
    let getPayment = ask;
    const shop = await shopWith({ getPayment: () => getPayment() });
    const token = shop.tokenOf(await shop.session());
    const { order } = await submit(shop, token);

    shop.advance(hour - minute);
    await shop.storefront.runMaintenance();
    expect((await submit(shop, token)).order.status).toBe("pending");

    shop.advance(minute);
    await shop.storefront.runMaintenance();
    const failed = await shop.storefront.orders.retrieve(order.id, where(shop));
    expect(failed).toMatchObject({ status: "failed", failure_code: "expired" });
    expect(await isPieceFree(shop)).toBe(true);

    getPayment = async () => ({ ...pending, status: "succeeded" });
    shop.advance(2 * minute);
    await shop.storefront.runMaintenance();
    const paid = await shop.storefront.orders.retrieve(order.id, where(shop));
    expect(paid).toMatchObject({ status: "paid", failure_code: null });
  });

  test("it is asked about ever less often for fourteen days, and then the owner is told once", async () => {
    const asked: number[] = [];
    const shop = await shopWith({
      async getPayment() {
        asked.push(shop.now());
        return noAnswer();
      },
    });
    await submit(shop, shop.tokenOf(await shop.session()));
    shop.advance(hour);
    await shop.storefront.runMaintenance();
    const expired = shop.now();
    asked.splice(0);

    const step = (delay: number): number =>
      Math.round(Math.min(4 * hour, Math.max(15_000, delay / 8)));
    while (shop.now() < expired + 15 * day) {
      shop.advance(step(shop.now() - expired));
      await shop.storefront.runMaintenance();
    }

    const expected = [
      ...[1, 2, 5, 10, 30].map((minutes) => minutes * minute),
      ...[1, 2, 4, 8].map((hours) => hours * hour),
      ...Array.from({ length: 14 }, (_, index) => (index + 1) * day),
    ];
    expect(asked).toHaveLength(expected.length);
    for (const [index, delay] of expected.entries()) {
      const early = (delay - (expected[index - 1] ?? 0)) * 0.1;
      const late = early + step(delay * 1.1);
      expect((asked[index] ?? 0) - expired).toBeGreaterThanOrEqual(delay - early);
      expect((asked[index] ?? 0) - expired).toBeLessThanOrEqual(delay + late);
    }
    expect(await alertsOf(shop)).toEqual(["payment_in_doubt"]);
  });

  test("a cancel that the provider tells of ends the questions", async () => {
    let asked = 0;
    const shop = await shopWith({
      async getPayment() {
        asked += 1;
        return asked === 1
          ? noAnswer()
          : { ...pending, status: "failed", failure_code: "canceled" };
      },
    });
    await submit(shop, shop.tokenOf(await shop.session()));
    for (let at = 0; at < 6; at++) {
      shop.advance(hour);
      await shop.storefront.runMaintenance();
    }
    expect(asked).toBe(2);
    expect(await alertsOf(shop)).toEqual([]);
  });

  test("it blocks no new payment, and its own late money is a duplicate then", async () => {
    let late: PaymentResult = pending;
    let serial = 0;
    const shop = await shopWith({
      createPayment: async () => ({
        ...pending,
        reference: `r${++serial}`,
        status: serial === 1 ? "pending" : "succeeded",
      }),
      getPayment: async () => late,
    });
    const made = await shop.session();
    const token = shop.tokenOf(made);
    const { order } = await submit(shop, token);
    await shop.storefront.orders.markFailed(order.id, where(shop));
    expect(await submit(shop, token)).toMatchObject({ status: "paid", order: { id: order.id } });

    late = { ...pending, status: "succeeded" };
    shop.advance(minute);
    await shop.storefront.runMaintenance();
    expect(await alertsOf(shop)).toEqual(["duplicate_payment"]);
    expect((await shop.storefront.orders.retrieve(order.id, where(shop))).status).toBe("paid");
  });

  test("an order that the host gave up is still asked about, and its late money pays it", async () => {
    let result: PaymentResult = pending;
    const shop = await shopWith({ getPayment: async () => result });
    const { order } = await submit(shop, shop.tokenOf(await shop.session()));
    await shop.storefront.orders.markFailed(order.id, where(shop));

    result = { ...pending, status: "succeeded" };
    shop.advance(minute);
    await shop.storefront.runMaintenance();
    expect((await shop.storefront.orders.retrieve(order.id, where(shop))).status).toBe("paid");
  });

  test("resume asks about it too: a buyer who paid late sees the order paid", async () => {
    let result: PaymentResult = pending;
    const shop = await shopWith({ getPayment: async () => result });
    const token = shop.tokenOf(await shop.session());
    await submit(shop, token);
    shop.advance(hour);
    await shop.storefront.runMaintenance();
    expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "failed" });

    result = { ...pending, status: "succeeded" };
    expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "paid" });
  });

  test("a payment of a gateway that is not configured any more does not hold its goods for ever", async () => {
    const storage = await open();
    const before = await createShop(storage, { limits: { checkout: null } });
    await before.owner.products.update(before.a.id, before.product.id, { stock: 1 });
    const { order } = await before.storefront.checkout.submit(
      before.tokenOf(await before.session()),
      { payment_method_id: before.a.method_id, input: { outcome: "pending_then_succeed" } },
    );

    const after = await createShop(storage, {
      gateways: [],
      now: () => before.now() + hour,
    });
    await after.storefront.runMaintenance();
    const found = await after.storefront.orders.retrieve(order.id, where(before));
    expect(found).toMatchObject({ status: "failed", failure_code: "expired" });
  });

  test("a payment that may still be on its way is not called failed", async () => {
    let known: PaymentResult | null = null;
    const shop = await shopWith({
      // The request is still on its way when the process dies.
      createPayment: () => new Promise(() => {}),
      getPayment: async () => known,
    });
    const made = await shop.session();
    const token = shop.tokenOf(made);
    const waiting = submit(shop, token);
    await expect.poll(async () => (await shop.storefront.checkout.view(token)).order).toBeTruthy();
    expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "pending" });

    shop.advance(150_000);
    known = { ...pending, status: "succeeded" };
    expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "paid" });
    void waiting.catch(() => undefined);
  });

  test.each([
    [30_000, 1],
    [30_001, 0],
  ])(
    "a process that slept %i ms after it wrote the attempt charges %i times",
    async (slept, times) => {
      let created = 0;
      const storage = await open();
      const stepAndSleep: Storage["orders"]["step"] = async (subject, decide) => {
        const result = await storage.orders.step(subject, decide);
        if (subject.step === "submitSession") shop.advance(slept);
        return result;
      };
      const orders = new Proxy(storage.orders, {
        get: (target, name) => (name === "step" ? stepAndSleep : Reflect.get(target, name, target)),
      });
      const shop = await createShop(
        { ...storage, orders },
        {
          limits: { checkout: null },
          gateways: [
            {
              ...sandboxGateway(),
              async createPayment() {
                created += 1;
                return { ...pending, status: "succeeded" };
              },
              getPayment: async () => null,
            },
          ],
        },
      );

      const token = shop.tokenOf(await shop.session());
      const submitted = await submit(shop, token);
      expect([created, submitted.status]).toEqual(times === 1 ? [1, "paid"] : [0, "pending"]);

      // The provider knows no such payment: the attempt fails, and the buyer may pay again.
      shop.advance(5 * minute);
      expect(await shop.storefront.checkout.resume(token)).toMatchObject({
        status: times === 1 ? "paid" : "failed",
      });
      expect(created).toBe(times);
    },
  );

  test("a newer attempt stays the newer one when another machine's clock is behind", async () => {
    let now = Date.UTC(2026, 0, 15, 12);
    const { cancelPayment: _left, ...sandbox } = sandboxGateway();
    let serial = 0;
    const shop = await createShop(await open(), {
      limits: { checkout: null },
      now: () => now,
      gateways: [
        {
          ...sandbox,
          createPayment: async () => ({
            ...pending,
            reference: `r${++serial}`,
            status: serial === 1 ? "failed" : "pending",
          }),
          getPayment: async ({ reference }) => ({
            ...pending,
            reference: reference ?? "",
            status: reference === "r2" ? "succeeded" : "failed",
          }),
        },
      ],
    });
    const token = shop.tokenOf(await shop.session());
    expect(await submit(shop, token)).toMatchObject({ status: "failed" });
    now -= 2_000;
    expect(await submit(shop, token)).toMatchObject({ status: "pending" });
    expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "paid" });
  });

  test("a wrong amount releases the goods when the time is over, and is not forgotten", async () => {
    const wrong = { ...pending, status: "succeeded", amount: 999 } as const;
    const shop = await shopWith({ getPayment: async () => wrong });
    const { order } = await submit(shop, shop.tokenOf(await shop.session()));
    shop.advance(minute);
    await shop.storefront.runMaintenance();
    expect((await shop.storefront.orders.retrieve(order.id, where(shop))).status).toBe("pending");

    shop.advance(hour);
    await shop.storefront.runMaintenance();
    const failed = await shop.storefront.orders.retrieve(order.id, where(shop));
    expect(failed).toMatchObject({ status: "failed", failure_code: "expired" });
    for (let at = 0; at < 16; at++) {
      shop.advance(day);
      await shop.storefront.runMaintenance();
    }
    expect(await alertsOf(shop)).toContain("payment_in_doubt");
  });
});
