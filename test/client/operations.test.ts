import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import {
  type Client,
  createClient,
  isStorefrontError,
  type Operation,
  type Order,
  StorefrontError,
} from "vitrine/client";
import { clientPaths } from "../../src/contract/client-paths.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";

let shop: Shop;
let server: Awaited<ReturnType<typeof startFaultyServer>>;
let secret: Client;
let publishable: Client;
beforeEach(async () => {
  shop = await createShop(memoryStorage(), {
    limits: { checkout: null, coupons: null },
    trustBuyerIp: true,
  });
  server = await startFaultyServer(shop.storefront.serve);
  secret = createClient({ baseUrl: server.baseUrl, key: shop.a.test.sec });
  publishable = createClient({ baseUrl: `${server.baseUrl}/`, key: shop.a.test.pub });
});
afterEach(() => server.close());

const cart = () => ({
  items: [{ product_id: shop.product.id, quantity: 2 }],
  success_url: returnUrl,
  cancel_url: returnUrl,
});
const failure = async (work: PromiseLike<unknown>): Promise<StorefrontError> => {
  const error = await Promise.resolve(work).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isStorefrontError(error)) throw error ?? new Error("It did not fail.");
  return error;
};
const token = async (customer_id: string) =>
  (
    await shop.storefront.customers.issueToken({
      store_id: shop.a.id,
      livemode: false,
      customer_id,
    })
  ).token;

