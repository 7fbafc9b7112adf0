import { describe, expect, test } from "vitest";
import {
  blocksOf,
  entriesOf,
  matchesFilter,
  mostPlaces,
  oldestKept,
} from "../../src/rules/request-log/request-log.ts";
import { bodyShape } from "../../src/rules/request-log/request-log-body.ts";
import { differentPaths } from "../../src/rules/request-log/request-log-difference.ts";
import type { RequestEntry } from "../../src/rules/request-log/request-log-entries.ts";
import { loggedParam } from "../../src/rules/request-log/request-log-fields.ts";

const shapeOf = (body: unknown, param: string | null = null): unknown =>
  JSON.parse(bodyShape(body, param));
const listOf = (count: number, item: unknown): unknown[] =>
  Array.from({ length: count }, () => item);

describe("the bounds of a body in the log", () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? { quantity: 1 } : { customer: nested(depth - 1) };
  const depthOf = (shape: unknown): number =>
    typeof shape === "object" && shape !== null ? 1 + depthOf(Object.values(shape)[0]) : 0;

  test.each([
    [4, 5, 1],
    [5, 6, 1],
    [6, 6, "<object>"],
    [9, 6, "<object>"],
  ])("of objects %d deep, %d levels are shown: %j", (depth, shown, last) => {
    const shape = shapeOf(nested(depth));
    expect(depthOf(shape)).toBe(shown);
    expect(JSON.stringify(shape)).toContain(typeof last === "number" ? `"quantity":1` : last);
  });

  test("of lists six levels are shown", () => {
    const lists = (depth: number): unknown => (depth === 0 ? 1 : [lists(depth - 1)]);
    expect(shapeOf({ items: lists(5) })).toEqual({ items: [[[[["<number>"]]]]] });
    expect(shapeOf({ items: lists(6) })).toEqual({ items: [[[[["<list>"]]]]] });
  });

  test.each([
    [20, []],
    [21, ["<1 more>"]],
    [25, ["<5 more>"]],
  ])("of a list of %d, twenty are shown", (count, rest) => {
    const items = listOf(Math.min(count, 20), { quantity: 1 });
    expect(shapeOf({ items: listOf(count, { quantity: 1 }) })).toEqual({
      items: [...items, ...rest],
    });
  });

  const unknown = (count: number, letter: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [letter.repeat(41) + at, 1]));

  test.each([
    [99, { quantity: 2 }],
    [100, { "<more>": "<cut off>" }],
  ])("of an object a hundred fields are shown: %d others before one", (count, last) => {
    const shape = shapeOf({ ...unknown(count, "x"), quantity: 2 });
    expect(shape).toEqual({ "<unknown>": "<number>", ...last });
  });

  test("unknown fields of one label are shown once, with the type of the first", () => {
    expect(shapeOf({ xxxxxxxx: 1, yyyyyyyy: "a", quantity: 2 })).toEqual({
      "<unknown>": "<number>",
      quantity: 2,
    });
  });

  test("ten misspelt names are guessed, and the others are unknown", () => {
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`zzzzzzzz${at}`, 1]));
    expect(shapeOf({ ...nine, quantitiy: 1 })).toHaveProperty("<like quantity>");
    const ten = { ...nine, zzzzzzzz9: 1 };
    expect(shapeOf({ ...ten, quantitiy: 1 })).toEqual({ "<unknown>": "<number>" });
  });

  test("a long body is cut off where 4 KiB end, but not much before", () => {
    const product_id = `prod_${"x".repeat(59)}`;
    const item = { product_id, quantity: 123_456_789, variables: {}, discord_id: "x", email: "y" };
    const lists = Object.fromEntries(["items", "customer"].map((name) => [name, listOf(20, item)]));
    const text = bodyShape({ ...lists, metadata: 1 }, null);
    expect(text.length).toBeGreaterThan(3_500);
    expect(text.length).toBeLessThanOrEqual(4_096);
    expect(text).toContain(" more>");
    expect(text).toContain(`"<more>":"<cut off>"`);
  });

  test("the place of a value in a list is compared with the parameter in error", () => {
    const body = {
      items: [{ success_url: "https://a.example/x" }, { success_url: "https://b.example" }],
    };
    expect(shapeOf(body, "items[1].success_url")).toEqual({
      items: [{ success_url: "<string>" }, { success_url: "https://b.example" }],
    });
  });
});

