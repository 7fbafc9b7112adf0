import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage, type StorefrontOptions } from "vitrine";
import type { WebhookTransport } from "vitrine/transport";
import { fetchTransport } from "vitrine/transport/fetch";
// Loaded before the clock stands still, which the loading of modules would wait for.
import "../../src/startup/services.ts";
import "../../src/webhooks/consume.ts";
import "../../src/webhooks/drain/drain.ts";
import "../../src/webhooks/loop.ts";
import "../../src/webhooks/relay.ts";
import { createDestinations } from "../../src/webhooks/drain/destinations.ts";
import { deliverNotices } from "../../src/webhooks/drain/notices.ts";
import { createSendLimit } from "../../src/webhooks/send/send-limit.ts";
import { createShop } from "../support/shop.ts";

// How long the parts of the delivery of webhooks wait, by a clock that the test turns. Each test
// fails when the time is three times as long, and when it is a third.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const fine = { ok: true, status: 200, error: null, snippet: null, duration_ms: 1 } as const;
const at = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A shop whose calls of the storage are counted by their names. */
async function openShop(options: Partial<StorefrontOptions> = {}) {
  const calls = new Map<string, number>();
  const storageCall = ({ call }: { readonly call: string }): void => {
    calls.set(call, (calls.get(call) ?? 0) + 1);
  };
  const send = async () => fine;
  const transport: WebhookTransport = { check: async () => ({ ok: true }), send };
  const shop = await createShop(memoryStorage(), {
    transport,
    limits: { checkout: null },
    observer: { storageCall },
    ...options,
  });
  const callsOf = (name: string): number => calls.get(name) ?? 0;
  /** Waits, without the clock, until the code is loaded and has called the storage. */
  const firstCallsOf = async (name: string): Promise<number> => {
    for (let turn = 0; callsOf(name) === 0; turn += 1) {
      if (turn > 10_000) throw new Error(`Called: ${[...calls.keys()]}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return callsOf(name);
  };
  return { shop, callsOf, firstCallsOf };
}

describe("without anything to do", () => {
  test("the loop drains again after 5 s", async () => {
    const { shop, callsOf, firstCallsOf } = await openShop();
    const stop = new AbortController();
    const running = shop.storefront.runWebhookLoop({ signal: stop.signal });
    const first = await firstCallsOf("webhooks.findNextWork");
    await at(4_900);
    expect(callsOf("webhooks.findNextWork")).toBe(first);
    await at(200);
    expect(callsOf("webhooks.findNextWork")).toBeGreaterThan(first);

    stop.abort();
    await at(0);
    await running;
  });

  test.each(["consumeEvents", "relayEvents"] as const)(
    "%s asks again after a second",
    async (name) => {
      const { shop, callsOf, firstCallsOf } = await openShop();
      const stop = new AbortController();
      const options = { consumer: "mail", signal: stop.signal };
      const running =
        name === "consumeEvents"
          ? shop.storefront.consumeEvents(options, () => {})
          : shop.storefront.relayEvents({ ...options, publish: () => {} });
      const first = await firstCallsOf("consumers.claimEvents");
      await at(950);
      expect(callsOf("consumers.claimEvents")).toBe(first);
      await at(100);
      expect(callsOf("consumers.claimEvents")).toBeGreaterThan(first);

      stop.abort();
      await at(0);
      await running;
    },
  );
});

test("a transport of the host's own that never answers is given half a second more than its time", async () => {
  let sends = 0;
  const send = () => {
    sends += 1;
    return new Promise<never>(() => {});
  };
  const { shop } = await openShop({ transport: { check: async () => ({ ok: true }), send } });
  await shop.owner.endpoints.create({
    ...{ store_id: shop.a.id, livemode: false, url: "https://hooks.example.com/x" },
    event_types: ["order.paid"],
  });
  await shop.buy();
  let isOver = false;
  const draining = shop.storefront
    .drainWebhooks({ timeoutMs: 2_000, maxDurationMs: 4_000 })
    .finally(() => {
      isOver = true;
    });
  while (sends === 0) await new Promise((resolve) => setImmediate(resolve));
  await at(2_400);
  expect(isOver).toBe(false);
  await at(400);
  expect(await draining).toMatchObject({ attempted: 1, rescheduled: 1 });
});

describe("the callback for alerts", () => {
  /** A shop with an alert that nobody has been told of, whose callback does not end. */
  async function openHanging() {
    let told = 0;
    const opened = await openShop({
      onAlert: () => {
        told += 1;
        return new Promise(() => {});
      },
    });
    const { shop } = opened;
    const { id, amount_total } = (await shop.session()).body.data;
    const paid = { status: "paid", amount: amount_total, currency: "BRL" } as const;
    for (const reference of ["first", "second"])
      await shop.storefront.checkout.complete(id, {
        ...{ store_id: shop.a.id, livemode: false, reference },
        ...paid,
      });
    return { ...opened, told: () => told };
  }

  test("has 5 s in a drain", async () => {
    const { shop, told } = await openHanging();
    let isOver = false;
    const draining = shop.storefront.drainWebhooks({ maxDurationMs: 60_000 }).finally(() => {
      isOver = true;
    });
    await at(4_900);
    expect([told(), isOver]).toEqual([1, false]);
    await at(300);
    await draining;
  });
});

test("a shortage of this process lowers the open requests for a second", async () => {
  let raised = 0;
  const limit = createSendLimit(8, () => {
    raised += 1;
  });
  limit.lower(2);
  await at(900);
  expect([limit.allows(2), raised]).toEqual([false, 0]);
  await at(200);
  expect([limit.allows(7), raised]).toEqual([true, 1]);
});

test("the body of an answer has a second, and the look-up of a name ten", async () => {
  const resolve = () => new Promise<readonly string[]>(() => {});
  let checked: unknown = null;
  const timeout = vi.spyOn(AbortSignal, "timeout");
  void fetchTransport({ resolve })
    .check("https://hooks.example.com/x")
    .then((verdict) => {
      checked = verdict;
    });
  await at(0);
  expect(checked).toBeNull();
  expect(timeout).toHaveBeenCalledWith(10_000);
  timeout.mockRestore();

  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("begun")),
  });
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(body));
  let sent: unknown = null;
  void fetchTransport()
    .send({ url: "https://hooks.example.com/x", headers: {}, body: "{}", timeoutMs: 15_000 })
    .then((outcome) => {
      sent = outcome;
    });
  await at(900);
  expect(sent).toBeNull();
  await at(200);
  expect(sent).toMatchObject({ ok: true, snippet: "begun" });
  fetched.mockRestore();
});

test("what was read of an endpoint counts for a second", () => {
  let now = 0;
  const ctx = { monotonicNow: () => now, onError: () => {}, store: {} };
  const destinations = createDestinations(ctx as never, {} as never);
  destinations.learn({ endpoint_id: "we_1", url: "https://a.example", secrets: [] } as never, 0);
  now = 1_000;
  expect(destinations.isFresh("we_1")).toBe(true);
  now = 1_001;
  expect(destinations.isFresh("we_1")).toBe(false);
});

test("an alert is leased for a minute", async () => {
  let leased = 0;
  const claimNotices = async ({ now, lease_until }: { now: number; lease_until: number }) => {
    leased = lease_until - now;
    return [];
  };
  await deliverNotices({ store: { claimNotices }, now: () => 7 } as never, 5_000);
  expect(leased).toBe(60_000);
});