describe("every operation of the path table", () => {
  test("has its method, and there is no other", () => {
    expect(Object.keys(publishable)).toEqual(Object.keys(clientPaths));
  });

  test("reads the catalog with a publishable key", async () => {
    const category = await shop.owner.categories.create(shop.a.id, { name: "Tea" });
    const store = await publishable.getStore();
    expect(store).toMatchObject({ data: { id: shop.a.id, currency: "BRL" }, livemode: false });
    expect(store.request_id).toMatch(/^req_/);
    expect((await publishable.listCategories()).data.map(({ id }) => id)).toEqual([category.id]);
    expect((await publishable.listPaymentMethods()).data.map(({ type }) => type)).toContain("pix");
    expect((await publishable.getProduct({ id_or_slug: shop.product.id })).data).toEqual(
      (await publishable.getProduct({ id_or_slug: "product-a" })).data,
    );
    expect((await publishable.listSuggestions({ q: "prô" })).data).toEqual([
      { id: shop.product.id, slug: "product-a", name: "Product A" },
    ]);
    const found = await publishable.listProducts({ search: "prôduct a", limit: 1 });
    expect(found).toMatchObject({
      has_more: false,
      next_cursor: null,
      data: [{ slug: "product-a", price: 1000 }],
    });
  });

  test("reads back a session: its status with a publishable key, all of it with a secret one", async () => {
    const { data: made } = await publishable.createCheckoutSession(cart());
    const { data: status } = await publishable.getCheckoutSession({ id: made.id });
    expect(status).toMatchObject({ id: made.id, payment_status: "unpaid", order: null });
    expect("customer" in status).toBe(false);
    expect((await secret.getCheckoutSession({ id: made.id })).data).toEqual({
      ...made,
      order: null,
    });

    const { order } = await shop.storefront.checkout.submit(
      made.checkout_url.split("/").at(-1) ?? "",
      { payment_method_id: shop.a.method_id },
    );
    const paid = await publishable.getCheckoutSession({ id: made.id }, { buyerIp: "203.0.113.9" });
    expect(paid.data).toMatchObject({ payment_status: "paid", order: { number: order.number } });
    const found = await secret.listOrders({ checkout_session_id: made.id });
    expect(found.data.map(({ id }) => id)).toEqual([order.id]);
  });

  test("creates a checkout session, under a key of its own for each call", async () => {
    const first = await publishable.createCheckoutSession({
      ...cart(),
      coupon_code: "SAVE10",
      metadata: { table: 4 },
    });
    expect(first.data).toMatchObject({
      status: "open",
      amount_subtotal: 2000,
      amount_total: 1800,
      metadata: { table: 4 },
    });
    const second = await publishable.createCheckoutSession(cart());
    expect(second.data.id).not.toBe(first.data.id);
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-z]{32}$/);
  });

  test("a key that is given makes one session of two calls", async () => {
    const once = { idempotencyKey: "purchase-1" };
    const first = await publishable.createCheckoutSession(cart(), once);
    expect(await publishable.createCheckoutSession(cart(), once)).toEqual(first);
    const reuse = await failure(
      publishable.createCheckoutSession({ ...cart(), coupon_code: "SAVE10" }, once),
    );
    expect([reuse.status, reuse.code]).toEqual([409, "idempotency_key_reuse"]);
  });

  test("validates coupons: an invalid one is an answer, not an error", async () => {
    const items = [{ product_id: shop.product.id, quantity: 1 }];
    const good = await publishable.validateCoupon({ code: "save10", items });
    expect(good.data.valid && good.data.amount_total).toBe(900);
    expect((await publishable.validateCoupon({ code: "NONE", items })).data.valid).toBe(false);
  });

  test("validates, activates and deactivates a license key", async () => {
    const base = { name: "Editor", price: 1000, currency: "BRL" } as const;
    const delivery = { type: "license_key", activations: 1 } as const;
    const { id: product_id } = await shop.owner.products.create(shop.a.id, { ...base, delivery });
    const order = await shop.buy({ items: [{ product_id, quantity: 1 }] });
    const { data: bought } = await secret.getOrder({ id: order.id });
    const license_key = bought.entitlements?.[0]?.license_key ?? "";
    const on = (instance_name: string) =>
      publishable.activateLicense({ license_key, instance_name }, { buyerIp: "198.51.100.7" });

    const { data: license } = await on("laptop");
    const instance_id = license.instance?.id ?? "";
    expect((await publishable.validateLicense({ license_key, instance_id })).data.valid).toBe(true);
    expect((await failure(on("desktop"))).code).toBe("activation_limit_reached");
    await publishable.deactivateLicense({ license_key, instance_id });
    expect((await on("desktop")).data.activation_usage).toBe(1);
  });

  test("reads orders and events with a secret key", async () => {
    const order = await shop.buy();
    expect((await secret.getOrder({ id: order.id })).data).toMatchObject({
      id: order.id,
      status: "paid",
    });
    expect((await secret.listOrders({ status: "paid" })).data.map(({ id }) => id)).toEqual([
      order.id,
    ]);
    expect((await secret.listOrders({ status: "refunded" })).data).toEqual([]);
    const paid = (await secret.listEvents()).data.find((event) => event.type === "order.paid");
    expect(paid?.type === "order.paid" && paid.data.order.id).toBe(order.id);
  });

  test("a buyer's own orders go with the buyer's token, of the client, of the call, or from a function", async () => {
    const ana = await token("ana");
    const order = await shop.buy({}, { headers: { "x-service-customer-token": ana } });
    const client = createClient({
      baseUrl: server.baseUrl,
      key: shop.a.test.pub,
      customerToken: ana,
    });
    expect((await client.listMyOrders()).data.map(({ id }) => id)).toEqual([order.id]);
    const other = await token("rui");
    expect((await client.listMyOrders({}, { customerToken: other })).data).toEqual([]);
    const asked = createClient({
      baseUrl: server.baseUrl,
      key: shop.a.test.pub,
      customerToken: async () => ana,
    });
    expect((await asked.listMyOrders({ limit: 1 })).data).toHaveLength(1);
    expect((await failure(publishable.listMyOrders())).code).toBe("missing_customer_token");
    await client.createCheckoutSession(cart());
    expect(server.seen.at(-1)?.headers["x-service-customer-token"]).toBe(ana);
    await client.listProducts();
    expect(server.seen.at(-1)?.headers["x-service-customer-token"]).toBeUndefined();
  });

  test("the buyer's address goes with a server's call, so that limits count by it", async () => {
    await secret.createCheckoutSession(cart(), { buyerIp: "198.51.100.7" });
    expect(server.seen.at(-1)?.headers["x-service-buyer-ip"]).toBe("198.51.100.7");
  });

  test("outside a browser the key stands in the header alone", async () => {
    await publishable.listProducts({ limit: 5 });
    expect(server.seen.at(-1)?.url.search).toBe("?limit=5");
    expect(server.seen.at(-1)?.headers.authorization).toBe(`Bearer ${shop.a.test.pub}`);
    await publishable.getStore();
    expect(server.seen.at(-1)?.url.href).toMatch(/\/v1\/store$/);
  });
});