describe("the values that the log keeps", () => {
  test.each([
    ["the shortest id of ours", "prod_a", true],
    ["the longest id of ours", `prod_${"x".repeat(59)}`, true],
    ["an id of ours, with digits", "prod_12345678901234567890", true],
    ["one letter too many", `prod_${"x".repeat(60)}`, false],
    ["something before an id of ours", "x-prod_1", false],
    ["another sign in an id of ours", "prod_a.b", false],
    ["a UUID", "123e4567-e89b-12d3-a456-426614174000", true],
    ["a UUID in capitals", "123E4567-E89B-12D3-A456-426614174000", true],
    ["something before a UUID", "x123e4567-e89b-12d3-a456-426614174000", false],
    ["something behind a UUID", "123e4567-e89b-12d3-a456-426614174000x", false],
    ["a name", "maria", false],
    ["nine digits", "a-123456789", false],
    ["the beginning of a secret", "hk_1", false],
  ])("as a product id: %s", (_name, product_id, isKept) => {
    expect(shapeOf({ product_id })).toEqual({ product_id: isKept ? product_id : "<string>" });
  });

  test.each([
    [999_999_999, 999_999_999],
    [1_000_000_000, "<number>"],
    [-999_999_999, -999_999_999],
    [-1_000_000_000, "<number>"],
    [0.123_45, 0.123],
    ["123456789", "123456789"],
    ["-12", "-12"],
    ["1234567890", "<string>"],
    ["1.5", "<string>"],
    [[12], "<list>"],
    [true, "<boolean>"],
    [null, "<null>"],
  ])("as a quantity, of %j: %j", (quantity, kept) => {
    expect(shapeOf({ quantity })).toEqual({ quantity: kept });
  });

  const host = (length: number) => `https://${"a".repeat(length - "https://.b".length)}.b`;

  test.each([
    ["an origin of a hundred letters", host(100), true],
    ["an origin of a hundred and one", host(101), false],
    ["ten digits in the host", "https://h1234567890.example", true],
    ["eleven digits in the host", "https://h12345678901.example", false],
    ["an address in a list", ["https://a.example"], false],
  ])("as a return URL in error: %s", (_name, success_url, isKept) => {
    const shown = shapeOf({ success_url }, "success_url");
    const type = Array.isArray(success_url) ? "<list>" : "<string>";
    expect(shown).toEqual({ success_url: isKept ? success_url : type });
  });

  test.each([
    ["items[9999].quantity", "items[9999].quantity"],
    ["items[12].quantity", "items[12].quantity"],
    ["items[0][1][2][3][4][5][6].quantity", "items[0][1][2][3][4][5][6]"],
    ["items[0][1][2][3][4][5].quantity", "items[0][1][2][3][4][5].quantity"],
    [`quantit${"y".repeat(33)}`, "<like quantity>"],
    [`quantit${"y".repeat(34)}`, "<unknown>"],
  ])("as the parameter in error, of %s: %s", (param, kept) => {
    expect(loggedParam(param)).toBe(kept);
  });
});

describe("the difference of two requests", () => {
  const pathsOf = (before: object, now: object, buyer: string | null = null) =>
    differentPaths({ body: before, customer_id: null }, { body: now, customer_id: buyer });

  test.each<[string, object, object, readonly string[]]>([
    ["a list of variables", { variables: ["a"] }, { variables: ["b"] }, ["variables"]],
    ["variables that are a text", { variables: "a" }, { variables: "b" }, ["variables"]],
    ["a variable without a value", { variables: { a: null } }, {}, ["<unknown>"]],
    [
      "a variable that is true",
      { variables: { a: true } },
      { variables: { a: "true" } },
      ["variables"],
    ],
    ["metadata of another type", { metadata: { a: 1 } }, { metadata: { a: "1" } }, ["metadata"]],
    ["empty metadata values", { metadata: { a: "" } }, {}, ["metadata"]],
    [
      "an address that is none",
      { success_url: "nowhere" },
      { success_url: "elsewhere" },
      ["success_url"],
    ],
    [
      "an e-mail that looks like an address",
      { customer: { email: "https://A.b" } },
      { customer: { email: "https://a.b/" } },
      ["customer.email"],
    ],
    ["an empty list", { items: [] }, {}, ["<unknown>"]],
    ["null for an object", { customer: null }, { customer: {} }, ["<unknown>"]],
  ])("is told for %s", (_name, before, now, paths) => {
    expect(pathsOf(before, now)).toEqual(paths);
    expect(pathsOf(now, before)).toEqual(paths);
  });

  test("has no buyer where neither request has one", () => {
    expect(pathsOf({ quantity: 1 }, { quantity: 2 })).toEqual(["quantity"]);
    expect(pathsOf({}, {}, "null")).toEqual(["X-Service-Customer-Token"]);
  });
});

