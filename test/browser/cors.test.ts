import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { WireReply } from "vitrine/node";
import { fromNode, send } from "vitrine/node";
import { launchChromium } from "../support/chromium.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";

interface Wire {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly reply: WireReply;
}

const root = resolve(import.meta.dirname, "../..");
const clientScript =
  buildSync({
    entryPoints: [join(root, "src/client/client.ts")],
    bundle: true,
    format: "esm",
    write: false,
  }).outputFiles[0]?.text ?? "";
const html = "<!doctype html><link rel=icon href=data:,><title>A page</title>";
const clientHtml = `${html}<script type="module">import * as client from "/client.js"; globalThis.vitrine = client;</script>`;
declare global {
  var vitrine: typeof import("vitrine/client");
}

let browser: Browser;
let shop: Shop;
let page: Page;
let base: string;
let wire: Wire[] = [];
let registered: string;
let unregistered: string;
const servers: Server[] = [];

async function listen(listener: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(listener as never);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** A page server of its own origin: a page that has the client, and a worker that uses it. */
const pages = () =>
  listen((req, res) => {
    const script =
      req.url === "/client.js" ? clientScript : req.url === "/worker.js" ? workerScript : null;
    res
      .writeHead(200, { "content-type": script === null ? "text/html" : "text/javascript" })
      .end(script ?? clientHtml);
  });
const workerScript = `
import { createClient } from "./client.js";
onmessage = async ({ data }) => {
  try {
    const client = createClient(data);
    postMessage((await client.listProducts()).data.map(({ name }) => name));
  } catch (error) { postMessage(String(error)); }
};`;

beforeAll(async () => {
  browser = await launchChromium();
  const api = await listen(async (req, res) => {
    const reply = await shop.storefront.serve(fromNode(req));
    if (!reply) return void res.writeHead(200, { "content-type": "text/html" }).end(html);
    wire.push({ method: req.method ?? "", url: req.url ?? "", headers: req.headers, reply });
    send(res, reply);
  });
  base = `http://localhost:${api}/v1`;
  registered = `http://localhost:${await pages()}`;
  unregistered = `http://localhost:${await pages()}`;
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(async () => {
  shop = await createShop(memoryStorage());
  await shop.owner.origins.add(shop.a.id, registered);
  // A context of its own: nothing of another test is in its caches.
  page = await (await browser.newContext()).newPage();
});
afterEach(() => page.context().close());

const visit = async (origin: string): Promise<void> => {
  await page.goto(`${origin}/`);
  wire = [];
};
/** What a script of the page gets to see of a call. */
const call = (path: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const response = await fetch(url, init);
        const text = await response.text();
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: text === "" ? null : JSON.parse(text),
        };
      } catch (error) {
        return `${error}`;
      }
    },
    [`${base}${path}`, init] as const,
  );
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const read = (
  path: string,
  { key = shop.a.test.pub, header = key, ...headers }: Record<string, string> = {},
) =>
  call(`${path}${path.includes("?") ? "&" : "?"}key=${key}`, {
    headers: { ...bearer(header), ...headers },
  });
const hidden = "TypeError: Failed to fetch";
const onWire = () => wire.map(({ method, reply }) => `${method} ${reply.status}`);
const codes = () =>
  wire.map(({ reply }) => JSON.parse(String(reply.body ?? "{}")).error?.code ?? null);
const hasCors = () =>
  wire.some(({ reply }) =>
    Object.keys(reply.headers).some((name) => name.startsWith("access-control-")),
  );

