import { describe, expect, test } from "vitest";
import { networkOf } from "../../src/domain/client-ip.ts";
import { blocksOf, entriesOf, mostPlaces } from "../../src/rules/request-log/request-log.ts";
import { bodyShape } from "../../src/rules/request-log/request-log-body.ts";
import { differentPaths } from "../../src/rules/request-log/request-log-difference.ts";
import type { RequestEntry } from "../../src/rules/request-log/request-log-entries.ts";
import { loggedParam } from "../../src/rules/request-log/request-log-fields.ts";

const shapeOf = (body: unknown, param: string | null = null): unknown =>
  JSON.parse(bodyShape(body, param));

const secrets = [
  "ana@example.com",
  "Ana Souza",
  "123.456.789-09",
  "12345678909",
  "+55 11 98765-4321",
  "4111111111111111",
  "hk_live_sec_abcdefgh",
  "whsec_abcdefgh",
  "eyJhbGciOi",
];

describe("what the log keeps of a body", () => {
  test("names and types of the API's fields, and the values of products and quantities", () => {
    const body = {
      items: [{ product_id: "prod_01", quantity: 2, variables: { cpf: "1", name: "Ana" } }],
      success_url: "https://shop.example.com/ok?email=ana@example.com",
      cancel_url: "https://shop.example.com/no",
      customer: { email: "ana@example.com", discord_id: "123" },
      coupon_code: "ANA10",
      metadata: { ana: true },
    };
    expect(shapeOf(body)).toEqual({
      items: [{ product_id: "prod_01", quantity: 2, variables: "<object>" }],
      success_url: "<string>",
      cancel_url: "<string>",
      customer: { email: "<string>", discord_id: "<string>" },
      coupon_code: "<string>",
      metadata: "<object>",
    });
    expect(shapeOf(body, "success_url")).toMatchObject({
      success_url: "https://shop.example.com",
      cancel_url: "<string>",
    });
  });

  test.each([
    ["https://shop.example.com:8443/a?b", "https://shop.example.com:8443"],
    ["http://localhost:3000/", "http://localhost:3000"],
    ["https://ana:secret@shop.example.com", "https://shop.example.com"],
    ["https://123.456.789-09.example", "<string>"],
    ["mailto:ana@example.com", "<string>"],
    ["shop.example.com", "<string>"],
    [7, "<number>"],
  ])("of the return URL %s in error, %s is kept", (success_url, kept) => {
    expect(shapeOf({ success_url }, "success_url")).toEqual({ success_url: kept });
  });

  test("values of another type are shown by their type", () => {
    expect(
      shapeOf({ items: "x", customer: null, success_url: 1, cancel_url: true, metadata: [] }),
    ).toEqual({
      items: "<string>",
      customer: "<null>",
      success_url: "<number>",
      cancel_url: "<boolean>",
      metadata: "<list>",
    });
    expect(shapeOf({ items: [{ product_id: 7, quantity: "2" }] })).toEqual({
      items: [{ product_id: "<number>", quantity: "2" }],
    });
    expect(
      shapeOf({ items: [{ quantity: 1e300 }, { quantity: 1.23456 }, { quantity: -1 }] }),
    ).toEqual({
      items: [{ quantity: "<number>" }, { quantity: 1.235 }, { quantity: -1 }],
    });
  });

  test.each(secrets)("%s is kept in no place of a body", (secret) => {
    const body = {
      [secret]: secret,
      items: [
        { product_id: secret, quantity: secret, variables: { [secret]: secret }, [secret]: 1 },
        secret,
        [secret, { email: secret }],
      ],
      success_url: `https://${encodeURIComponent(secret)}@shop.example.com/${secret}?e=${secret}`,
      cancel_url: secret,
      customer: { email: secret, discord_id: secret, name: secret, items: [{ [secret]: secret }] },
      coupon_code: secret,
      code: secret,
      metadata: { [secret]: secret },
      product_id: secret,
      quantity: secret,
    };
    const params = ["success_url", "cancel_url", "items[0].product_id", secret, "customer.email"];
    for (const param of [null, ...params])
      expect(bodyShape(body, param).toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test("a product id is kept where it looks like one", () => {
    const shown = (product_id: string) => shapeOf({ product_id });
    for (const id of ["prod_01J8XKZ", "3f2b8c1e-1d2c-4b5a-9e8f-001122334455"])
      expect(shown(id)).toEqual({ product_id: id });
    const others = [
      "Ana-Silva",
      "sku-42",
      "19900131",
      "prod_a b",
      `prod_${"x".repeat(60)}`,
      "é",
      "",
    ];
    for (const id of others) expect(shown(id)).toEqual({ product_id: "<string>" });
  });

  test("a name that the API does not have is not kept; a misspelt one is told by what was meant", () => {
    expect(shapeOf({ ana: 1, quantitiy: 2, "ana@example.com": 3, succes_url: "x" })).toEqual({
      "<unknown>": "<number>",
      "<like quantity>": "<number>",
      "<like success_url>": "<string>",
    });
  });

  test("no body takes more than 4 KiB, or long", () => {
    const deep = (depth: number): object =>
      depth === 0
        ? { product_id: "prod_x" }
        : { customer: deep(depth - 1), items: [deep(depth - 1)] };
    const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`quantit${at}`, at]));
    const hostile = [
      deep(10),
      many,
      { items: Array.from({ length: 8_000 }, () => ({ product_id: `prod_${"x".repeat(59)}` })) },
      { items: Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => [[1], [2]])) },
      { items: Array.from({ length: 30 }, () => ({ customer: many, items: [many] })) },
    ];
    for (const body of hostile) {
      const started = performance.now();
      expect(bodyShape(body, null).length).toBeLessThanOrEqual(4_096);
      expect(performance.now() - started).toBeLessThan(2_000);
    }
    const lines = shapeOf({ items: Array.from({ length: 100 }, () => ({ quantity: 1 })) });
    expect(lines).toMatchObject({ items: expect.arrayContaining(["<80 more>"]) });
  });
});