describe("for await", () => {
  const collect = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const row of rows) all.push(row);
    return all;
  };

  test("walks products by cursor, from the first page or from any", async () => {
    await shop.owner.products.putMany(
      shop.a.id,
      Array.from({ length: 6 }, (_, at) => ({
        slug: `p${at}`,
        name: `P${at}`,
        price: 100,
        currency: "BRL",
        position: at + 1,
      })),
    );
    const slugs = (await collect(publishable.listProducts({ limit: 2 }))).map(({ slug }) => slug);
    expect(slugs).toHaveLength(7);
    expect(new Set(slugs).size).toBe(7);
    expect(server.seen.map(({ url }) => url.searchParams.has("starting_after"))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const fromSecond = (await collect(publishable.listProducts({ limit: 3, page: 2 }))).map(
      ({ slug }) => slug,
    );
    expect(fromSecond).toEqual(slugs.slice(3));
    const searched = (await collect(publishable.listProducts({ limit: 1, search: "p" }))).map(
      ({ slug }) => slug,
    );
    expect(searched).toEqual(slugs);
  });

  test("walks orders, events and a buyer's orders to their ends", async () => {
    const ana = await token("ana");
    const made: Order["id"][] = [];
    for (let order = 0; order < 5; order += 1)
      made.push((await shop.buy({}, { headers: { "x-service-customer-token": ana } })).id);
    const newestFirst = made.toReversed();
    expect((await collect(secret.listOrders({ limit: 2 }))).map(({ id }) => id)).toEqual(
      newestFirst,
    );
    expect(
      (await collect(secret.listMyOrders({ limit: 2 }, { customerToken: ana }))).map(
        ({ id }) => id,
      ),
    ).toEqual(newestFirst);
    const events = await collect(secret.listEvents({ limit: 4 }));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    expect(events.filter(({ type }) => type === "order.paid")).toHaveLength(5);
    expect(await collect(secret.listEvents({ starting_after: events.at(-1)?.id }))).toEqual([]);
  });

  test("asks for no page that nobody reads, and one page is a page", async () => {
    for (let order = 0; order < 3; order += 1) await shop.buy();
    const request = secret.listOrders({ limit: 1 });
    for await (const order of request) {
      expect(order.status).toBe("paid");
      break;
    }
    expect(server.seen).toHaveLength(1);
    const page = await request;
    expect(page.has_more).toBe(true);
    const next = await secret.listOrders({
      limit: 1,
      starting_after: page.next_cursor ?? undefined,
    });
    expect(next.data[0]?.number).toBe((page.data[0]?.number ?? 0) - 1);
  });

  test("complete lists are walked too, and an error comes out of the loop", async () => {
    expect(await collect(publishable.listPaymentMethods())).toHaveLength(1);
    expect((await failure(collect(publishable.listOrders()))).code).toBe("insufficient_scope");
    const expired = await failure(collect(secret.listOrders({ starting_after: "ord_none" })));
    expect([expired.code, expired.param]).toEqual(["invalid_cursor", "starting_after"]);
  });
});

