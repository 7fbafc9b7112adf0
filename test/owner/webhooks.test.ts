import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { verifyWebhook } from "vitrine/webhooks";
import { createShop, faultOf, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const day = 24 * hour;
const url = "https://hooks.example-shop.com/in";
const refuse = { ok: false, status: 500, error: "http_status" } as const;

describe.each(storages)("the owner's tools for webhooks on %s", (_name, open) => {
  let storage: Storage;
  let shop: Shop;
  let partition: { store_id: string; livemode: boolean };
  let endpoint: Awaited<ReturnType<Shop["owner"]["endpoints"]["create"]>>;
  beforeEach(async () => {
    storage = await open();
    shop = await createShop(storage);
    partition = { store_id: shop.a.id, livemode: false };
    endpoint = await shop.owner.endpoints.create({
      ...partition,
      url,
      event_types: ["order.paid"],
    });
  });
  const drain = () => shop.storefront.drainWebhooks();
  const verify = async (secret: string | readonly string[]) => {
    const post = shop.posts.at(-1);
    const header = post?.headers["X-Service-Signature"];
    return (
      await verifyWebhook({
        rawBody: post?.body ?? "",
        header,
        secret,
        now: Math.floor(shop.now() / 1_000),
      })
    ).ok;
  };
  const states = async () =>
    (await shop.owner.deliveries.list(partition)).data.map(({ state }) => state);

  test("a rotated secret signs beside the old one for a day, then alone", async () => {
    const rotated = await shop.owner.endpoints.rotateSecret(partition, endpoint.id);
    expect(rotated).toMatchObject({
      id: endpoint.id,
      old_secret_expires_at: new Date(shop.now() + day).toISOString(),
    });
    expect(rotated.secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/);
    expect(await shop.owner.endpoints.retrieve(partition, endpoint.id)).not.toHaveProperty(
      "secret",
    );
    await shop.buy();
    await drain();
    expect(shop.posts[0]?.headers["X-Service-Signature"]?.match(/v1=/g)).toHaveLength(2);
    expect([await verify(endpoint.secret), await verify(rotated.secret)]).toEqual([true, true]);
    shop.advance(day);
    await shop.buy();
    await drain();
    expect([await verify(endpoint.secret), await verify(rotated.secret)]).toEqual([false, true]);
    const leaked = await shop.owner.endpoints.rotateSecret(partition, endpoint.id, {
      overlap_seconds: 0,
    });
    await shop.buy();
    await drain();
    expect([await verify(rotated.secret), await verify(leaked.secret)]).toEqual([false, true]);
  });

  test("a test event is sent at once, signed like every delivery, and is not stored", async () => {
    const sent = await shop.owner.endpoints.sendTestEvent(partition, endpoint.id);
    expect(sent).toMatchObject({ ok: true, status: 200, event_id: expect.stringMatching(/^evt_/) });
    expect(shop.posts[0]).toMatchObject({
      url,
      headers: { "X-Service-Event-Type": "webhook.test", "X-Service-Event-Id": sent.event_id },
    });
    expect(JSON.parse(String(shop.posts[0]?.body))).toMatchObject({
      id: sent.event_id,
      type: "webhook.test",
      livemode: false,
      store_id: shop.a.id,
    });
    expect(await verify(endpoint.secret)).toBe(true);
    shop.receiver.answer = () => refuse;
    await shop.owner.endpoints.disable(partition, endpoint.id);
    expect(await shop.owner.endpoints.sendTestEvent(partition, endpoint.id)).toMatchObject({
      ok: false,
      status: 500,
      error: "http_status",
    });
    expect(await states()).toEqual([]);
    expect((await shop.get("/events", { key: shop.a.test.sec })).body.data).toEqual([]);
  });

  test("an exhausted delivery is resent by hand, and the attempt log shows every attempt", async () => {
    shop.receiver.answer = () => refuse;
    await shop.buy();
    await drain();
    for (const hours of [1, 1, 1, 3, 7, 25]) {
      shop.advance(hours * hour);
      await drain();
    }
    const [row] = (await shop.owner.deliveries.list({ ...partition, state: "exhausted" })).data;
    const ref = { ...partition, endpoint_id: endpoint.id, event_id: row?.event_id ?? "" };
    shop.receiver.answer = () => ({});
    expect(await shop.owner.deliveries.resend(ref)).toMatchObject({
      state: "pending",
      next_attempt_at: new Date(shop.now()).toISOString(),
    });
    expect(await drain()).toMatchObject({ attempted: 1, delivered: 1 });
    expect(shop.posts.at(-1)?.headers["X-Service-Attempt"]).toBe("8");
    const attempts = await shop.owner.deliveries.attempts(ref);
    expect(attempts.map(({ attempt, error }) => [attempt, error])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map((attempt) => [attempt, "http_status"]),
      [8, null],
    ]);
    expect(attempts[7]).toMatchObject({
      started_at: new Date(shop.now()).toISOString(),
      status: 200,
      snippet: "",
    });
  });

  test("deliveries missed while an endpoint was disabled are replayed when it is enabled, or recovered later", async () => {
    await shop.owner.endpoints.disable(partition, endpoint.id);
    await shop.buy();
    shop.advance(hour);
    const since = new Date(shop.now()).toISOString();
    await shop.buy();
    await shop.buy();
    expect(await states()).toEqual(["skipped", "skipped", "skipped"]);
    await expect(
      shop.owner.endpoints.recover(partition, endpoint.id, { since }),
    ).rejects.toMatchObject({ code: "invalid_transition" });
    const [row] = (await shop.owner.deliveries.list(partition)).data;
    await expect(
      shop.owner.deliveries.resend({
        ...partition,
        endpoint_id: endpoint.id,
        event_id: row?.event_id ?? "",
      }),
    ).rejects.toMatchObject({ code: "invalid_transition", param: "endpoint_id" });
    expect(
      await shop.owner.endpoints.enable(partition, endpoint.id, { replay_since: since }),
    ).toMatchObject({
      state: "enabled",
      recovered: 2,
    });
    expect(await drain()).toMatchObject({ delivered: 2 });
    expect(await shop.owner.endpoints.recover(partition, endpoint.id, { since: 0 })).toEqual({
      recovered: 1,
    });
    expect(
      await shop.owner.endpoints.recover(partition, endpoint.id, {
        since: 0,
        states: ["delivered"],
        until: since,
      }),
    ).toEqual({
      recovered: 2,
    });
    expect(await drain()).toMatchObject({ delivered: 3 });
    await shop.owner.endpoints.disable(partition, endpoint.id);
    expect(await shop.owner.endpoints.enable(partition, endpoint.id)).toMatchObject({
      recovered: 0,
      disabled_reason: null,
    });
  });

  test("deliveries are listed newest first by cursor, and filtered", async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await shop.buy();
      shop.advance(1_000);
    }
    const first = await shop.owner.deliveries.list({ ...partition, limit: 3 });
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const second = await shop.owner.deliveries.list({
      ...partition,
      limit: 3,
      starting_after: first.next_cursor,
    });
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    const times = [...first.data, ...second.data].map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(times).size).toBe(5);
    expect((await shop.owner.deliveries.list({ ...partition, livemode: true })).data).toEqual([]);
    expect((await shop.owner.deliveries.list({ ...partition, state: "delivered" })).data).toEqual(
      [],
    );
    await expect(
      shop.owner.deliveries.list({ ...partition, starting_after: "x" }),
    ).rejects.toMatchObject({ code: "invalid_cursor" });
    await expect(shop.owner.deliveries.list({ ...partition, limit: 101 })).rejects.toMatchObject({
      param: "limit",
    });
  });

  test("an endpoint that has failed for three days is disabled, and the owner is told until the callback returns", async () => {
    shop.receiver.answer = () => refuse;
    let deaf = true;
    const told: string[] = [];
    const owner = await createShop(await open(), {
      now: () => shop.now(),
      webhooks: { scheduleMs: Array.from({ length: 100 }, () => 4 * hour) },
      transport: {
        check: async () => ({ ok: true }),
        send: async () => ({ ...refuse, snippet: null, duration_ms: 1 }),
      },
      onAlert: async ({ type, subject }) => {
        if (deaf) throw new Error("no mail today");
        told.push(`${type} ${subject}`);
      },
    });
    const own = { store_id: owner.a.id, livemode: false };
    const { id } = await owner.owner.endpoints.create({ ...own, url, event_types: ["order.paid"] });
    await owner.buy();
    await owner.buy();
    let disabled = 0;
    for (let turn = 0; turn <= 19; turn += 1) {
      disabled += (await owner.storefront.drainWebhooks()).endpoints_disabled;
      shop.advance(4 * hour);
    }
    expect(disabled).toBe(1);
    expect(await owner.owner.endpoints.retrieve(own, id)).toMatchObject({
      state: "disabled",
      disabled_reason: "failing",
    });
    deaf = false;
    await owner.storefront.drainWebhooks();
    await owner.storefront.drainWebhooks();
    expect(told.sort()).toEqual([`endpoint_disabled ${id}`, `endpoint_failing ${id}`]);
    expect((await owner.owner.alerts.list(owner.a.id)).data.map(({ type }) => type).sort()).toEqual(
      ["endpoint_disabled", "endpoint_failing"],
    );
    expect((await owner.owner.deliveries.list(own)).data.map(({ state }) => state)).toEqual([
      "skipped",
      "skipped",
    ]);
  });

  test("GET /events after pruning: a pruned cursor goes on, and is expired once later events were pruned too", async () => {
    const { key } = { key: shop.a.test.sec };
    await shop.buy();
    await shop.buy();
    await drain();
    const before = (await shop.get("/events", { key })).body.data;
    shop.advance(31 * day);
    await shop.buy();
    await storage.webhooks.prune({
      before: shop.now() - 30 * day,
      forget_before: shop.now() - 400 * day,
      limit: 100,
    });
    const all = (await shop.get("/events", { key })).body.data;
    expect(all.map(({ sequence }: { sequence: number }) => sequence)).toEqual([7, 8, 9]);
    expect((await shop.get(`/events?starting_after=${before[5].id}`, { key })).body.data).toEqual(
      all,
    );
    expect(faultOf(await shop.get(`/events?starting_after=${before[4].id}`, { key }))).toEqual([
      400,
      "cursor_expired",
      "starting_after",
    ]);
    await expect(
      shop.owner.deliveries.resend({
        ...partition,
        endpoint_id: endpoint.id,
        event_id: before[1].id,
      }),
    ).rejects.toMatchObject({
      code: "invalid_transition",
      param: "event_id",
    });
  });
});

