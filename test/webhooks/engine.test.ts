import { afterEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { Sent } from "vitrine/transport";
import { verifyWebhook } from "vitrine/webhooks";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const faults: unknown[] = [];
const note = (error: unknown): void => void faults.push(error);
process.on("unhandledRejection", note);
afterEach(() => expect(faults).toEqual([]));

const partitionOf = (shop: Shop) => ({ store_id: shop.a.id, livemode: false });
const register = (shop: Shop, name: string, event_types: "*" | ["order.paid"] = "*") =>
  shop.owner.endpoints.create({
    ...partitionOf(shop),
    url: `https://${name}.example-hooks.com/in`,
    event_types,
  });
const nameOf = (url: string): string => new URL(url).hostname.split(".")[0] ?? "";
const later = (ms: number, sent: Partial<Sent> = {}): Promise<Partial<Sent>> =>
  new Promise((done) => setTimeout(() => done(sent), ms));
const slowly = (shop: Shop, answer: (name: string) => Partial<Sent> | Promise<Partial<Sent>>) => ({
  check: async () => ({ ok: true as const }),
  async send(
    post: Parameters<NonNullable<import("vitrine").StorefrontOptions["transport"]>["send"]>[0],
  ): Promise<Sent> {
    shop.posts.push(post);
    return {
      ok: true,
      status: 200,
      error: null,
      snippet: "",
      duration_ms: 1,
      ...(await answer(nameOf(post.url))),
    };
  },
});

/** A shop whose receivers take their time. */
async function slowShop(
  open: () => Promise<Parameters<typeof createShop>[0]>,
  answer: (name: string) => Partial<Sent> | Promise<Partial<Sent>>,
  options: Parameters<typeof createShop>[1] = {},
) {
  let shop: Shop | undefined;
  const transport = {
    check: async () => ({ ok: true as const }),
    send: (post: Parameters<ReturnType<typeof slowly>["send"]>[0]) => {
      if (!shop) throw new Error("too early");
      return slowly(shop, answer).send(post);
    },
  };
  shop = await createShop(await open(), { transport, limits: { checkout: null }, ...options });
  return shop;
}

describe.each(storages)("the drain on %s", (_name, open) => {
  test("one endpoint that hangs, with many due rows, does not slow the healthy ones down", async () => {
    const shop = await slowShop(open, (name) =>
      name === "hangs" ? later(3_000, { ok: false, status: null, error: "timeout" }) : later(2),
    );
    for (let turn = 0; turn < 9; turn += 1) await register(shop, `fine${turn}`, ["order.paid"]);
    const hanging = await register(shop, "hangs");
    for (let turn = 0; turn < 40; turn += 1) await shop.buy();
    let healthy = 0;
    const done = new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        healthy = shop.posts.filter(({ url }) => nameOf(url) !== "hangs").length;
        if (healthy < 9 * 40) return;
        clearInterval(timer);
        resolve();
      }, 5);
    });
    const stop = new AbortController();
    const running = shop.storefront.drainWebhooks({ signal: stop.signal, concurrency: 16 });
    await done;
    // All 360 healthy ones went out while the first four of the hanging one were still open.
    expect(shop.posts.filter(({ url }) => nameOf(url) === "hangs").length).toBeLessThanOrEqual(8);
    stop.abort();
    const report = await running;
    expect(report).toMatchObject({ delivered: 360, stopped_by: "aborted", more: true });
    const left = await shop.owner.deliveries.list({
      ...partitionOf(shop),
      endpoint_id: hanging.id,
      state: "pending",
      limit: 100,
    });
    expect(left.data.every(({ attempts }) => attempts <= 1)).toBe(true);
  });

  test("a transport's numbers that no database accepts do not cost the outcome", async () => {
    const numbers = [1e300, -1e300, 2 ** 40, Number.NaN, Number.POSITIVE_INFINITY];
    let turn = 0;
    const shop = await slowShop(open, () => {
      const number = numbers[turn++ % numbers.length] ?? 0;
      return { status: number, duration_ms: number };
    });
    await register(shop, "a", ["order.paid"]);
    for (const _ of numbers) await shop.buy();
    expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: numbers.length });
    expect(shop.errors).toEqual([]);
  });

  test("after a timeout an endpoint gets one request at a time, until a success", async () => {
    let open_now = 0;
    let most = 0;
    let slow = true;
    const shop = await slowShop(open, async () => {
      open_now += 1;
      most = Math.max(most, open_now);
      await later(5);
      open_now -= 1;
      return slow ? { ok: false, status: null, error: "timeout" } : {};
    });
    await register(shop, "one");
    for (let turn = 0; turn < 10; turn += 1) await shop.buy();
    const first = await shop.storefront.drainWebhooks({ maxDeliveries: 12 });
    expect(first).toMatchObject({
      attempted: 12,
      rescheduled: 12,
      stopped_by: "limit",
      more: true,
    });
    expect(most).toBe(4);
    most = 0;
    const running = shop.storefront.drainWebhooks();
    setTimeout(() => {
      slow = false;
    }, 10);
    await running;
    expect(most).toBe(4);
  });

  test("a slot is refilled as soon as it is free, and no endpoint has more open requests than its own", async () => {
    const open_now = new Map<string, number>();
    const most = new Map<string, number>();
    let all = 0;
    let most_of_all = 0;
    const shop = await slowShop(open, async (name) => {
      open_now.set(name, (open_now.get(name) ?? 0) + 1);
      most.set(name, Math.max(most.get(name) ?? 0, open_now.get(name) ?? 0));
      most_of_all = Math.max(most_of_all, ++all);
      await later(1 + Math.random() * 4);
      all -= 1;
      open_now.set(name, (open_now.get(name) ?? 1) - 1);
      return {};
    });
    for (const name of ["a", "b", "c", "d"]) await register(shop, name);
    for (let turn = 0; turn < 12; turn += 1) await shop.buy();
    const report = await shop.storefront.drainWebhooks({
      concurrency: 7,
      perEndpointConcurrency: 3,
    });
    expect(report).toMatchObject({
      attempted: 144,
      delivered: 144,
      stopped_by: "idle",
      more: false,
      next_due_at: null,
      released: 0,
    });
    expect([...most.values()].every((number) => number <= 3)).toBe(true);
    expect(most_of_all).toBeLessThanOrEqual(7);
    expect(
      new Set(shop.posts.map((post) => `${post.url} ${post.headers["X-Service-Event-Id"]}`)).size,
    ).toBe(144);
  });

  test("a changed address, a withdrawn secret and a disabled endpoint apply to every later send, leased or not", async () => {
    const changes: ((shop: Shop, id: string) => Promise<unknown>)[] = [];
    let shop: Shop | undefined;
    let endpoint_id = "";
    let sends = 0;
    shop = await slowShop(open, async () => {
      sends += 1;
      if (sends % 12 === 0 && shop) await changes.shift()?.(shop, endpoint_id);
      return later(5);
    });
    ({ id: endpoint_id } = await register(shop, "a"));
    for (let turn = 0; turn < 20; turn += 1) await shop.buy();
    let secret = "";
    changes.push(
      (here, id) =>
        here.owner.endpoints.update(partitionOf(here), id, {
          url: "https://moved.example-hooks.com/",
        }),
      async (here, id) => {
        ({ secret } = await here.owner.endpoints.rotateSecret(partitionOf(here), id, {
          overlap_seconds: 0,
        }));
      },
      (here, id) => here.owner.endpoints.disable(partitionOf(here), id),
    );
    const report = await shop.storefront.drainWebhooks({ perEndpointConcurrency: 1 });
    expect(report).toMatchObject({ attempted: 36, stopped_by: "idle", more: false, lease_lost: 0 });
    expect(shop.posts.map(({ url }) => nameOf(url))).toEqual([
      ...Array(12).fill("a"),
      ...Array(24).fill("moved"),
    ]);
    const now = Math.floor(shop.now() / 1_000);
    for (const { body, headers } of shop.posts.slice(24)) {
      const header = headers["X-Service-Signature"];
      expect(await verifyWebhook({ rawBody: body, header, secret, now })).toMatchObject({
        ok: true,
      });
    }
    expect(
      (await shop.owner.deliveries.list({ ...partitionOf(shop), limit: 100, state: "skipped" }))
        .data,
    ).toHaveLength(24);
  });

  test("each attempt of a delivery tells its number, from 1", async () => {
    const failed = { ok: false, status: 500, error: "http_status" } as const;
    const shop = await slowShop(open, () => (shop.posts.length < 3 ? failed : {}));
    await register(shop, "slow", ["order.paid"]);
    await shop.buy();
    for (let time = 0; time < 3; time++) {
      await shop.storefront.drainWebhooks();
      shop.advance(3_600_000);
    }
    expect(shop.posts.map(({ headers }) => headers["X-Service-Attempt"])).toEqual(["1", "2", "3"]);
  });

  test("an abort gives back what has not started, lets sends end and uses up no attempt", async () => {
    const stop = new AbortController();
    const shop = await slowShop(open, () => {
      stop.abort();
      return later(20);
    });
    await register(shop, "a");
    for (let turn = 0; turn < 10; turn += 1) await shop.buy();
    const report = await shop.storefront.drainWebhooks({ signal: stop.signal });
    expect(report.stopped_by).toBe("aborted");
    expect(report.delivered).toBe(report.attempted);
    expect(report.delivered).toBe(shop.posts.length);
    expect(report).toMatchObject({ more: true, lease_lost: 0 });
    const rows = (
      await shop.owner.deliveries.list({ ...partitionOf(shop), limit: 100, state: "pending" })
    ).data;
    expect(rows).toHaveLength(30 - report.delivered);
    expect(rows.every(({ attempts }) => attempts === 0)).toBe(true);
    const before = AbortSignal.abort();
    expect(await shop.storefront.drainWebhooks({ signal: before })).toMatchObject({
      attempted: 0,
      stopped_by: "aborted",
      more: true,
    });
    expect((await shop.storefront.drainWebhooks()).delivered).toBe(30 - report.delivered);
  });
});

