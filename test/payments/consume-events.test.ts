import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { WebhookEvent } from "vitrine";
import { createShop, returnUrl, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("consumeEvents on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null } });
  });
  /** Consumes until `enough` gives true. */
  const consume = async (
    options: Omit<Parameters<Shop["storefront"]["consumeEvents"]>[0], "signal">,
    handler: (event: WebhookEvent) => void | Promise<void>,
    enough: () => boolean,
  ) => {
    const stop = new AbortController();
    const consuming = shop.storefront.consumeEvents({ ...options, signal: stop.signal }, handler);
    await expect.poll(enough).toBe(true);
    await pause(20);
    stop.abort();
    await consuming;
  };

  test("the handler gets every event in order and once; the next run begins where the last one stopped", async () => {
    await shop.buy();
    const seen: string[] = [];
    await consume(
      { consumer: "mail" },
      (event) => void seen.push(event.type),
      () => seen.length >= 3,
    );
    expect(seen).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
    await shop.buy();
    const later: number[] = [];
    await consume(
      { consumer: "mail", types: ["order.paid"] },
      (event) => void later.push(event.sequence),
      () => later.length >= 1,
    );
    expect(later).toEqual([5]);
    const other: string[] = [];
    await consume(
      { consumer: "stats", store_id: shop.a.id },
      (event) => void other.push(event.id),
      () => other.length >= 6,
    );
    expect(new Set(other).size).toBe(6);
  });

  test("an event that fails is passed over once it is too old, and the owner is told once a day", async () => {
    await shop.buy();
    const seen: string[] = [];
    const consumer = { consumer: "mail", alertAs: "the mail", giveUpAfterMs: 7_200_000 };
    const refuse = ({ type }: WebhookEvent) => {
      seen.push(type);
      if (type === "order.paid") throw new Error("The mail is down.");
    };
    const alertsOf = async () =>
      (await shop.owner.alerts.list(shop.a.id)).data.map(({ type, subject }) => [type, subject]);

    await consume(consumer, refuse, () => shop.errors.length >= 1);
    expect([seen.at(-1), await alertsOf()]).toEqual(["order.paid", []]);

    shop.advance(3_600_000);
    await consume(consumer, refuse, () => shop.alerts.length >= 1);
    const failing = ["consumer_failing", "the mail"];
    expect([seen.at(-1), await alertsOf()]).toEqual(["order.paid", [failing]]);

    shop.advance(3_600_000);
    await consume(consumer, refuse, () => seen.includes("checkout.session.completed"));
    expect(await alertsOf()).toEqual([["event_given_up", "the mail"], failing]);
    expect(shop.errors.map(String).at(-1)).toMatch(/evt_\w+ is given up/);
    shop.errors.length = 0;

    const { signal } = new AbortController();
    for (const [name, wrong] of Object.entries({ giveUpAfterMs: -1, alertAs: "" })) {
      const options = { consumer: "mail", signal, [name]: wrong };
      const refused = shop.storefront.consumeEvents(options, refuse);
      await expect(refused).rejects.toThrow(`Option ${name}`);
    }
  });

  test("stores whose test data were wiped do not keep the consumer from stores with new events", async () => {
    const { owner } = shop;
    const sellIn = async (name: string): Promise<string> => {
      const { id } = await owner.stores.create({ name, currency: "BRL" });
      await owner.stores.update(id, { headless_enabled: true });
      await owner.returnUrls.add(id, returnUrl);
      const product = await owner.products.create(id, { name: "Gift", price: 0, currency: "BRL" });
      const { key } = await owner.keys.create({
        store_id: id,
        livemode: false,
        kind: "publishable",
      });
      const made = await shop.session(
        { items: [{ product_id: product.id, quantity: 1 }] },
        { key },
      );
      await shop.storefront.checkout.submit(shop.tokenOf(made), {});
      return id;
    };
    for (let index = 0; index < 17; index++)
      await owner.wipeTestData(await sellIn(`Wiped ${index}`));
    const last = await sellIn("Last");
    const seen: string[] = [];
    await consume(
      { consumer: "mail" },
      (event) => void seen.push(event.store_id),
      () => seen.length >= 3,
    );
    expect(new Set(seen)).toEqual(new Set([last]));
  });

  test("a store that always has new events does not keep the consumer from the others", async () => {
    const shops = [
      { ...shop.a, url: returnUrl },
      { ...shop.b, url: "https://shop.example-b.com/ok" },
    ];
    const sales = await Promise.all(
      shops.map(async ({ id, test: keys, url }) => {
        const product = await shop.owner.products.create(id, {
          name: "Gift",
          price: 0,
          currency: "BRL",
        });
        const body = {
          items: [{ product_id: product.id, quantity: 1 }],
          success_url: url,
          cancel_url: url,
        };
        return async () => {
          shop.advance(1);
          await shop.storefront.checkout.submit(
            shop.tokenOf(await shop.session(body, { key: keys.pub })),
            {},
          );
        };
      }),
    );
    for (const sell of sales) await sell();
    const seen: string[] = [];
    await consume(
      { consumer: "mail", types: ["order.paid"] },
      async ({ store_id }) => {
        seen.push(store_id);
        if (seen.length < 10) await sales[shops.findIndex(({ id }) => id === store_id)]?.();
      },
      () => seen.length >= 10,
    );
    expect(new Set(seen.slice(0, 4)).size).toBe(2);
  });

  test("a commit wakes the consumer", async () => {
    const seen: string[] = [];
    const stop = new AbortController();
    const consuming = shop.storefront.consumeEvents(
      { consumer: "mail", types: ["order.paid"], signal: stop.signal },
      (event) => void seen.push(event.id),
    );
    await pause(30);
    await shop.buy();
    await expect.poll(() => seen.length).toBe(1);
    stop.abort();
    await consuming;
  });

  test("a handler that throws keeps its place and is called again after longer and longer waits", async () => {
    await shop.buy();
    let calls = 0;
    const seen: string[] = [];
    const handler = (event: WebhookEvent): void => {
      calls += 1;
      if (calls <= 2) throw new Error("mail server away");
      seen.push(event.type);
    };
    const stop = new AbortController();
    const consuming = shop.storefront.consumeEvents(
      { consumer: "mail", signal: stop.signal },
      handler,
    );
    await expect.poll(() => calls).toBe(1);
    await pause(20);
    shop.advance(999);
    await shop.storefront.owner.stores.update(shop.a.id, {});
    await pause(1_100);
    expect(calls).toBe(1);
    shop.advance(1);
    await expect.poll(() => calls).toBe(2);
    await pause(20);
    shop.advance(2_000);
    await expect.poll(() => seen.length).toBe(3);
    expect(seen[0]).toBe("order.created");
    expect(shop.errors).toHaveLength(2);
    stop.abort();
    await consuming;
  });

  test("four processes that share a consumer never handle one event at the same time, and miss none", async () => {
    for (let time = 0; time < 4; time++) await shop.buy();
    const running = new Set<string>();
    const seen: string[] = [];
    let clash = false;
    const stop = new AbortController();
    const all = Array.from({ length: 4 }, () =>
      shop.storefront.consumeEvents({ consumer: "mail", signal: stop.signal }, async (event) => {
        if (running.has(event.id)) clash = true;
        running.add(event.id);
        await pause(2);
        running.delete(event.id);
        seen.push(event.id);
      }),
    );
    await expect.poll(() => new Set(seen).size).toBe(12);
    stop.abort();
    await Promise.all(all);
    expect(clash).toBe(false);
    expect(seen).toHaveLength(12);
  });

  test("a process whose lease ended while it was asleep leaves the next event to the other one", async () => {
    await shop.buy();
    const handledBy: string[] = [];
    await consume(
      { consumer: "mail" },
      async (event) => {
        handledBy.push(`asleep: ${event.type}`);
        if (handledBy.length > 1) return;
        // It sleeps for longer than its lease, and another process goes on.
        shop.advance(61_000);
        await consume(
          { consumer: "mail" },
          (again) => void handledBy.push(`awake: ${again.type}`),
          () => handledBy.length >= 4,
        );
        await shop.buy();
      },
      () => handledBy.length >= 7,
    );
    const types = ["order.created", "order.paid", "checkout.session.completed"];
    expect(handledBy).toEqual([
      "asleep: order.created",
      ...types.map((type) => `awake: ${type}`),
      ...types.map((type) => `asleep: ${type}`),
    ]);
  });

  test("a wrong name or type fails at the call", async () => {
    const { signal } = new AbortController();
    expect(
      await thrownBy(shop.storefront.consumeEvents({ consumer: "", signal }, () => {})),
    ).toMatchObject({ param: "consumer" });
    const types = ["order.shipped"] as unknown as readonly "order.paid"[];
    expect(
      await thrownBy(shop.storefront.consumeEvents({ consumer: "a", types, signal }, () => {})),
    ).toMatchObject({ param: "types" });
  });
});