describe.each(storages)("a store and mode that are none, on %s", (_name, open) => {
  test("are refused by every call of an endpoint, and nothing is asked of the storage", async () => {
    const shop = await createShop(await open());
    const { endpoints } = shop.owner;
    const wrong: readonly (readonly [partition: unknown, param: string])[] = [
      [null, "input"],
      [{ livemode: false }, "store_id"],
      [{ store_id: ["str_1"], livemode: false }, "store_id"],
      [{ store_id: "a\u0000b", livemode: false }, "store_id"],
      [{ store_id: shop.a.id }, "livemode"],
      [{ store_id: shop.a.id, livemode: "false" }, "livemode"],
    ];
    for (const [partition, param] of wrong) {
      const where = partition as { store_id: string; livemode: boolean };
      for (const call of [
        () => endpoints.list(where),
        () => endpoints.retrieve(where, "we_1"),
        () => endpoints.health(where, "we_1"),
        () => endpoints.update(where, "we_1", { description: "x" }),
        () => endpoints.disable(where, "we_1"),
        () => endpoints.enable(where, "we_1"),
        () => endpoints.rotateSecret(where, "we_1"),
        () => endpoints.sendTestEvent(where, "we_1"),
        () => endpoints.recover(where, "we_1", { since: 0 }),
        () => endpoints.delete(where, "we_1"),
      ])
        expect(await thrownBy(call())).toMatchObject({
          code: expect.stringMatching(/^parameter_(missing|invalid)$/),
          param,
        });
    }
    const unknown = endpoints.list({ store_id: "str_none", livemode: false });
    expect(await thrownBy(unknown)).toMatchObject({
      code: "resource_not_found",
      param: "store_id",
    });
  });
});