describe("the log of a store", () => {
  const entry: RequestEntry = {
    id: "req_1",
    created_at: 1,
    key_id: "key_1",
    route: "GET /products",
    status: 404,
    code: "resource_not_found",
    duration_ms: 1,
  };
  const route = "GET /orders";

  test.each([
    ["nothing", {}, true],
    ["its code", { code: "resource_not_found" }, true],
    ["another code", { code: "invalid_json" }, false],
    ["its status", { status: 404 }, true],
    ["another status", { status: 200 }, false],
    ["its route", { route: "GET /products" }, true],
    ["another route", { route }, false],
    ["its status and another code", { status: 404, code: "invalid_json" }, false],
    ["its code and another status", { status: 200, code: "resource_not_found" }, false],
    [
      "its code and status, and another route",
      { status: 404, code: "resource_not_found", route },
      false,
    ],
  ] as const)("finds an entry by %s: %j %j", (_name, filter, isFound) => {
    expect(matchesFilter(entry, filter)).toBe(isFound);
  });

  test("keeps the last 10,000 places", () => {
    expect(mostPlaces).toBe(10_000);
    expect(oldestKept(10_001)).toBe(1);
  });

  const logged = (id: string, body?: string) => ({
    store_id: "a",
    livemode: true,
    entry: { ...entry, id, body },
  });
  /** Gives the length of a block of this many requests whose bodies are empty. */
  const bare = (...ids: readonly string[]): number =>
    blocksOf(
      ids.map((id) => logged(id, "")),
      1,
    )[0]?.entries.length ?? Number.NaN;

  test("has the first and last id of a block, in whichever order its requests ended", () => {
    const ids = (...order: readonly string[]) =>
      blocksOf(
        order.map((id) => logged(id)),
        1,
      ).map(({ first_id, last_id }) => [first_id, last_id]);
    expect(ids("req_2", "req_1", "req_3")).toEqual([["req_1", "req_3"]]);
    expect(ids("req_1", "req_3", "req_2")).toEqual([["req_1", "req_3"]]);
  });

  test.each([
    ["exactly 64 KiB", 65_536 - bare("req_1", "req_2"), 1],
    ["one byte more", 65_537 - bare("req_1", "req_2"), 2],
  ])("puts two requests together up to 64 KiB: %s", (_name, bodies, count) => {
    const body = "x".repeat(Math.floor(bodies / 2));
    const rest = "x".repeat(Math.ceil(bodies / 2));
    expect(blocksOf([logged("req_1", body), logged("req_2", rest)], 1)).toHaveLength(count);
  });

  test("halves of a block that is too long keep the order of the requests", () => {
    const body = "x".repeat(30_000);
    const blocks = blocksOf(
      [1, 2, 3, 4, 5].map((at) => logged(`req_${at}`, body)),
      1,
    );
    expect(blocks.map((block) => entriesOf(block).map(({ id }) => id))).toEqual([
      ["req_1", "req_2"],
      ["req_3"],
      ["req_4", "req_5"],
    ]);
  });

  test.each([
    ["exactly 2 KiB", 2_097 - bare("req_1"), 1],
    ["one byte more", 2_098 - bare("req_1"), 2],
  ])("a request alone takes a place for each 2 KiB: %s", (_name, length, places) => {
    expect(blocksOf([logged("req_1", "x".repeat(length))], 1)).toMatchObject([{ places }]);
  });

  test("gives back every field that an entry has, and none that it lacks", () => {
    const full: Required<RequestEntry> = {
      id: "req_1",
      created_at: 1_700_000_000_000,
      key_id: "key_1",
      route: "POST /checkout/sessions",
      status: 409,
      code: "idempotency_key_reuse",
      param: "items[0].quantity",
      duration_ms: 3,
      idempotency: "different_body",
      limited_calls: 7,
      earlier_request_id: "req_0",
      different_paths: ["items[0].quantity"],
      network: "192.0.2.0/24",
      body: '{"items":"<list>"}',
    };
    const { id, created_at, key_id, status, duration_ms } = full;
    const short: RequestEntry = { id, created_at, key_id, status, duration_ms };

    const [block] = blocksOf(
      [full, short].map((each) => ({ store_id: "a", livemode: true, entry: each })),
      1,
    );
    expect(block && entriesOf(block)).toEqual([full, short]);
    expect(block && Object.keys(entriesOf(block)[1] ?? {})).toHaveLength(5);
  });

  test("writes once what requests have in common", () => {
    const [few] = blocksOf([logged("req_1"), logged("req_2")], 1);
    const [many] = blocksOf(
      Array.from({ length: 102 }, (_, at) => logged(`req_${at}`)),
      1,
    );
    const each = ((many?.entries.length ?? 0) - (few?.entries.length ?? 0)) / 100;
    expect(each).toBeLessThan(40);

    const other = { ...entry, key_id: "key_2", status: 429, network: "192.0.2.0/24" };
    const entries = [entry, other, { ...entry, route: "GET /store" }, entry, other];
    const [mixed] = blocksOf(
      entries.map((one) => ({ store_id: "a", livemode: true, entry: one })),
      1,
    );
    expect(mixed && entriesOf(mixed)).toEqual(entries);
  });

  test("reads the blocks of an older version, a list of entries", () => {
    const [block] = blocksOf([logged("req_1")], 1);
    const older = block && { ...block, entries: JSON.stringify([{ ...entry, id: "req_9" }]) };
    expect(older && entriesOf(older)).toEqual([{ ...entry, id: "req_9" }]);
  });

  test("short requests take a place each", () => {
    const requests = ["req_1", "req_2", "req_3"].map((id) => logged(id));
    expect(blocksOf(requests, 1)).toMatchObject([{ places: 3 }]);
  });
});
