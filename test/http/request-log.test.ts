import { beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { memoryStorage } from "vitrine";
import { toNext } from "vitrine/next";
import { createLogWriter } from "../../src/http/request-log/request-log-writer.ts";
import { entriesOf, type LoggedRequest } from "../../src/rules/request-log/request-log.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const on = { limits: { checkout: null }, requestLog: {} } as const;

const listOf = async (shop: Shop, filters: object = {}) =>
  (await shop.owner.requests.list({ store_id: shop.a.id, livemode: false, ...filters })).data;

const idOf = ({ headers }: { readonly headers: Record<string, string> }): string =>
  headers["x-request-id"] ?? "";

describe.each(storages)("the request log, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), on);
  });

  test("a request with an accepted key is listed, with what became of it", async () => {
    const made = await shop.session();
    const refused = await shop.session({ items: [{ product_id: shop.product.id, quantity: 0 }] });
    await shop.get("/products?search=ana", { key: shop.a.test.sec, ip: "2001:db8:1:2::9" });
    await shop.get("/store", { key: "hk_test_pub_wrong" });

    const [listed, faulty, first, ...more] = await listOf(shop);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      id: idOf(made),
      store_id: shop.a.id,
      livemode: false,
      created_at: "2026-01-15T12:00:00.000Z",
      key_id: expect.stringMatching(/^key_/),
      route: "POST /checkout/sessions",
      status: 201,
      code: null,
      param: null,
      remedy: null,
      idempotency: "new",
      network: "203.0.113.0/24",
      body: null,
    });
    expect(faulty).toMatchObject({
      id: idOf(refused),
      status: 400,
      code: "parameter_invalid",
      param: "items[0].quantity",
      idempotency: null,
      body: { items: [{ product_id: shop.product.id, quantity: 0 }], success_url: "<string>" },
    });
    expect(listed).toMatchObject({
      route: "GET /products",
      status: 200,
      network: "2001:db8:1::/48",
    });
    expect(await shop.owner.requests.retrieve({ store_id: shop.a.id, id: idOf(refused) })).toEqual(
      faulty,
    );
  });

  test("filters and cursor list the matching requests, each once, newest first", async () => {
    const found: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      shop.advance(1_000);
      const missing = await shop.get(`/products/none_${index}`, { key: shop.a.test.pub });
      found.unshift(idOf(missing));
      await shop.get("/store", { key: shop.a.test.pub });
      // Each list writes what was logged, so that the requests stand in several blocks.
      if (index % 5 === 0) await listOf(shop);
    }

    const filters = {
      code: "resource_not_found",
      status: 404,
      route: "GET /products/{id_or_slug}",
    } as const;
    const query = { store_id: shop.a.id, livemode: false, ...filters, limit: 5 } as const;
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof shop.owner.requests.list>> =
        await shop.owner.requests.list({ ...query, starting_after: cursor });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);

    expect(ids).toEqual(found);
    expect(await listOf(shop, { limit: 100 })).toHaveLength(24);
    expect(await listOf(shop, { route: "GET /orders" })).toEqual([]);
    expect(await listOf(shop, { livemode: true })).toEqual([]);
  });

  test("a replay names the first request, and a 409 what the body has differently", async () => {
    const withKey = (body: Record<string, unknown>) =>
      shop.session(body, { headers: { "idempotency-key": "k" } });
    const line = { product_id: shop.product.id, quantity: 1 };
    const customer = { email: "ana@example.com" };
    const first = await withKey({ items: [line], customer });
    await withKey({ items: [line], customer });
    await withKey({
      items: [{ ...line, quantity: 2 }],
      customer: { email: "bia@example.com" },
      metadata: { cpf: "1" },
    });

    const [reused, replayed] = await listOf(shop);
    expect(replayed).toMatchObject({
      idempotency: "replayed",
      earlier_request_id: idOf(first),
      different_paths: [],
    });
    expect(reused).toMatchObject({
      code: "idempotency_key_reuse",
      remedy: expect.stringContaining("new key"),
      idempotency: "different_body",
      earlier_request_id: idOf(first),
      different_paths: ["customer.email", "items[0].quantity", "metadata"],
    });
  });

  test("calls beyond a limit are one row a minute for each key, which says how many they are", async () => {
    const limits = { checkout: { limit: 1, window_ms: 600_000 } };
    const limited = await createShop(await open(), { limits, requestLog: {} });
    await limited.session();
    for (let call = 0; call < 5; call += 1) await limited.session();
    limited.advance(60_000);
    await limited.session();
    await limited.session();

    const rows = await listOf(limited);
    expect(rows.map(({ status, limited_calls }) => [status, limited_calls])).toEqual([
      [429, 5],
      [429, 1],
      [201, null],
    ]);
  });

  test("the end of the test data is the end of its requests; other stores see none", async () => {
    const made = await shop.session();
    await listOf(shop);
    const elsewhere = { store_id: shop.b.id, id: idOf(made) };
    expect(await thrownBy(shop.owner.requests.retrieve(elsewhere))).toMatchObject({
      code: "resource_not_found",
    });

    await shop.owner.wipeTestData(shop.a.id);
    expect(await listOf(shop)).toEqual([]);
  });

  test("requests are kept for as many hours as the host wants", async () => {
    await shop.get("/store", { key: shop.a.test.pub });
    expect(await listOf(shop)).toHaveLength(1);
    shop.advance(48 * 3_600_000);
    expect(await listOf(shop)).toEqual([]);
    expect((await shop.storefront.runMaintenance()).rows_purged).toBeGreaterThanOrEqual(1);
  });
});