describe("a page on a registered origin", () => {
  beforeEach(() => visit(registered));

  test("with the key parameter reads answers and the exposed headers, after one preflight for many calls", async () => {
    const answer = await read("/products");
    expect(answer).toMatchObject({
      status: 200,
      body: { data: [{ name: "Product A" }], livemode: false },
    });
    expect(answer).toHaveProperty("headers.etag", expect.stringMatching(/^W\//));
    expect(answer).toHaveProperty("headers.x-request-id", expect.stringMatching(/^req_/));
    await read("/products");
    expect(onWire().filter((line) => line.startsWith("OPTIONS"))).toEqual(["OPTIONS 204"]);
    expect(wire[0]?.headers.authorization).toBeUndefined();
    expect(wire[0]?.headers["access-control-request-headers"]).toBe("authorization");
  });

  test("creates a session, with its key and the buyer's token in headers, and reads the limit", async () => {
    const { token } = await shop.storefront.customers.issueToken({
      store_id: shop.a.id,
      livemode: false,
      customer_id: "ana",
    });
    const answer = await call(`/checkout/sessions?key=${shop.a.test.pub}`, {
      method: "POST",
      headers: {
        ...bearer(shop.a.test.pub),
        "content-type": "application/json",
        "idempotency-key": "k1",
        "x-service-customer-token": token,
      },
      body: JSON.stringify({
        items: [{ product_id: shop.product.id, quantity: 1 }],
        success_url: returnUrl,
        cancel_url: returnUrl,
      }),
    });
    expect(answer).toMatchObject({ status: 201, body: { data: { status: "open" } } });
    expect(answer).toHaveProperty("headers.ratelimit-policy", '"checkout";q=10;w=60');
    expect(onWire()).toEqual(["OPTIONS 204", "POST 201"]);
    expect(await read("/customers/me/orders", { "x-service-customer-token": token })).toMatchObject(
      { status: 200, body: { data: [] } },
    );
  });

  test("reads the code of every error, 401 too", async () => {
    expect(await read("/products/none")).toMatchObject({
      status: 404,
      body: { error: { code: "resource_not_found" } },
    });
    expect(await read("/nowhere")).toMatchObject({
      status: 404,
      body: { error: { code: "route_not_found" } },
    });
    expect(await read("/products?limit=0")).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_invalid", param: "limit" } },
    });
    expect(await read("/orders")).toMatchObject({
      status: 403,
      body: { error: { code: "insufficient_scope" } },
    });
    expect(await read("/products", { header: "nonsense" })).toMatchObject({
      status: 401,
      body: { error: { code: "invalid_api_key" } },
    });
    expect(await call(`/products?key=${shop.a.test.pub}`)).toMatchObject({
      status: 401,
      body: { error: { code: "missing_api_key" } },
    });
    expect(await read("/customers/me/orders")).toMatchObject({
      status: 401,
      body: { error: { code: "missing_customer_token" } },
    });
    await shop.owner.stores.update(shop.a.id, { maintenance: true });
    const closed = await read("/products");
    expect(closed).toMatchObject({ status: 503, body: { error: { code: "store_maintenance" } } });
    expect(closed).toHaveProperty("headers.retry-after", "60");
    await shop.owner.stores.update(shop.a.id, { maintenance: false, headless_enabled: false });
    expect(await read("/products")).toMatchObject({
      status: 403,
      body: { error: { code: "headless_disabled" } },
    });
  });

  test("reads 429 and its Retry-After", async () => {
    const validate = () =>
      call(`/coupons/validate?key=${shop.a.test.pub}`, {
        method: "POST",
        headers: { ...bearer(shop.a.test.pub), "content-type": "application/json" },
        body: JSON.stringify({
          code: "SAVE10",
          items: [{ product_id: shop.product.id, quantity: 1 }],
        }),
      });
    for (let turn = 0; turn < 20; turn += 1)
      expect(await validate()).toMatchObject({ status: 200 });
    const answer = await validate();
    expect(answer).toMatchObject({ status: 429, body: { error: { code: "rate_limit_exceeded" } } });
    expect(answer).toHaveProperty("headers.retry-after", "60");
  });

  test("without the key parameter sees no answer: the preflight is 403 without CORS, and the call is never made", async () => {
    expect(await call("/products", { headers: bearer(shop.a.test.pub) })).toBe(hidden);
    expect(onWire()).toEqual(["OPTIONS 403"]);
    expect(codes()).toEqual(["origin_not_allowed"]);
    expect(hasCors()).toBe(false);
  });

  test("with a key that is none sees no answer", async () => {
    expect(await read("/products", { key: "hk_test_pub_nonsense" })).toBe(hidden);
    expect(await read("/products", { key: shop.b.test.pub })).toBe(hidden);
    expect(hasCors()).toBe(false);
    expect(onWire()).toEqual(["OPTIONS 403", "OPTIONS 403"]);
  });

  test("with a secret key as the parameter sees no answer, and the owner is warned", async () => {
    expect(await read("/orders", { key: shop.a.test.sec })).toBe(hidden);
    expect(codes()).toEqual(["secret_key_in_browser"]);
    expect(hasCors()).toBe(false);
    expect(shop.alerts).toEqual(["secret_key_in_browser"]);
  });

  test("with a secret key in the header reads secret_key_in_browser", async () => {
    expect(await read("/orders", { header: shop.a.test.sec })).toMatchObject({
      status: 403,
      body: { error: { code: "secret_key_in_browser" } },
    });
    expect(onWire()).toEqual(["OPTIONS 204", "GET 403"]);
    expect(shop.alerts).toEqual(["secret_key_in_browser"]);
  });

  test("an origin that is removed loses the answers of calls that its cached preflight lets through", async () => {
    expect(await read("/store")).toMatchObject({ status: 200 });
    await shop.owner.origins.remove(shop.a.id, registered);
    wire = [];
    expect(await read("/store")).toBe(hidden);
    expect(codes()).toEqual(["origin_not_allowed"]);
  });
});

test("a page on an origin that is not registered sees no answer, and its call is never made", async () => {
  await visit(unregistered);
  expect(await read("/products")).toBe(hidden);
  expect(onWire()).toEqual(["OPTIONS 403"]);
  expect(codes()).toEqual(["origin_not_allowed"]);
  expect(hasCors()).toBe(false);
});

