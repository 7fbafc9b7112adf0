import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import {
  type Client,
  type ClientOptions,
  createClient,
  isStorefrontError,
  type StorefrontError,
} from "vitrine/client";
import { faults, startFaultyServer } from "../support/faulty-server.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";

let shop: Shop;
let server: Awaited<ReturnType<typeof startFaultyServer>>;
const open = async (
  ...[options]: Parameters<typeof createShop> extends [unknown, ...infer Rest] ? Rest : never
): Promise<void> => {
  shop = await createShop(memoryStorage(), options);
  server = await startFaultyServer(shop.storefront.serve);
};
beforeEach(() => open());
afterEach(() => server.close());

const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: server.baseUrl, key: shop.a.test.pub, ...options });
const cart = () => ({
  items: [{ product_id: shop.product.id, quantity: 1 }],
  success_url: returnUrl,
  cancel_url: returnUrl,
});
const reason = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => expect.fail("It did not fail."),
    (error: unknown) => error,
  );
const failure = async (work: PromiseLike<unknown>): Promise<StorefrontError> => {
  const error = await reason(work);
  if (!isStorefrontError(error)) throw error;
  return error;
};
const took = async (work: PromiseLike<unknown>): Promise<number> => {
  const start = performance.now();
  await work;
  return performance.now() - start;
};

describe("the client tries again, with the same body under the same key, after", () => {
  test.each([
    ["a connection that is reset", faults.reset],
    ["an answer that breaks off", faults.torn],
    ["503 service_unavailable", faults.error(503, "service_unavailable", { "retry-after": "0" })],
    ["429 with Retry-After", faults.error(429, "rate_limit_exceeded", { "retry-after": "0" })],
    ["429 without it", faults.error(429, "rate_limit_exceeded")],
    ["409 request_in_progress", faults.error(409, "request_in_progress", { "retry-after": "0" })],
    ["502 of a proxy", faults.proxy(502)],
    ["504 of a proxy", faults.proxy(504)],
  ])("%s", async (_name, fault) => {
    server.script.push(fault, fault);
    const { data } = await connect().createCheckoutSession({ ...cart(), metadata: { n: 1 } });
    expect(data.status).toBe("open");
    expect(server.seen).toHaveLength(3);
    expect(new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
  });

  test("reads too", async () => {
    server.script.push(faults.reset, faults.proxy(503));
    expect((await connect().listProducts()).data).toHaveLength(1);
  });

  test("each page of a walk", async () => {
    await shop.owner.products.create(shop.a.id, { name: "Second", price: 1, currency: "BRL" });
    const names: string[] = [];
    server.script.push(faults.reset);
    for await (const { name } of connect().listProducts({ limit: 1 })) {
      if (names.push(name) === 1) server.script.push(faults.torn, faults.reset);
    }
    expect(names.sort()).toEqual(["Product A", "Second"]);
    expect(server.seen).toHaveLength(5);
  });
});

test("a session whose answer was lost is given by the retry: one session, one key", async () => {
  server.script.push(faults.lost, faults.lost);
  const { data } = await connect().createCheckoutSession(cart());
  expect(shop.calls.filter((name) => name === "checkout.step")).toHaveLength(1);
  const again = await connect().createCheckoutSession(cart(), {
    idempotencyKey: server.seen[0]?.headers["idempotency-key"] as string,
  });
  expect(again.data.id).toBe(data.id);
});

test("while the first request is still at work the retry waits for it, as request_in_progress says", async () => {
  await server.close();
  let built = 0;
  await open({
    checkout: {
      url: async ({ id }) => {
        built += 1;
        await new Promise((done) => setTimeout(done, 1_500));
        return `https://psp.example.com/${id}`;
      },
    },
  });
  const codes: (string | undefined)[] = [];
  const client = connect({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      codes.push((await response.clone().json()).error?.code);
      return response;
    },
    maxRetries: 6,
  });
  server.script.push(faults.cut);
  const { data } = await client.createCheckoutSession(cart());
  expect(data.checkout_url).toBe(`https://psp.example.com/${data.id}`);
  expect(codes[0]).toBe("request_in_progress");
  expect(codes.at(-1)).toBeUndefined();
  expect(built).toBe(1);
});

test("the limit of 10 sessions a minute: Retry-After is told, and not waited for when it is longer than the timeout", async () => {
  const client = connect({ timeoutMs: 5_000 });
  for (let call = 0; call < 10; call += 1) await client.createCheckoutSession(cart());
  const error = await failure(client.createCheckoutSession(cart()));
  expect(error).toMatchObject({ code: "rate_limit_exceeded", status: 429, retry_after: 60 });
  expect(server.seen).toHaveLength(11);
});

test("Retry-After is honoured", async () => {
  server.script.push(faults.error(429, "rate_limit_exceeded", { "retry-after": "1" }));
  expect(await took(connect().getStore())).toBeGreaterThanOrEqual(990);
});