describe("wrong input of the owner", () => {
  test.each([
    [{ overlap_seconds: -1 }, "overlap_seconds"],
    [{ overlap_seconds: 604_801 }, "overlap_seconds"],
    [{ overlap_seconds: 1.5 }, "overlap_seconds"],
    [{ overlap: 1 }, "overlap"],
  ])("rotateSecret with %j names its parameter", async (input, param) => {
    const shop = await createShop(memoryStorage());
    const partition = { store_id: shop.a.id, livemode: false };
    const { id } = await shop.owner.endpoints.create({ ...partition, url });
    await expect(
      shop.owner.endpoints.rotateSecret(partition, id, input as object),
    ).rejects.toMatchObject({
      code: "parameter_invalid",
      param,
    });
  });

  test.each([[["order_paid"]], ["order.paid"]])(
    "event types %j are refused, and those that exist are named",
    async (event_types) => {
      const shop = await createShop(memoryStorage());
      const endpoint = { store_id: shop.a.id, livemode: false, url, event_types } as never;
      await expect(shop.owner.endpoints.create(endpoint)).rejects.toMatchObject({
        code: "parameter_invalid",
        param: "event_types",
        message: expect.stringContaining('must be "*" or a list of event types: checkout.session'),
      });
    },
  );

  test("an endpoint or delivery of another store, another mode or nowhere is resource_not_found", async () => {
    const shop = await createShop(memoryStorage());
    const partition = { store_id: shop.a.id, livemode: false };
    const { id } = await shop.owner.endpoints.create({ ...partition, url });
    const { endpoints, deliveries } = shop.owner;
    for (const other of [
      { store_id: shop.b.id, livemode: false },
      { store_id: shop.a.id, livemode: true },
    ]) {
      for (const call of [
        () => endpoints.rotateSecret(other, id),
        () => endpoints.sendTestEvent(other, id),
        () => endpoints.enable(other, id),
        () => endpoints.recover(other, id, { since: 0 }),
        () => deliveries.resend({ ...other, endpoint_id: id, event_id: "evt_x" }),
        () => deliveries.attempts({ ...other, endpoint_id: id, event_id: "evt_x" }),
      ])
        await expect(call()).rejects.toMatchObject({ code: "resource_not_found" });
    }
  });
});