describe("errors", () => {
  test("carry code, status, type, param, request_id and docs_url", async () => {
    const error = await failure(
      publishable.createCheckoutSession({
        ...cart(),
        items: [{ product_id: shop.product.id, quantity: 0 }],
      }),
    );
    expect(error).toBeInstanceOf(StorefrontError);
    expect(error).toMatchObject({
      name: "StorefrontError",
      code: "parameter_invalid",
      status: 400,
      type: "invalid_request_error",
      param: "items[0].quantity",
      docs_url: "https://docs.example.com/errors#parameter_invalid",
    });
    expect(error.request_id).toMatch(/^req_/);
    expect(server.seen).toHaveLength(1);
  });

  test("an order of another store is resource_not_found", async () => {
    const order = await shop.buy();
    const stranger = createClient({ baseUrl: server.baseUrl, key: shop.b.test.sec });
    expect(await failure(stranger.getOrder({ id: order.id }))).toMatchObject({
      status: 404,
      code: "resource_not_found",
      param: "id",
    });
  });

  test("the guard knows an error of another copy of the package, and nothing else", async () => {
    const url = new URL("../../src/client/error.ts?copy", import.meta.url).href;
    const copy: typeof import("../../src/client/error.ts") = await import(url);
    expect(copy.StorefrontError).not.toBe(StorefrontError);
    expect(isStorefrontError(new copy.StorefrontError({ code: "x", message: "x" }))).toBe(true);
    expect(copy.isStorefrontError(await failure(publishable.getOrder({ id: "x" })))).toBe(true);
    for (const value of [new Error("x"), null, undefined, "x", { code: "x" }])
      expect(isStorefrontError(value)).toBe(false);
  });

  test("an id never becomes another route", async () => {
    for (const id of ["", ".", ".."])
      expect(await failure(secret.getOrder({ id }))).toMatchObject({
        code: "parameter_invalid",
        param: "id",
      });
    expect(server.seen).toEqual([]);
    for (const id of ["a/../../store", "a?b=c", "%2e%2e", "a b", "é"])
      expect(await failure(secret.getOrder({ id }))).toMatchObject({
        status: 404,
        code: "resource_not_found",
      });
  });
});

test.each([
  [{ baseUrl: "/v1" }, "`baseUrl` must be an address"],
  [{ baseUrl: "localhost:4242/v1" }, "`baseUrl` must be an address"],
  [{ key: "" }, "`key` must be an API key"],
  [{ key: "hk_test_pub_x\n" }, "`key` must be an API key"],
  [{ browser: true }, "`key` is a secret key, and this is a browser"],
])("createClient refuses %j at once", (wrong, words) => {
  expect(() => createClient({ baseUrl: server.baseUrl, key: shop.a.test.sec, ...wrong })).toThrow(
    words,
  );
  try {
    createClient({ baseUrl: server.baseUrl, key: shop.a.test.sec, ...wrong });
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain(shop.a.test.sec);
  }
});

test.each([undefined, null])("createClient(%j) asks for its options", (given) => {
  expect(() => createClient(given as never)).toThrow("`createClient` takes { baseUrl, key }.");
});

test("in a browser every call carries the key parameter", async () => {
  const client = createClient({ baseUrl: server.baseUrl, key: shop.a.test.pub, browser: true });
  await client.listProducts({ search: "a&b=é +", limit: 2 });
  const { searchParams } = server.seen.at(-1)?.url ?? new URL("http://x");
  expect(Object.fromEntries(searchParams)).toEqual({
    key: shop.a.test.pub,
    search: "a&b=é +",
    limit: "2",
  });
  await client.createCheckoutSession(cart());
  expect(server.seen.at(-1)?.url.searchParams.get("key")).toBe(shop.a.test.pub);
});

test("runs against a handler without any socket, as on the edge", async () => {
  const edge = createClient({
    baseUrl: "https://api.example.com/v1",
    key: shop.a.test.pub,
    fetch: (url, init) => shop.storefront.handler(new Request(url, init)),
  });
  const operations: readonly Operation[] = ["getStore", "listCategories", "listPaymentMethods"];
  for (const operation of operations)
    expect((await edge[operation as "getStore"]()).livemode).toBe(false);
  expect((await edge.createCheckoutSession(cart())).data.status).toBe("open");
});