test("maintenance says to come back in 60 s: told at once", async () => {
  await shop.owner.stores.update(shop.a.id, { maintenance: true });
  expect(await failure(connect().getStore())).toMatchObject({
    code: "store_maintenance",
    status: 503,
    retry_after: 60,
  });
  expect(server.seen).toHaveLength(1);
});

test("what a retry cannot mend is told at once", async () => {
  const client = connect();
  for (const fault of [
    faults.error(500, "internal_error"),
    faults.error(409, "idempotency_key_reuse"),
    faults.error(400, "coupon_invalid"),
  ]) {
    server.script.push(fault);
    const before = server.seen.length;
    await failure(client.createCheckoutSession(cart()));
    expect(server.seen.length - before).toBe(1);
  }
});

test("retries end: 3 by default, as many as asked for, none", async () => {
  const always = async (client: Client, expected: number, options = {}) => {
    server.seen.length = 0;
    server.script.splice(
      0,
      Number.POSITIVE_INFINITY,
      ...Array.from({ length: 20 }, () => faults.reset),
    );
    const error = await failure(client.getStore({}, options));
    expect(error).toMatchObject({ code: "connection_error", status: 0, request_id: null });
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(server.seen).toHaveLength(expected);
  };
  await always(connect(), 4);
  await always(connect({ maxRetries: 1 }), 2);
  await always(connect({ maxRetries: 1 }), 1, { maxRetries: 0 });
});

test("an answer that is not the API's is invalid_response, with its status", async () => {
  server.script.push(
    faults.text(200, "<html>Sign in to the Wi-Fi</html>"),
    faults.text(404, "Not found"),
    faults.text(400, '"text"'),
    faults.text(400, "null"),
  );
  for (const status of [200, 404, 400, 400])
    expect(await failure(connect().getStore())).toMatchObject({ code: "invalid_response", status });
  server.script.push(...Array.from({ length: 2 }, () => faults.proxy(502)));
  expect(await failure(connect({ maxRetries: 1 }).getStore())).toMatchObject({
    code: "invalid_response",
    status: 502,
  });
});

test("a redirect is not followed: neither key nor token goes to another host", async () => {
  const other = await startFaultyServer(shop.storefront.serve);
  server.script.push(faults.redirect(`${other.baseUrl}/customers/me/orders`));
  const error = await failure(connect({ customerToken: "secret" }).listMyOrders());
  expect(error).toMatchObject({ code: "invalid_response", status: 307 });
  expect([server.seen.length, other.seen.length]).toEqual([1, 0]);
  await other.close();
});

describe("timeouts", () => {
  test("bound each attempt, until the last byte of the body", async () => {
    for (const fault of [faults.silence, faults.stall]) {
      server.seen.length = 0;
      server.script.push(fault, fault);
      expect(await failure(connect({ timeoutMs: 150, maxRetries: 1 }).getStore())).toMatchObject({
        code: "timeout",
        status: 0,
      });
      expect(server.seen).toHaveLength(2);
    }
  });

  test("one silent attempt does not lose the call", async () => {
    server.script.push(faults.silence);
    expect((await connect({ timeoutMs: 1_500 }).createCheckoutSession(cart())).data.status).toBe(
      "open",
    );
  });

  test.each([
    ["timeoutMs", 0],
    ["timeoutMs", Number.POSITIVE_INFINITY],
    ["timeoutMs", Number.NaN],
    ["maxRetries", -1],
    ["maxRetries", Number.NaN],
  ])("%s %d is refused by name", async (name, value) => {
    const error = await reason(connect({ [name]: value }).getStore());
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(`\`${name}\``);
    expect(server.seen).toEqual([]);
  });
});

describe("a signal ends the call with its own reason", () => {
  test("before it began", async () => {
    const error = await reason(connect().getStore({}, { signal: AbortSignal.abort() }));
    expect((error as DOMException).name).toBe("AbortError");
    expect(server.seen).toEqual([]);
  });

  test.each([
    ["while the answer is awaited", faults.silence],
    ["while its body is read", faults.stall],
    [
      "while a retry is waited for",
      faults.error(503, "service_unavailable", { "retry-after": "20" }),
    ],
  ])("%s", async (_name, fault) => {
    server.script.push(fault);
    const control = new AbortController();
    const work = connect().createCheckoutSession(cart(), { signal: control.signal });
    const ended = reason(work);
    await expect.poll(() => server.seen.length).toBe(1);
    await new Promise((done) => setTimeout(done, 100));
    const left = new Error("The buyer left the page.");
    control.abort(left);
    expect(await ended).toBe(left);
    expect(server.seen).toHaveLength(1);
  });

  test("between the pages of a walk", async () => {
    await shop.owner.products.create(shop.a.id, { name: "Second", price: 1, currency: "BRL" });
    const control = new AbortController();
    const walk = async () => {
      for await (const _product of connect().listProducts({ limit: 1 }, { signal: control.signal }))
        control.abort(new Error("Enough."));
    };
    expect(String(await reason(walk()))).toBe("Error: Enough.");
    expect(server.seen).toHaveLength(1);
  });
});