describe("the drain's budget and options", () => {
  test("no send starts unless its timeout and a second are left; what was claimed goes back", async () => {
    const shop = await slowShop(
      async () => memoryStorage(),
      () => {
        shop.advance(2_000); // every send takes two seconds of the shop's clock
        return {};
      },
    );
    await register(shop, "a");
    for (let turn = 0; turn < 10; turn += 1) await shop.buy();
    const begun = shop.now();
    const report = await shop.storefront.drainWebhooks({ maxDurationMs: 20_000, concurrency: 1 });
    // 20 s - 15 s - 1 s: the last one starts before second 4 is over.
    expect(report).toMatchObject({
      attempted: 3,
      delivered: 3,
      stopped_by: "budget",
      more: true,
      duration_ms: 6_000,
    });
    expect(shop.posts).toHaveLength(3);
    expect(shop.now() - begun).toBeLessThanOrEqual(20_000);
    expect((await shop.storefront.drainWebhooks({ maxDeliveries: 100 })).attempted).toBeGreaterThan(
      0,
    );
  });

  test("a lease with less than a whole attempt left is given back instead of started", async () => {
    const shop = await slowShop(
      async () => memoryStorage(),
      async () => {
        await later(150); // long enough for the results before it to be written down
        shop.advance(40_000);
        return {};
      },
    );
    await register(shop, "a");
    for (let turn = 0; turn < 2; turn += 1) await shop.buy();
    const report = await shop.storefront.drainWebhooks({ maxDurationMs: 600_000, concurrency: 1 });
    expect(report).toMatchObject({ delivered: 6, attempted: 6, lease_lost: 0 });
    expect(report.released).toBeGreaterThan(0);
    expect(new Set(shop.posts.map((post) => post.headers["X-Service-Event-Id"])).size).toBe(6);
  });

  test("leases that have become late are given back while the send before them still runs", async () => {
    const released: string[] = [];
    let letGo = (): void => {};
    const gate = new Promise<object>((resolve) => {
      letGo = () => resolve({});
    });
    const shop = await slowShop(
      async () => {
        const storage = memoryStorage();
        const { webhooks } = storage;
        const releaseDeliveries: typeof webhooks.releaseDeliveries = (deliveries, ...lease) => {
          released.push(...deliveries.map(({ event_id }) => event_id));
          return webhooks.releaseDeliveries(deliveries, ...lease);
        };
        return { ...storage, webhooks: { ...webhooks, releaseDeliveries } };
      },
      () => (shop.posts.length === 1 ? gate : {}),
    );
    await register(shop, "a");
    await shop.buy();
    const draining = shop.storefront.drainWebhooks({ maxDurationMs: 600_000, concurrency: 1 });
    await expect.poll(() => shop.posts.length).toBe(1);

    // A lease of 60 s has no room for an attempt of 15 s and its outcome after 30 s.
    shop.advance(29_000);
    await later(300);
    expect(released).toEqual([]);
    shop.advance(2_000);
    await expect.poll(() => released.length).toBe(2);
    expect(shop.posts).toHaveLength(1);
    letGo();
    expect(await draining).toMatchObject({ delivered: 3, lease_lost: 0 });
  });

  test.each([
    [{ maxDurationMs: 16_999 }, "maxDurationMs"],
    [{ timeoutMs: 46_000, maxDurationMs: 60_000 }, "webhooks.leaseMs"],
    [{ concurrency: 0 }, "concurrency"],
    [{ perEndpointConcurrency: Number.NaN }, "perEndpointConcurrency"],
    [{ maxDeliveries: -1 }, "maxDeliveries"],
  ])("%j is refused by name", async (options, param) => {
    const shop = await createShop(memoryStorage());
    await expect(shop.storefront.drainWebhooks(options)).rejects.toMatchObject({
      code: "invalid_option",
      param,
    });
  });

  test("a transport that never answers is a timeout, so that the drain ends", async () => {
    const shop = await slowShop(
      async () => memoryStorage(),
      (name) => (name === "silent" ? new Promise(() => {}) : {}),
    );
    await register(shop, "silent", ["order.paid"]);
    await register(shop, "fine", ["order.paid"]);
    await shop.buy();
    const report = await shop.storefront.drainWebhooks({ timeoutMs: 300, maxDurationMs: 2_300 });
    expect(report).toMatchObject({
      attempted: 2,
      delivered: 1,
      rescheduled: 1,
      stopped_by: "idle",
    });
    const [failed] = (await shop.owner.deliveries.list({ ...partitionOf(shop), state: "pending" }))
      .data;
    const { endpoint_id = "", event_id = "" } = failed ?? {};
    expect(
      await shop.owner.deliveries.attempts({ ...partitionOf(shop), endpoint_id, event_id }),
    ).toMatchObject([{ error: "timeout" }]);
  });

  test("a clock that is set back does not lengthen the budget", async () => {
    let jump = 7_200_000;
    const shop = await slowShop(
      async () => memoryStorage(),
      () => later(200),
      { now: () => Date.now() - jump },
    );
    await register(shop, "a", ["order.paid"]);
    for (let turn = 0; turn < 20; turn += 1) await shop.buy();
    jump = 0;
    const running = shop.storefront.drainWebhooks({
      timeoutMs: 1_000,
      maxDurationMs: 3_000,
      perEndpointConcurrency: 1,
    });
    await later(300);
    jump = 3_600_000;
    const report = await running;
    expect(report).toMatchObject({ stopped_by: "budget", more: true });
    expect(report.attempted).toBeLessThan(20);
    expect(report.duration_ms).toBeGreaterThanOrEqual(1_000);
  });

  test("a storage that fails in between fails the drain, after the sends under way were written down", async () => {
    const storage = memoryStorage();
    let claims = 0;
    const webhooks = {
      ...storage.webhooks,
      claimDeliveries: (claim: Parameters<typeof storage.webhooks.claimDeliveries>[0]) => {
        claims += 1;
        return claims === 2
          ? Promise.reject(new Error("gone"))
          : storage.webhooks.claimDeliveries(claim);
      },
    };
    const shop = await slowShop(
      async () => ({ ...storage, webhooks }),
      () => later(400),
    );
    await register(shop, "a");
    await shop.buy();
    await expect(shop.storefront.drainWebhooks()).rejects.toThrow("gone");
    expect(
      (await shop.owner.deliveries.list({ ...partitionOf(shop), state: "delivered" })).data,
    ).toHaveLength(3);
  });

  test("the loop sends at once what a local commit made, and ends with its signal", async () => {
    const shop = await slowShop(
      async () => memoryStorage(),
      () => ({}),
      { now: Date.now },
    );
    await register(shop, "a", ["order.paid"]);
    const stop = new AbortController();
    const looping = shop.storefront.runWebhookLoop({ signal: stop.signal });
    await shop.buy();
    await expect.poll(() => shop.posts.length).toBe(1);
    await shop.buy();
    await expect.poll(() => shop.posts.length, { timeout: 3_000 }).toBe(2);
    stop.abort();
    await looping;
  });

  test("the loop sends at once what was resent, recovered or replayed in its process", async () => {
    const shop = await slowShop(
      async () => memoryStorage(),
      () => ({}),
      { now: Date.now },
    );
    const { id: endpoint_id } = await register(shop, "a", ["order.paid"]);
    await shop.buy();
    await shop.storefront.drainWebhooks();
    const [delivery] = (await shop.owner.deliveries.list(partitionOf(shop))).data;
    const stop = new AbortController();
    const looping = shop.storefront.runWebhookLoop({ signal: stop.signal });
    const sentBy = async (posts: number): Promise<void> => {
      await expect.poll(() => shop.posts.length, { timeout: 3_000 }).toBe(posts);
      await expect
        .poll(
          async () =>
            (await shop.owner.deliveries.list({ ...partitionOf(shop), state: "pending" })).data
              .length,
        )
        .toBe(0);
      await later(50); // it sleeps
    };
    await later(50);
    await shop.owner.deliveries.resend({
      ...partitionOf(shop),
      endpoint_id,
      event_id: delivery?.event_id ?? "",
    });
    await sentBy(2);
    await shop.owner.endpoints.recover(partitionOf(shop), endpoint_id, {
      since: 0,
      states: ["delivered"],
    });
    await sentBy(3);
    await shop.owner.endpoints.disable(partitionOf(shop), endpoint_id);
    await shop.buy();
    await shop.owner.endpoints.enable(partitionOf(shop), endpoint_id, { replay_since: 0 });
    await sentBy(4);
    stop.abort();
    await looping;
  });

  test("a wrong option of a drain, a loop or a consumer is refused at the call, by its name", async () => {
    const shop = await createShop(memoryStorage());
    const { signal } = new AbortController();
    for (const name of [
      "maxDurationMs",
      "maxDeliveries",
      "concurrency",
      "perEndpointConcurrency",
      "timeoutMs",
    ]) {
      for (const value of [0, -1, 70.3, Number.NaN, "5", null]) {
        const options = { [name]: value };
        expect(await thrownBy(shop.storefront.drainWebhooks(options))).toMatchObject({
          code: "invalid_option",
          param: name,
        });
        expect(
          await thrownBy(shop.storefront.runWebhookLoop({ ...options, signal })),
        ).toMatchObject({ param: name });
      }
    }
    for (const name of ["concurrency", "perEndpointConcurrency"])
      expect(
        await thrownBy(shop.storefront.drainWebhooks({ [name]: Number.POSITIVE_INFINITY })),
      ).toMatchObject({ param: name });
    const unlimited = {
      maxDeliveries: Number.POSITIVE_INFINITY,
      maxDurationMs: Number.POSITIVE_INFINITY,
    };
    expect(await shop.storefront.drainWebhooks(unlimited)).toMatchObject({ stopped_by: "idle" });
    const without = {} as { signal: AbortSignal };
    expect(await thrownBy(shop.storefront.runWebhookLoop(without))).toMatchObject({
      code: "invalid_option",
      param: "signal",
    });
    expect(
      await thrownBy(shop.storefront.consumeEvents({ consumer: "a", ...without }, () => {})),
    ).toMatchObject({ param: "signal" });
    expect(
      await thrownBy(shop.storefront.consumeEvents({ consumer: "a", signal }, undefined as never)),
    ).toMatchObject({ code: "invalid_option", param: "handler" });
    const deaf = await createShop(memoryStorage(), { transport: undefined });
    expect(await thrownBy(deaf.storefront.runWebhookLoop({ signal }))).toMatchObject({
      param: "transport",
    });
  });
});