test("a page of the API's own origin reads that the key parameter is missing: no CORS stands between", async () => {
  await visit(new URL(base).origin);
  const answer = await call("/products", { headers: bearer(shop.a.test.pub) });
  expect(answer).toMatchObject({
    status: 403,
    body: { error: { code: "origin_not_allowed", param: "key" } },
  });
  expect(onWire()).toEqual(["GET 403"]);
  // Same-origin reads carry no Origin, so nothing is to be registered for them.
  expect(await read("/products")).toMatchObject({ status: 200 });
});

describe("the browser's cache", () => {
  beforeEach(() => visit(registered));
  const revalidate = (cache: RequestCache) =>
    call(`/products?key=${shop.a.test.pub}`, {
      cache,
      headers: bearer(shop.a.test.pub),
    }) as Promise<{ status: number; body: object }>;

  test.each(["no-cache", "default"] as const)(
    "revalidates by ETag with cache: %s, 304 on the wire and 200 in the page",
    async (cache) => {
      const first = await revalidate(cache);
      wire = [];
      expect(await revalidate(cache)).toMatchObject({ status: 200, body: first.body });
      const reads = () => onWire().filter((line) => line.startsWith("GET"));
      expect(reads()).toEqual(["GET 304"]);
      expect(wire.at(-1)?.headers["if-none-match"]).toMatch(/^W\//);
      await shop.owner.products.update(shop.a.id, shop.product.id, { name: "Renamed" });
      expect(await revalidate(cache)).toMatchObject({
        status: 200,
        body: { data: [{ name: "Renamed" }] },
      });
      expect(reads()).toEqual(["GET 304", "GET 200"]);
    },
  );

  test("gives one store's answers to nobody who calls with another key", async () => {
    await shop.owner.origins.add(shop.b.id, registered);
    await read("/products");
    expect(await read("/products", { key: shop.b.test.pub })).toMatchObject({
      body: { data: [{ name: "Product B" }] },
    });
  });
});

describe("the client in a page", () => {
  const options = (key = shop.a.test.pub) => ({
    baseUrl: base,
    key,
    product_id: shop.product.id,
    url: returnUrl,
  });

  test("adds the key parameter by itself, walks lists and creates a session", async () => {
    await shop.owner.products.create(shop.a.id, { name: "Product C", price: 1, currency: "BRL" });
    await visit(registered);
    const seen = await page.evaluate(async ({ baseUrl, key, product_id, url }) => {
      const client = vitrine.createClient({ baseUrl, key });
      const names: string[] = [];
      for await (const { name } of client.listProducts({ limit: 1 })) names.push(name);
      const { data } = await client.createCheckoutSession({
        items: [{ product_id, quantity: 2 }],
        success_url: url,
        cancel_url: url,
      });
      return { names, total: data.amount_total };
    }, options());
    expect(seen).toEqual({
      names: expect.arrayContaining(["Product A", "Product C"]),
      total: 2000,
    });
    for (const { url } of wire) expect(url).toContain(`key=${shop.a.test.pub}`);
  });

  test("gives errors with their code, and connection_error where the browser hides the answer", async () => {
    const fail = () =>
      page.evaluate(async ({ baseUrl, key }) => {
        const error = await vitrine
          .createClient({ baseUrl, key, maxRetries: 0 })
          .getProduct({ id_or_slug: "none" })
          .catch((error: unknown) => error);
        return vitrine.isStorefrontError(error)
          ? [error.code, error.status, error.param, error.request_id?.slice(0, 4)]
          : String(error);
      }, options());
    await visit(registered);
    expect(await fail()).toEqual(["resource_not_found", 404, "id", "req_"]);
    await visit(unregistered);
    expect(await fail()).toEqual(["connection_error", 0, null, undefined]);
  });

  test("refuses a secret key before anything is sent", async () => {
    await visit(registered);
    const refusal = await page.evaluate(async ({ baseUrl, key }) => {
      try {
        vitrine.createClient({ baseUrl, key });
        return null;
      } catch (error) {
        return String(error);
      }
    }, options(shop.a.test.sec));
    expect(refusal).toMatch(/^TypeError: `key` is a secret key, and this is a browser/);
    expect(wire).toEqual([]);
  });

  test("works in a worker", async () => {
    await visit(registered);
    const answer = await page.evaluate(
      (options) =>
        new Promise((done) => {
          const worker = new Worker("/worker.js", { type: "module" });
          worker.onmessage = ({ data }) => done(data);
          worker.postMessage(options);
        }),
      { baseUrl: base, key: shop.a.test.pub },
    );
    expect(answer).toEqual(["Product A"]);
    expect(wire.every(({ url }) => url.includes("key="))).toBe(true);
  });
});
