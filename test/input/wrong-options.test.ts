import pg from "pg";
import { describe, expect, test } from "vitest";
import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { createAcp } from "vitrine/acp";
import { createDashboard } from "vitrine/dashboard";
import { sendMessages } from "vitrine/mail";
import { createOwnerMcp, createShopperMcp } from "vitrine/mcp";
import { natsPublisher } from "vitrine/nats";
import { otelObserver } from "vitrine/otel";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { fetchTransport } from "vitrine/transport/fetch";
import { createUcp } from "vitrine/ucp";
import { webhookReceiver as expressReceiver } from "vitrine/webhooks/express";
import { webhookReceiver as fastifyReceiver } from "vitrine/webhooks/fastify";
import { webhookReceiver as nextReceiver } from "vitrine/webhooks/next";
import { knownOptions } from "../../src/startup/options/known-options.ts";

const open = (options: object = {}) =>
  createStorefront({ storage: memoryStorage(), publicUrl: "https://x.example", ...options });

const values: readonly unknown[] = [
  ...[5, -1, Number.NaN, Number.POSITIVE_INFINITY, 1n, 0],
  ...["", "x", true, false, null, new Date(0), {}, [], [null], [undefined], ["5"], [""], [{}]],
];

interface Place {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Lists each option of a table with each value. */
const places = (kinds: object, above: readonly string[] = []): readonly Place[] =>
  Object.entries(kinds).flatMap(([name, kind]) => {
    const path = [...above, name];
    const below = typeof kind === "object" && !Array.isArray(kind) ? places(kind, path) : [];
    return [...values.map((value) => ({ path, value })), ...below];
  });

const optionsAt = ({ path, value }: Place) =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

const thrownBy = (make: () => unknown): unknown => {
  try {
    make();
  } catch (error) {
    return error;
  }
  return null;
};

test("whatever an option of createStorefront is, the error is invalid_option and names it", () => {
  const unclear = places(knownOptions).flatMap((place) => {
    const error = thrownBy(() => open(optionsAt(place)));
    if (error === null) return [];
    const { code, message } = error as { code?: string; message: string };
    const named = message.includes(`Option ${place.path[0]}`) || message.includes("Option sealKey");
    return code === "invalid_option" && named ? [] : [`${place.path.join(".")}: ${message}`];
  });
  expect(unclear).toEqual([]);
});

const own = { ...sandboxGateway(), id: "own" };

test.each([
  ["basePath", { basePath: "/../v1" }],
  ["notificationsPath", { notificationsPath: "/a/../v1/b" }],
  ["webhooks.scheduleMs", { webhooks: { scheduleMs: ["60000"] } }],
  ["webhooks.scheduleMs", { webhooks: { scheduleMs: [null] } }],
  ["webhooks.scheduleMs", { webhooks: { scheduleMs: [Number.POSITIVE_INFINITY] } }],
  ["sealKey", { sealKeys: [""] }],
  ["sealKey", { sealKeys: [new Uint8Array(32), undefined] }],
  ["sealKeys", { sealKeys: "" }],
  ["sealKey", { sealKey: "" }],
  ["sealKey", { sealKey: new Uint8Array(32), sealKeys: [new Uint8Array(32).fill(1)] }],
  ["gateways[0]", { gateways: [{ ...sandboxGateway(), id: "" }] }],
  ["gateways[0]", { gateways: [{ ...sandboxGateway(), livemode: undefined }] }],
  ["gateways[0].id", { gateways: [{ ...sandboxGateway(), id: 7 }] }],
  ["gateways[0].livemode", { gateways: [{ ...sandboxGateway(), livemode: "test" }] }],
  ["gateways[0].createPayment", { gateways: [{ ...sandboxGateway(), createPayment: {} }] }],
  ["gateways[1].getRefund", { gateways: [sandboxGateway(), { ...own, getRefund: "no" }] }],
  ["checkoutPage.whatNext", { checkoutPage: { whatNext: "Wait for the mail." } }],
])("createStorefront refuses %s %j", (param, options) => {
  expect(() => open(options)).toThrow(expect.objectContaining({ code: "invalid_option", param }));
});

describe("the other makers name a wrong option", () => {
  const shop = open();
  const key = `hk_test_pub_${"a".repeat(8)}`;
  const urls = { success_url: "https://x.example/a", cancel_url: "https://x.example/b" };
  const pool = { connect: () => null };
  const stream = { publish: () => null, jetstreamManager: () => null };
  const receiver = { secret: "whsec_x", onEvent: () => {} };
  const secret = `hk_test_sec_${"a".repeat(8)}`;
  const place = { key: secret, ...urls, endpoint: "https://x.example/agents" };
  const agents = { one: `${secret}b` };
  const acp = (more: object) => createAcp(shop, { ...place, agents, ...more });
  const ucp = (more: object) => createUcp(shop, { ...place, ...more });
  const mcp = (more: object) => createShopperMcp(shop, { path: "/m", key, ...urls, ...more });
  const told = { fetchProfile: async () => null, signingKey: {} };
  const makers: readonly [string, (options: never) => unknown, object][] = [
    ["links", (options) => createDashboard(shop, options), { path: "/d", links: "false" }],
    ["authorize", (options) => createDashboard(shop, options), { path: "/d", authorize: 5 }],
    ["autorize", (options) => createDashboard(shop, options), { links: true, autorize: 5 }],
    ["onError", (options) => createShopperMcp(shop, options), { key, ...urls, onError: "log" }],
    ["basePath", mcp, { basePath: 5 }],
    ["origins", (options) => createOwnerMcp(shop, options), { path: "/m", origins: "https://x" }],
    ["notificationSecret", sandboxGateway, { notificationSecret: "" }],
    ["codesPaidAfter", sandboxGateway, { codesPaidAfter: 5 }],
    ["ca", nodeTransport, { ca: 5 }],
    ["resolve", nodeTransport, { resolve: "dns" }],
    ["resolveAllowed", nodeTransport, { resolveAllowed: "dns" }],
    ["warn", nodeTransport, { warn: true }],
    ["allowNat64", nodeTransport, { allowNat64: "false" }],
    ["allowTargets", nodeTransport, { allowTargets: "http://127.0.0.1:4242" }],
    ["fetch", fetchTransport, { fetch: {} }],
    ["resolve", fetchTransport, { resolve: "dns" }],
    ["resolv", fetchTransport, { resolv: () => [] }],
    ["allowNat64", fetchTransport, { allowNat64: "false" }],
    ["allowTargets", fetchTransport, { allowTargets: "http://127.0.0.1:4242" }],
    ["allowTargets", fetchTransport, { allowTargets: ["127.0.0.1:4242"] }],
    ["allowTargets", fetchTransport, { allowTargets: [5] }],
    ["basePath", acp, { basePath: 5 }],
    ["basePath", acp, { basePath: "v1" }],
    ["basePath", acp, { basePath: "/v1?a=b" }],
    ["basePath", acp, { basePath: "/v1#a" }],
    ["basePath", ucp, { basePath: "/v1/" }],
    ["basePath", ucp, { basePath: "/v1/../v2" }],
    ["basePath", ucp, { basePath: "/.." }],
    ["basePath", mcp, { basePath: "v1" }],
    ["basePath", mcp, { basePath: "/./v1" }],
    ["schema", (options) => postgresStorage(pool as never, options), { schema: "pg_shop" }],
    ["tablePrefix", (options) => sqliteStorage(":memory:", options), { tablePrefix: "sqlite_" }],
    ["onError", acp, { onError: "log" }],
    ["webhooks.agents", acp, { webhooks: { agents: "all" } }],
    ["webhooks.agent", acp, { webhooks: { agent: {} } }],
    ["webhooks", acp, { webhooks: false }],
    ["basePath", ucp, { basePath: ["/v1"] }],
    ["onError", ucp, { onError: {} }],
    ["fetchProfile", ucp, { fetchProfile: null }],
    ["webhooks.agents", ucp, { ...told, webhooks: { agents: "https://agent.example" } }],
    ["webhooks.agents", ucp, { ...told, webhooks: { agents: [5] } }],
    ["webhooks", ucp, { webhooks: "" }],
    ["key", (options) => createShopperMcp(shop, options), { path: "/m", ...urls, key: [key] }],
    ["prefix", (options) => natsPublisher(stream as never, options), { prefix: 5 }],
    ["timeoutMs", (options) => natsPublisher(stream as never, options), { timeoutMs: Number.NaN }],
    ["tablePrefix", (options) => postgresStorage(pool as never, options), { tablePrefix: null }],
    ["schema", (options) => postgresStorage(pool as never, options), { schema: ["shop"] }],
    ["acquireTimeoutMs", (o) => postgresStorage(pool as never, o), { acquireTimeoutMs: -1 }],
    ["tablePrefix", (options) => sqliteStorage(":memory:", options), { tablePrefix: true }],
    ["tolerance", expressReceiver, { ...receiver, tolerance: Number.NaN }],
    ["tolerance", nextReceiver, { ...receiver, tolerance: "300" }],
    ["tolerance", nextReceiver, { ...receiver, secret: () => undefined, tolerance: "300" }],
    ["toleranceSeconds", expressReceiver, { ...receiver, toleranceSeconds: 60 }],
    ["onError", expressReceiver, { ...receiver, onError: () => {} }],
    ["onerror", nextReceiver, { ...receiver, secret: () => undefined, onerror: () => {} }],
    ["onEvent", nextReceiver, { secret: () => undefined }],
    ["Secret", fastifyReceiver, { ...receiver, Secret: "whsec_x" }],
    ["label", otelObserver, { label: { store: true } }],
    ["labels.stores", otelObserver, { labels: { stores: true } }],
  ];

  test.each(makers)("%s", (name, make, options) => {
    const error = thrownBy(() => make(options as never));
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain(`Option ${name} `);
  });

  const { signal } = new AbortController();
  const consumer = { consumer: "c", signal };
  test.each([
    ["types", () => shop.consumeEvents({ ...consumer, types: 5 as never }, () => {})],
    ["store_id", () => shop.consumeEvents({ ...consumer, store_id: 5 as never }, () => {})],
    ["type", () => shop.consumeEvents({ ...consumer, type: [] } as never, () => {})],
    ["types", () => shop.relayEvents({ ...consumer, types: {} as never, publish: () => {} })],
    ["testMode", () => sendMessages(shop, { signal, testMode: "no", onMessage() {} } as never)],
    ["kinds", () => sendMessages(shop, { signal, kinds: "receipt", onMessage() {} } as never)],
  ])("%s of work in the background", async (name, start) => {
    await expect(start()).rejects.toThrow(`Option ${name} `);
  });
});

test("a sealKey that stands in sealKeys too is taken", () => {
  const [newer, older] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
  const seals = { sealKey: older, sealKeys: [newer, Uint8Array.from(older)] };
  expect(() => open(seals)).not.toThrow();
});

test("a pg Client in place of a Pool is refused at once", () => {
  const client = new pg.Client() as never;
  expect(() => postgresStorage(client)).toThrow("postgresStorage takes a pg Pool.");
  const readPool = { readPool: client };
  expect(() => postgresStorage(new pg.Pool(), readPool)).toThrow(
    "Option readPool must be a pg Pool.",
  );
});