test.each([
  ["items[0].quantity", "items[0].quantity"],
  ["starting_after", "starting_after"],
  ["X-Service-Customer-Token", "X-Service-Customer-Token"],
  ["customer.email", "customer.email"],
  ["items[0].variables.cpf", "items[0].variables"],
  ["metadata.ana@example.com", "metadata"],
  ["quantitiy", "<like quantity>"],
  ["items[3].ana@example.com", "items[3].<unknown>"],
  ["ana@example.com", "<unknown>"],
  ["[12345678909]", "<unknown>"],
  ["", ""],
])("the parameter %s is logged as %s", (param, logged) => {
  expect(loggedParam(param)).toBe(logged);
});

describe("where two requests differ", () => {
  const item = { product_id: "prod_1", quantity: 1 };
  const different = (before: object, now: object, buyers: readonly (string | null)[] = []) =>
    differentPaths(
      { body: before, customer_id: buyers[0] ?? null },
      { body: now, customer_id: buyers[1] ?? null },
    );
  const same = ["<unknown>"];

  test.each<readonly [object, object, readonly string[]]>([
    [{ items: [item] }, { items: [{ ...item, quantity: 2 }] }, ["items[0].quantity"]],
    [{ items: [item] }, { items: [item, item] }, ["items[1].product_id", "items[1].quantity"]],
    [{ items: [item] }, { items: [] }, ["items[0].product_id", "items[0].quantity"]],
    [{ items: [item] }, { items: "x" }, ["items", "items[0].product_id", "items[0].quantity"]],
    [{ customer: { email: "a@x" } }, { customer: { email: "b@x" } }, ["customer.email"]],
    [{ metadata: { a: 1 } }, { metadata: { a: 2 } }, ["metadata"]],
    [{ metadata: { "ana@example.com": 1 } }, {}, ["metadata"]],
    [{ cancel_url: "https://a.example/x" }, { cancel_url: "https://a.example/y" }, ["cancel_url"]],
    [
      { items: [{ variables: { a: "1" } }] },
      { items: [{ variables: { a: "2" } }] },
      ["items[0].variables"],
    ],
    [{ x: 1 }, { x: 2 }, same],
    [{ metadata: { a: 1, b: 2 } }, { metadata: { b: 2, a: 1 } }, same],
    [{ coupon_code: "SAVE10" }, { coupon_code: " save10" }, same],
    [{ coupon_code: null, metadata: {}, customer: { email: null } }, {}, same],
    [{ success_url: "https://A.example" }, { success_url: "https://a.example/" }, same],
    [{ items: [{ variables: { a: "1", b: "" } }] }, { items: [{ variables: { a: 1 } }] }, same],
  ])("%j and %j: %j", (before, now, paths) => {
    expect(different(before, now)).toEqual(paths);
    expect(different(now, before)).toEqual(paths);
  });

  test("another buyer is a difference too", () => {
    const paths = ["X-Service-Customer-Token"];
    expect(different({}, {}, ["cus_1", "cus_2"])).toEqual(paths);
    expect(different({}, {}, [null, "cus_2"])).toEqual(paths);
    expect(different({}, {}, ["cus_1", "cus_1"])).toEqual(same);
  });

  test("at most 100 paths are named", () => {
    const lines = (quantity: number) => ({
      items: Array.from({ length: 150 }, () => ({ ...item, quantity })),
    });
    expect(different(lines(1), lines(2))).toHaveLength(100);
  });
});

