import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { RelayedEvent, RelayOptions } from "vitrine/owner";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("relayEvents on %s", (_name, open) => {
  let shop: Shop;
  let stop: AbortController;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null } });
    stop = new AbortController();
  });

  const relay = (publish: RelayOptions["publish"], options: Partial<RelayOptions> = {}) =>
    shop.storefront.relayEvents({ consumer: "broker", signal: stop.signal, publish, ...options });

  /** Makes three events in the second store. */
  async function sellInB(): Promise<void> {
    const product = await shop.owner.products.create(shop.b.id, {
      name: "Gift",
      price: 0,
      currency: "BRL",
    });
    const url = "https://shop.example-b.com/ok";
    const items = [{ product_id: product.id, quantity: 1 }];
    const body = { items, success_url: url, cancel_url: url };
    const session = await shop.session(body, { key: shop.b.test.pub });
    await shop.storefront.checkout.submit(shop.tokenOf(session), {});
  }

  test("the broker gets every event once and in order, with its id and the bytes of the webhook", async () => {
    await shop.buy();
    const seen: RelayedEvent[] = [];
    const relaying = relay((event) => void seen.push(event));
    await expect.poll(() => seen.length).toBe(3);
    stop.abort();
    await relaying;

    expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    for (const { body, ...event } of seen) {
      const { data: _data, api_version: _version, ...sent } = JSON.parse(body);
      expect(event).toEqual(sent);
    }
  });

  test("of one store a single message is under way, and a slow store delays no other one", async () => {
    await shop.buy();
    await sellInB();
    const seen: string[] = [];
    const open = new Map<string, number>();
    let most = 0;
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const relaying = relay(async ({ store_id, livemode }) => {
      const partition = `${store_id} ${livemode}`;
      open.set(partition, (open.get(partition) ?? 0) + 1);
      most = Math.max(most, ...open.values());
      if (store_id === shop.a.id) await gate;
      open.set(partition, (open.get(partition) ?? 0) - 1);
      seen.push(store_id);
    });

    await expect.poll(() => seen).toEqual([shop.b.id, shop.b.id, shop.b.id]);
    letGo();
    await expect.poll(() => seen.length).toBe(6);
    stop.abort();
    await relaying;
    expect(most).toBe(1);
  });

  test("a publish that throws or hangs is called again with the same event, first after 1 s", async () => {
    await shop.buy();
    const tries: string[] = [];
    const signals: AbortSignal[] = [];
    const relaying = relay(
      (event, signal) => {
        tries.push(event.id);
        signals.push(signal);
        if (tries.length === 1) throw new Error("the broker is away");
        return tries.length === 2 ? new Promise(() => {}) : undefined;
      },
      { timeoutMs: 50 },
    );
    await expect.poll(() => tries.length).toBe(1);
    await expect.poll(() => shop.errors.length).toBe(1);
    await pause(20);
    shop.advance(1_000);
    await expect.poll(() => tries.length).toBe(2);
    await expect.poll(() => shop.errors.length).toBe(2);
    expect(signals[1]?.aborted).toBe(true);
    await pause(20);
    shop.advance(2_000);
    await expect.poll(() => tries.length).toBe(5);
    stop.abort();
    await relaying;
    expect(new Set(tries.slice(0, 3)).size).toBe(1);
    expect(String(shop.errors[1])).toContain("longer than 50 ms");
  });

  test("a process that slept past its lease leaves the next event to the one that took over", async () => {
    await shop.buy();
    const clock = performance.now.bind(performance);
    let slept = 0;
    const monotonic = vi.spyOn(performance, "now").mockImplementation(() => clock() + slept);
    const seen: string[] = [];
    const other = new AbortController();
    let taking: Promise<void> | undefined;
    const publish = async () => {
      seen.push("asleep");
      if (seen.length > 1) return;
      // The lease of 30 s is over, and a third of it has passed since it was confirmed.
      slept = 10_100;
      shop.advance(30_100);
      taking = relay(() => void seen.push("awake"), { signal: other.signal });
      await expect.poll(() => seen.length).toBe(4);
    };
    // With more places the same process would take the store again itself.
    const relaying = relay(publish, { concurrency: 1 });

    await expect.poll(() => seen.length).toBe(4);
    await pause(50);
    for (const each of [stop, other]) each.abort();
    await Promise.all([relaying, taking]);
    monotonic.mockRestore();
    expect(seen).toEqual(["asleep", "awake", "awake", "awake"]);
  });

  test("a lease lasts 30 s: until then no other process takes the store", async () => {
    await shop.buy();
    const seen: string[] = [];
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const other = new AbortController();
    const relaying = relay(async () => {
      seen.push("first");
      if (seen.length === 1) await gate;
    });
    await expect.poll(() => seen.length).toBe(1);
    shop.advance(29_900);
    const taking = relay(() => void seen.push("second"), { signal: other.signal });
    await pause(50);
    expect(seen).toEqual(["first"]);

    letGo();
    await expect.poll(() => seen.length).toBe(3);
    for (const each of [stop, other]) each.abort();
    await Promise.all([relaying, taking]);
    expect(seen).toEqual(["first", "first", "first"]);
  });

  test("the lag says how many events wait, since when and in how many stores", async () => {
    const { storefront, a } = shop;
    await shop.buy();
    const written = await storefront.eventLag({ consumer: "broker" });
    expect(written).toMatchObject({ partitions: 1, events: 3 });
    expect(Date.parse(written.oldest_created_at ?? "")).toBeGreaterThan(0);
    expect((await storefront.eventLag({ consumer: "broker", store_id: shop.b.id })).events).toBe(0);

    const relaying = relay(() => {}, { store_id: a.id });
    await expect
      .poll(() => storefront.eventLag({ consumer: "broker" }))
      .toEqual({ partitions: 0, events: 0, oldest_created_at: null });
    stop.abort();
    await relaying;
  });

  test("a wrong option fails at the call and says what is right", async () => {
    const publish = (): void => {};
    const wrong: readonly (readonly [string, Partial<RelayOptions>])[] = [
      ["consumer", { consumer: "" }],
      ["concurrency", { concurrency: 0 }],
      ["timeoutMs", { timeoutMs: 15_001 }],
      ["publish", { publish: "nats" as unknown as RelayOptions["publish"] }],
    ];
    for (const [param, options] of wrong)
      expect(await thrownBy(relay(publish, options))).toMatchObject({ param });
  });
});