/** A storage whose log does what the test says. */
function withLog(append: Storage["requests"]["append"]): Storage {
  const storage = memoryStorage();
  return { ...storage, requests: { ...storage.requests, append } };
}

const logged = (index: number): LoggedRequest => ({
  store_id: "str_1",
  livemode: true,
  entry: {
    id: `req_${index}`,
    created_at: 1,
    key_id: "key_1",
    status: 200,
    duration_ms: 1,
  },
});

/** A promise that a test lets resolve. */
function gate(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}

describe("behind the answers", () => {
  test("two hundred requests are written at once, and the rest within a second", async () => {
    const blocks: number[] = [];
    const storage = withLog(async (block) => void blocks.push(entriesOf(block).length));
    const shop = await createShop(storage, on);
    const ask = () => shop.get("/store", { key: shop.a.test.pub });
    const began = performance.now();
    await Promise.all(Array.from({ length: 203 }, ask));
    await expect.poll(() => blocks[0]).toBe(200);

    await expect.poll(() => blocks[1], { timeout: 5_000 }).toBe(3);
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  test("close() writes what waits", async () => {
    const written: string[] = [];
    const storage = withLog(async ({ first_id }) => void written.push(first_id));
    const shop = await createShop(storage, on);
    const asked = await shop.get("/store", { key: shop.a.test.pub });
    await shop.storefront.close();
    expect(written).toEqual([idOf(asked)]);
  });

  const askedBy = (shop: Shop): Request =>
    new Request("https://api.example.com/v1/store", {
      headers: { authorization: `Bearer ${shop.a.test.sec}` },
    });

  test("a serverless host is kept running until the request is written", async () => {
    const written: string[] = [];
    const { held, release } = gate();
    const storage = withLog(async (block) => {
      await held;
      written.push(...entriesOf(block).map(({ id }) => id));
    });
    const shop = await createShop(storage, on);
    const waits: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void waits.push(work);
    const { GET } = toNext(shop.storefront, { ip: "shared", waitUntil });
    const asked: (string | null)[] = [];
    for (let index = 0; index < 3; index += 1)
      asked.push((await GET(askedBy(shop))).headers.get("x-request-id"));
    expect(written).toEqual([]);

    release();
    await Promise.all(waits);
    expect(written).toEqual(asked);
  });

  test("a host whose waitUntil throws is told, and the answer is the same", async () => {
    const shop = await createShop(memoryStorage(), on);
    const outOfScope = new Error("after() was called outside a request");
    const waitUntil = () => {
      throw outOfScope;
    };
    const answer = await shop.storefront.handler(askedBy(shop), { waitUntil });
    expect(answer.status).toBe(200);
    // The log and the use of the key each ask the host to keep running: it is told once a second.
    expect(shop.errors).toEqual([outOfScope]);
    const wrong = { ip: "shared", waitUntil: "after" as unknown as () => void };
    expect(() => toNext(shop.storefront, wrong)).toThrow(/waitUntil must be a function/);
  });

  test("a storage that does not answer is waited for by no request, and holds 2,000 at most", async () => {
    const errors: unknown[] = [];
    const written: string[] = [];
    const { held, release } = gate();
    const writer = createLogWriter({
      store: {
        ...memoryStorage().requests,
        append: async (block) => {
          await held;
          written.push(...entriesOf(block).map(({ id }) => id));
        },
      },
      keptMs: 1_000,
      onError: (error) => void errors.push(error),
    });
    for (let index = 0; index < 2_700; index += 1) writer.add(logged(index));
    expect(errors).toEqual([
      expect.objectContaining({ message: "The request log has lost 200 requests." }),
    ]);

    release();
    await writer.flush();
    // The first 200 were on their way. Of the others the oldest are lost.
    expect(written).toHaveLength(2_100);
    expect(written.slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, at) => `req_${at}`));
    expect(written[200]).toBe("req_800");
    expect(written.at(-1)).toBe("req_2699");
  });

  test("a log that fails loses its requests, and says so once with the cause", async () => {
    const cause = new Error("no disk");
    const storage = withLog(() => Promise.reject(cause));
    const shop = await createShop(storage, on);
    const answers = await Promise.all([shop.session(), shop.session(), shop.session()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    await shop.storefront.close();
    await shop.session();
    await shop.storefront.close();
    expect(shop.errors).toEqual([
      expect.objectContaining({ message: "The request log has lost 3 requests.", cause }),
    ]);
  });
});

describe("the option", () => {
  test("without it nothing is logged", async () => {
    const storage = memoryStorage();
    const shop = await createShop(storage, { limits: { checkout: null } });
    const withKey = (quantity: number) =>
      shop.session(
        { items: [{ product_id: shop.product.id, quantity }] },
        { headers: { "idempotency-key": "k" } },
      );
    await withKey(1);
    const reused = await withKey(2);
    expect(reused.status).toBe(409);
    expect(await listOf(shop)).toEqual([]);
  });

  test.each([
    ["none", [null, null]],
    ["errors", [null, expect.objectContaining({ items: "<string>" })]],
    ["all", [expect.anything(), expect.objectContaining({ items: "<string>" })]],
  ] as const)("bodies: %s", async (bodies, expected) => {
    const shop = await createShop(memoryStorage(), { ...on, requestLog: { bodies } });
    await shop.session();
    await shop.session({ items: "x" });
    const shown = (await listOf(shop)).map(({ body }) => body).reverse();
    expect(shown).toEqual(expected);
  });

  test.each([
    [{ keepHours: 0 }, "requestLog.keepHours"],
    [{ keepHours: 721 }, "requestLog.keepHours"],
    [{ bodies: "some" }, "requestLog.bodies"],
    [{ keephours: 1 }, "requestLog.keephours"],
    [true, "requestLog"],
  ])("%j is refused at the start", async (requestLog, param) => {
    const wrong = createShop(memoryStorage(), { requestLog: requestLog as object });
    expect(await thrownBy(wrong)).toMatchObject({ code: "invalid_option", param });
  });
});
