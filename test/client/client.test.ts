import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "vitrine";
import { type Client, type ClientOptions, createClient, isStorefrontError } from "vitrine/client";
import { toNode } from "vitrine/node";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

describe("the client, against a real server", () => {
  let shop: Shop;
  let server: Server;
  let base: string;
  /** Takes requests away from the API; null lets it answer. */
  let meddle: ((request: IncomingMessage, response: ServerResponse, count: number) => boolean) | null;
  let seen: { url: string; headers: IncomingMessage["headers"] }[];
  beforeEach(async () => {
    shop = await createShop(memoryStorage(), { limits: { checkout: null, coupons: null } });
    const api: Handle = toNode(shop.storefront);
    meddle = null;
    seen = [];
    server = createServer((request, response) => {
      seen.push({ url: request.url ?? "", headers: request.headers });
      if (!meddle?.(request, response, seen.length)) api(request, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const open = (key = shop.a.test.sec, more: Partial<ClientOptions> = {}): Client => createClient({ baseUrl: base, key, ...more });
  const cart = () => ({ items: [{ product_id: shop.product.id, quantity: 1 }], success_url: returnUrl, cancel_url: returnUrl });
  const thrown = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail("It did not throw."),
      (error: unknown) => error,
    );
  const refuse =
    (status: number, code: string, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ error: { type: "api_error", code, message: "…", param: null, docs_url: "d" }, request_id: "req_x" }));
      return true;
    };

  test("every operation of SPEC 4", async () => {
    const client = open(shop.a.test.sec, {
      customerToken: (await shop.storefront.customers.issueToken({ store_id: shop.a.id, livemode: false, customer_id: "u1" })).token,
    });
    const session = await client.createCheckoutSession({ ...cart(), coupon_code: "SAVE10", metadata: { cart: 7 } });
    expect(session).toMatchObject({ amount_total: 900, metadata: { cart: 7 } });
    const { order } = await shop.storefront.checkout.submit(session.checkout_url.split("/").at(-1) ?? "", {
      payment_method_id: shop.a.method_id,
    });
    expect((await client.getStore()).name).toBe("Store A");
    expect((await client.listProducts({ limit: 5, search: "product" })).data[0]?.id).toBe(shop.product.id);
    expect((await client.getProduct({ id_or_slug: "product-a" })).price).toBe(1000);
    expect((await client.listCategories()).data).toEqual([]);
    expect((await client.listPaymentMethods()).data).toHaveLength(1);
    expect(await client.validateCoupon({ code: "SAVE10", items: [{ product_id: shop.product.id, quantity: 1 }] })).toMatchObject({
      valid: true,
    });
    expect((await client.listOrders({ status: "paid" })).data).toHaveLength(1);
    expect((await client.getOrder({ id: order.id })).number).toBe(1);
    expect((await client.listMyOrders()).data[0]?.id).toBe(order.id);
    expect((await client.listEvents({ limit: 2 })).has_more).toBe(true);
  });

  test("for await goes over every page, without a row twice", async () => {
    for (let at = 0; at < 7; at++) await shop.owner.products.create(shop.a.id, { name: `P${at}`, price: 100, currency: "BRL" });
    const ids: string[] = [];
    for await (const product of open().listProducts({ limit: 3 })) ids.push(product.id);
    expect([ids.length, new Set(ids).size, seen.length]).toEqual([8, 8, 3]);
    await shop.buy();
    const types: string[] = [];
    for await (const event of open().listEvents({ limit: 1 })) types.push(event.type);
    expect(types).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
  });

  test("an error is a class with the API's code, parameter, request id and explanation", async () => {
    const error = await thrown(open().getProduct({ id_or_slug: "a/ü?" }));
    expect(isStorefrontError(error) && error).toMatchObject({ code: "resource_not_found", status: 404, param: "id" });
    expect(error).toHaveProperty("request_id", expect.stringMatching(/^req_/));
    expect(error).toHaveProperty("docs_url", expect.stringContaining("#resource_not_found"));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url).toBe("/v1/products/a%2F%C3%BC%3F");
    expect(isStorefrontError({}) || isStorefrontError(null)).toBe(false);
  });

  test("one Idempotency-Key a call, kept over its retries: a lost answer makes no second session", async () => {
    meddle = (request, response, count) => {
      if (count > 2) return false;
      // The request arrives and is done; its answer is lost.
      toNode(shop.storefront)(request, { writeHead() {}, end: () => response.destroy() } as unknown as ServerResponse);
      return true;
    };
    const client = open();
    const first = await client.createCheckoutSession(cart());
    expect(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(seen).toHaveLength(3);
    meddle = null;
    const second = await client.createCheckoutSession(cart());
    expect(second.id).not.toBe(first.id);
    const [one, two] = [
      await client.createCheckoutSession(cart(), { idempotencyKey: "mine" }),
      await client.createCheckoutSession(cart(), { idempotencyKey: "mine" }),
    ];
    expect(one?.id).toBe(two?.id);
  });

  test.each([
    [429, "rate_limit_exceeded"],
    [503, "store_maintenance"],
    [409, "request_in_progress"],
  ])("%i %s is tried again after Retry-After", async (status, code) => {
    const at: number[] = [];
    meddle = (_request, response, count) => {
      at.push(Date.now());
      return count < 2 && refuse(status, code, { "retry-after": "1" })(response);
    };
    expect((await open().getStore()).name).toBe("Store A");
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test("not more often than it was told to, and nothing else is tried again", async () => {
    meddle = (_request, response) => refuse(503, "service_unavailable", { "retry-after": "0" })(response);
    expect(await thrown(open(undefined, { maxRetries: 1 }).getStore())).toMatchObject({ code: "service_unavailable", status: 503 });
    expect(seen).toHaveLength(2);
    seen.length = 0;
    meddle = (_request, response) => refuse(400, "parameter_invalid")(response);
    expect(await thrown(open().getStore())).toMatchObject({ code: "parameter_invalid", retryable: false });
    expect(seen).toHaveLength(1);
  });

  test("no answer, none in time, or somebody else's: a code for each", async () => {
    meddle = (_request, response) => {
      response.destroy();
      return true;
    };
    expect(await thrown(open(undefined, { maxRetries: 0 }).getStore())).toMatchObject({ code: "network_error", status: 0 });
    meddle = () => true;
    expect(await thrown(open(undefined, { maxRetries: 0, timeoutMs: 50 }).getStore())).toMatchObject({ code: "timeout" });
    meddle = (_request, response) => {
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
      return true;
    };
    expect(await thrown(open().getStore())).toMatchObject({ code: "invalid_answer", status: 502 });
  });

  test("an abort ends a call while it runs and while it waits", async () => {
    meddle = () => true;
    const running = new AbortController();
    const call = thrown(open().getStore({}, { signal: running.signal }));
    await expect.poll(() => seen.length).toBe(1);
    running.abort();
    expect(await call).toHaveProperty("name", "AbortError");
    meddle = (_request, response) => refuse(429, "rate_limit_exceeded", { "retry-after": "60" })(response);
    const waiting = new AbortController();
    const paused = thrown(open().getStore({}, { signal: waiting.signal }));
    await expect.poll(() => seen.length).toBe(2);
    waiting.abort();
    expect(await paused).toHaveProperty("name", "AbortError");
    expect(seen).toHaveLength(2);
  });

  test("in a browser the publishable key goes into the query too, and a secret one is refused before anything is sent", async () => {
    vi.stubGlobal("document", {});
    await open(shop.a.test.pub).listProducts({ limit: 1 });
    expect(new URLSearchParams(seen[0]?.url.split("?")[1]).get("key")).toBe(shop.a.test.pub);
    expect(() => open(shop.a.test.sec)).toThrow("must never reach a browser");
    expect(seen).toHaveLength(1);
  });
});