test.each([
  ["203.0.113.9", "203.0.113.0/24"],
  ["::ffff:203.0.113.9", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["fe80::1%eth0", "fe80:0:0::/48"],
  ["ana@example.com", null],
  ["", null],
  [undefined, null],
])("the client %s belongs to the network %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

describe("blocks of requests", () => {
  const entry = (id: string, changes: Partial<RequestEntry> = {}): RequestEntry => ({
    id,
    created_at: 1_000,
    key_id: "key_1",
    status: 200,
    duration_ms: 1,
    ...changes,
  });
  const of = (store_id: string, livemode: boolean, one: RequestEntry) => ({
    store_id,
    livemode,
    entry: one,
  });

  test("hold the requests of one store and mode, with their first and last id", () => {
    const blocks = blocksOf(
      [
        of("a", true, entry("req_3", { created_at: 5_000 })),
        of("a", false, entry("req_2")),
        of("a", true, entry("req_1")),
      ],
      60_000,
    );
    expect(blocks.map(({ livemode, first_id, last_id }) => [livemode, first_id, last_id])).toEqual([
      [true, "req_1", "req_3"],
      [false, "req_2", "req_2"],
    ]);
    expect(blocks[0]).toMatchObject({ places: 2, expires_at: 65_000 });
    expect(blocks[0] && entriesOf(blocks[0]).map(({ id }) => id)).toEqual(["req_3", "req_1"]);
  });

  test("take a place for each 2 KiB, so that all places together have at most 20 MiB", () => {
    const body = "x".repeat(4_096);
    const requests = Array.from({ length: 200 }, (_, at) =>
      of("a", true, entry(`req_${at}`, { body })),
    );
    const blocks = blocksOf(requests, 1);
    const bytes = blocks.reduce((sum, { entries }) => sum + entries.length, 0);
    const places = blocks.reduce((sum, block) => sum + block.places, 0);

    expect(Math.max(...blocks.map(({ entries }) => entries.length))).toBeLessThan(66_000);
    expect(places).toBe(400);
    expect((bytes / places) * mostPlaces).toBeLessThanOrEqual(20 * 1_048_576);
  });
});
