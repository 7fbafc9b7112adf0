import { afterEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "vitrine";
import { createKeyUses } from "../../src/http/access/key-uses.ts";
import type { RequestState } from "../../src/http/request-state.ts";
import type { KeyUse } from "../../src/rules/owner/key-use.ts";
import { keyRecord } from "../../src/testing/conformance/fixtures/record-fixtures.ts";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;

describe.each(storages)("the last use of a key, on %s", (_name, open) => {
  test("is the time of an accepted request, whatever its answer, to the hour", async () => {
    const shop = await createShop(await open());
    const { sec, pub } = shop.a.test;
    const used = async (): Promise<Record<string, string | null>> => {
      const keys = await shop.owner.keys.list(shop.a.id);
      const own = keys.filter(({ livemode }) => !livemode);
      return Object.fromEntries(own.map(({ kind, last_used_at }) => [kind, last_used_at]));
    };
    expect(await used()).toEqual({ secret: null, publishable: null });

    expect((await shop.get("/orders/none", { key: sec })).status).toBe(404);
    const first = "2026-01-15T12:00:00.000Z";
    expect(await used()).toEqual({ secret: first, publishable: null });

    shop.advance(hour - 1);
    await shop.get("/store", { key: sec });
    const origin = "https://evil.example.com";
    expect((await shop.get(`/store?key=${pub}`, { key: pub, headers: { origin } })).status).toBe(
      403,
    );
    expect(await used()).toEqual({ secret: first, publishable: null });

    shop.advance(1);
    await shop.get("/store", { key: sec });
    expect(await used()).toEqual({ secret: "2026-01-15T13:00:00.000Z", publishable: null });
  });
});

test("a revoked key, and one of a mode that is not served, has no use", async () => {
  const shop = await createShop(memoryStorage(), { modes: ["test"] });
  const [, key] = await shop.owner.keys.list(shop.a.id);
  for (const each of await shop.owner.keys.list(shop.a.id))
    await shop.owner.keys.revoke(shop.a.id, each.id);
  for (const text of [shop.a.test.sec, shop.a.live.sec])
    expect((await shop.get("/store", { key: text })).status).toBe(401);
  expect(key).toBeDefined();
  const times = (await shop.owner.keys.list(shop.a.id)).map((each) => each.last_used_at);
  expect(new Set(times)).toEqual(new Set([null]));
});

describe("the uses of keys", () => {
  afterEach(() => vi.useRealTimers());

  /** Collects what is written. While it fails, nothing is. */
  function createWriter() {
    vi.useFakeTimers();
    const batches: (readonly KeyUse[])[] = [];
    const errors: unknown[] = [];
    const waited: Promise<unknown>[] = [];
    const writer = { now: 0, fails: false, batches, errors, waited };
    const uses = createKeyUses({
      access: {
        async noteKeyUses(batch) {
          if (writer.fails) throw new Error("down");
          batches.push(batch);
        },
      },
      now: () => writer.now,
      onError: (error, where) => errors.push([where, error]),
    });
    const add = (key_hash: string): void => {
      const request = { waitUntil: (work: Promise<unknown>) => waited.push(work) };
      uses.add({ access: { key: keyRecord({ key_hash }) }, request } as unknown as RequestState);
    };
    return { ...uses, writer, add };
  }

  test("are written as one batch a second, and each key once an hour", async () => {
    const { add, writer } = createWriter();
    for (let index = 0; index < 1_000; index += 1) add(`hash-${index % 3}`);
    expect([writer.batches, writer.waited.length]).toEqual([[], 3]);

    await vi.advanceTimersByTimeAsync(1_000);
    const used_at = 0;
    const batch = [0, 1, 2].map((index) => ({ key_hash: `hash-${index}`, used_at }));
    expect(writer.batches).toEqual([batch]);
    await Promise.all(writer.waited);

    writer.now = hour - 1;
    add("hash-0");
    writer.now = hour;
    add("hash-1");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(writer.batches[1]).toEqual([{ key_hash: "hash-1", used_at: hour }]);
  });

  test("are reported and lost when the storage refuses them, and no request fails", async () => {
    const { add, flush, writer } = createWriter();
    writer.fails = true;
    add("hash-0");
    await flush();
    expect(writer.errors).toEqual([["key uses", new Error("down")]]);

    writer.fails = false;
    add("hash-1");
    await flush();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(writer.batches).toEqual([[{ key_hash: "hash-1", used_at: 0 }]]);
    await Promise.all(writer.waited);
  });

  test("do not keep a process alive", () => {
    const timeout = vi.spyOn(globalThis, "setTimeout");
    createWriter();
    vi.useRealTimers();
    const uses = createKeyUses({
      access: { noteKeyUses: async () => {} },
      now: () => 0,
      onError: () => {},
    });
    uses.add({ access: { key: keyRecord() }, request: {} } as unknown as RequestState);
    const timer = timeout.mock.results.at(-1)?.value as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(false);
    clearTimeout(timer);
    timeout.mockRestore();
  });
});
