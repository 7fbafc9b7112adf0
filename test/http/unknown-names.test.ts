import { describe, expect, test } from "vitest";
import { createStorefront, memoryStorage, type StorefrontOptions, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { nearestName } from "../../src/domain/text/nearest.ts";
import { createShop } from "../support/shop.ts";

describe("a query name that the route does not know", () => {
  test.each([
    ["/orders?customer_email=ana@example.com", "customer_email", "It takes "],
    ["/products?limt=1", "limt", "Did you mean limit?"],
    ["/products?limit=1&cursor=x", "cursor", "It takes "],
    ["/products?Category=x", "Category", "Did you mean category?"],
    ["/store?fields=name", "fields", "It takes none."],
    ["/products/x?expand=y", "expand", "It takes none."],
    ["/products?__proto__=1", "__proto__", "It takes "],
    ["/products?a%0Ab=1", "a?b", "It takes "],
  ])("is parameter_unknown, which names it and the nearest: %s", async (path, param, hint) => {
    const shop = await createShop(memoryStorage());
    const { status, body } = await shop.get(path, { key: shop.a.test.sec });
    expect([status, body.error.code, body.error.param]).toEqual([400, "parameter_unknown", param]);
    expect(body.error.message).toContain(hint);
  });

  test("is refused on a POST, which then does nothing", async () => {
    const shop = await createShop(memoryStorage());
    const refused = await shop.post("/coupons/validate?dry=1", {
      key: shop.a.test.pub,
      raw: '{"code":"X"}',
    });
    expect([refused.status, refused.body.error.param]).toEqual([400, "dry"]);
  });

  test("is refused also where the answer without it is cached", async () => {
    const shop = await createShop(memoryStorage());
    const key = shop.a.test.pub;
    expect((await shop.get("/products", { key })).status).toBe(200);
    expect((await shop.get("/products?serch=tea", { key })).status).toBe(400);
  });

  test("is taken when analytics or caches have added it", async () => {
    const shop = await createShop(memoryStorage());
    const key = shop.a.test.pub;
    const added = "utm_source=mail&utm_medium=x&fbclid=1&gclid=2&_=1700000000000";
    expect((await shop.get(`/products?${added}`, { key })).status).toBe(200);
  });

  test("is ignored with strictQuery: false", async () => {
    const shop = await createShop(memoryStorage(), { strictQuery: false });
    expect((await shop.get("/products?limt=1", { key: shop.a.test.pub })).status).toBe(200);
  });
});

describe("an option that nothing reads", () => {
  const open = (changes: object) => (): unknown =>
    createStorefront({
      storage: memoryStorage(),
      publicUrl: "https://api.example.com",
      checkout: { baseUrl: "https://pay.example.com/c" },
      ...changes,
    } as StorefrontOptions);

  test.each([
    [{ gateway: [] }, "gateway", "did you mean gateways?"],
    [{ basePth: "/v1" }, "basePth", "did you mean basePath?"],
    [{ colour: "red" }, "colour", "the options here are storage, catalog,"],
    [{ limits: { chekout: null } }, "limits.chekout", "did you mean limits.checkout?"],
    [{ webhooks: { lease: 1 } }, "webhooks.lease", "did you mean webhooks.leaseMs?"],
    [{ checkout: { baseURL: "/c" } }, "checkout.baseURL", "did you mean checkout.baseUrl?"],
    [{ checkoutPage: { brandColour: "#fff" } }, "checkoutPage.brandColour", "brandColor?"],
  ])("fails at start-up and names the nearest: %o", (changes, param, hint) => {
    expect(open(changes)).toThrow(
      expect.objectContaining({
        code: "invalid_option",
        param,
        message: expect.stringContaining(hint),
      }),
    );
  });

  test.each([
    [{ storage: memoryStorage }, "storage", "has no function migrate: give the object"],
    [{ storage: Promise.resolve(memoryStorage()) }, "storage", "no maker or promise of it."],
    [{ storage: "postgres://localhost/shop" }, "storage", "has no function migrate"],
    [{ transport: nodeTransport }, "transport", "has no function send"],
    [{ catalog: { list: () => [] } }, "catalog", "has no function find"],
    [{ gateways: sandboxGateway() }, "gateways", "must be a list of gateways"],
    [{ gateways: [sandboxGateway] }, "gateways", "like [sandboxGateway()]"],
    [{ gateways: [null] }, "gateways", "like [sandboxGateway()]"],
    [{ checkout: "https://pay.example.com" }, "checkout", "must be an object"],
    [{ checkout: { url: "https://pay.example.com" } }, "checkout.url", "must be a function"],
    [{ modes: "test" }, "modes", 'must list "live", "test" or both'],
    [{ logger: () => undefined }, "logger", "has no function debug"],
    [{ observer: () => undefined }, "observer", "must be an object"],
    [{ onAlert: "page" }, "onAlert", "must be a function"],
    [{ revokeLeakedKeys: "true" }, "revokeLeakedKeys", "must be true or false"],
    [{ limits: 10 }, "limits", "must be an object"],
    [{ constructor: 1 }, "constructor", "is not known"],
  ])("of the wrong kind fails at start-up and says what it must be: %o", (changes, param, hint) => {
    expect(open(changes)).toThrow(
      expect.objectContaining({
        code: "invalid_option",
        param,
        message: expect.stringContaining(hint),
      }),
    );
  });

  test("is refused by storages, the transport, the sandbox, drains and maintenance", async () => {
    const wrong = (options: object) => options as never;
    const refusal = (message: string) =>
      expect.objectContaining({ code: "invalid_option", message });
    const pool = { connect() {}, query() {} } as never;

    expect(() => postgresStorage(pool, wrong({ schemas: "a" }))).toThrow("did you mean schema?");
    expect(() => sqliteStorage(":memory:", wrong({ prefix: "a" }))).toThrow("Option prefix is not");
    expect(() => nodeTransport(wrong({ allowTarget: [] }))).toThrow("did you mean allowTargets?");
    expect(() => sandboxGateway(wrong({ secret: "x" }))).toThrow("Option secret is not known");

    const storefront = open({ transport: nodeTransport() })() as ReturnType<
      typeof createStorefront
    >;
    await expect(storefront.drainWebhooks(wrong({ concurency: 1 }))).rejects.toEqual(
      refusal("Option concurency is not known: did you mean concurrency?"),
    );
    await expect(storefront.runMaintenance(wrong({ maxDuration: 1 }))).rejects.toEqual(
      refusal("Option maxDuration is not known: did you mean maxDurationMs?"),
    );
  });

  test("of the wrong kind is refused by single runs, where it did nothing", async () => {
    const { storefront } = await createShop(memoryStorage(), { transport: nodeTransport() });
    const { signal } = new AbortController();
    const wrong = (options: unknown) => options as never;
    const calls: readonly (readonly [param: string, run: () => Promise<unknown>])[] = [
      ["signal", () => storefront.drainWebhooks(wrong({ signal: new AbortController() }))],
      ["signal", () => storefront.runMaintenance(wrong({ signal: new AbortController() }))],
      ["signal", () => storefront.runMaintenance(wrong({ signal: "stop" }))],
      ["maxDurationMs", () => storefront.runMaintenance(wrong({ maxDurationMs: "5000" }))],
      ["options", () => storefront.drainWebhooks(wrong(null))],
      ["options", () => storefront.runMaintenance(wrong(60_000))],
      ["dryrun", () => storefront.migrate(wrong({ dryrun: true }))],
      ["dryRun", () => storefront.migrate(wrong({ dryRun: "true" }))],
      ["consumer", () => storefront.eventLag(wrong({}))],
      ["consumer", () => storefront.eventLag({ consumer: "" })],
      ["store", () => storefront.eventLag(wrong({ consumer: "books", store: "str_1" }))],
      ["store_id", () => storefront.eventLag(wrong({ consumer: "books", store_id: 7 }))],
      ["options", () => storefront.eventLag(wrong("books"))],
    ];
    const consumer = { consumer: "books", types: ["order.payed"], signal: AbortSignal.abort() };
    await expect(storefront.consumeEvents(wrong(consumer), () => undefined)).rejects.toThrow(
      "Option types must hold event types: order.payed is not one, did you mean order.paid?",
    );
    for (const [param, run] of calls)
      await expect(run()).rejects.toMatchObject({ code: "invalid_option", param });

    await storefront.drainWebhooks({ signal });
    await storefront.runMaintenance({ signal });
    expect((await storefront.eventLag({ consumer: "books" })).events).toBe(0);
  });

  test("may be undefined, as a setting that is not there", () => {
    expect(open({ gateway: undefined })).not.toThrow();
  });

  test("counts as not given when it is known and undefined", async () => {
    const pool = { connect() {}, query() {} } as never;
    const unset = undefined;
    postgresStorage(pool, { schema: unset, tablePrefix: unset, preparedStatements: unset });
    await sqliteStorage(":memory:", { tablePrefix: unset }).close();

    const storefront = open({
      checkout: { url: () => "https://pay.example.com", hold: unset },
      checkoutPage: { brandColor: unset, pictures: unset, texts: unset },
      webhooks: { scheduleMs: unset, leaseMs: unset },
      requestLog: { keepHours: unset, bodies: unset },
      audit: { keepDays: unset },
      metrics: { authorize: () => true, labels: { store: unset } },
      gateways: [sandboxGateway({ notificationSecret: unset, codesPaidAfter: unset })],
      transport: nodeTransport({ allowTargets: unset, allowNat64: unset, ca: unset, warn: unset }),
    } satisfies Partial<StorefrontOptions>)() as ReturnType<typeof createStorefront>;
    const budget = { signal: unset, maxDurationMs: unset };
    expect(await storefront.drainWebhooks({ ...budget, timeoutMs: unset })).toMatchObject({
      stopped_by: "idle",
    });
    await storefront.runMaintenance(budget);
    await storefront.close();
  });
});

test.each([
  ["limt", "limit"],
  ["limti", "limit"],
  ["LIMIT", "limit"],
  ["staus", "status"],
  ["startingafter", "starting_after"],
  ["start", "starting_after"],
  ["limits_of_page", "limit"],
  ["x", null],
  ["customer_email", null],
  ["a".repeat(10_000), null],
])("the name nearest to %s is %s", (given, nearest) => {
  expect(nearestName(given, ["limit", "status", "starting_after"])).toBe(nearest);
});
