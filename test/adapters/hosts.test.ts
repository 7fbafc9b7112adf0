import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import express5 from "express";
// @ts-expect-error: Express 4 under an alias brings no types; what is used of it is the same as in 5.
import express4 from "express4";
import Fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNext } from "vitrine/next";
import { toNode } from "vitrine/node";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { webHost } from "../support/web-host.ts";

type Express = typeof express5;
type Listener = (req: IncomingMessage, res: ServerResponse) => void;
type Mount = (shop: Shop) => Listener | Promise<Listener>;

const onExpress =
  (express: Express, prepare: (app: ReturnType<Express>, storefront: Shop["storefront"]) => void): Mount =>
  (shop) => {
    const app = express();
    prepare(app, shop.storefront);
    app.get("/own", (_req, res) => void res.json({ host: true }));
    app.post("/own", express.json(), (req, res) => void res.json({ body: req.body }));
    return app;
  };

const onFastify =
  (prepare: (app: FastifyInstance, storefront: Shop["storefront"]) => void): Mount =>
  async (shop) => {
    const app = Fastify();
    prepare(app, shop.storefront);
    app.get("/own", async () => ({ host: true }));
    app.post("/own", async (request) => ({ body: request.body }));
    await app.ready();
    return (req, res) => app.routing(req, res);
  };

/** Next's file router: the handler of the method, below the folder it stands in. */
const onNext: Mount = (shop) => {
  const handlers = toNext(shop.storefront, { ip: "x-real-ip" });
  return webHost((request) => {
    if (!new URL(request.url).pathname.startsWith("/v1/")) return ownRoute(request);
    const handle = handlers[request.method as keyof typeof handlers];
    return handle ? handle(request) : new Response(null, { status: 405 });
  });
};

const onHono: Mount = (shop) => {
  const app = new Hono();
  app.all("/v1/*", (context) => shop.storefront.handler(context.req.raw));
  app.all("/own", (context) => ownRoute(context.req.raw));
  return webHost((request) => app.fetch(request));
};

const ownRoute = async (request: Request): Promise<Response> =>
  Response.json(request.method === "POST" ? { body: await request.json() } : { host: true });

const versions: readonly (readonly [string, Express])[] = [
  ["Express 5", express5],
  ["Express 4", express4 as unknown as Express],
];
const hosts: readonly (readonly [string, Mount])[] = [
  ["node:http", (shop) => (req, res) => toNode(shop.storefront)(req, res, () => void res.writeHead(404).end())],
  ["Fastify, bare", onFastify((app, storefront) => void app.register(toFastify(storefront)))],
  ["Fastify, registered under a prefix", onFastify((app, storefront) => void app.register(toFastify(storefront), { prefix: "/v1" }))],
  [
    "Fastify, behind a parser of the host's",
    onFastify((app, storefront) => {
      app.addContentTypeParser("text/plain", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
      app.register(toFastify(storefront));
    }),
  ],
  ["Next.js route handlers", onNext],
  ["Hono, handler(Request)", onHono],
  ...versions.flatMap(([name, express]): (readonly [string, Mount])[] => [
    [`${name}, bare`, onExpress(express, (app, storefront) => void app.use(toExpress(storefront)))],
    [`${name}, behind express.json()`, onExpress(express, (app, storefront) => void app.use(express.json(), toExpress(storefront)))],
    [
      `${name}, behind express.raw()`,
      onExpress(express, (app, storefront) => void app.use(express.raw({ type: "*/*" }), toExpress(storefront))),
    ],
    [
      `${name}, behind express.json() that keeps rawBody`,
      onExpress(
        express,
        (app, storefront) =>
          void app.use(
            express.json({
              verify: (req, _res, buffer) => {
                Object.assign(req, { rawBody: buffer });
              },
            }),
            toExpress(storefront),
          ),
      ),
    ],
    [`${name}, mounted under a prefix`, onExpress(express, (app, storefront) => void app.use("/v1", toExpress(storefront)))],
  ]),
];

describe.each(hosts)("the API on %s, over sockets", (name, mount) => {
  let shop: Shop;
  let server: Server;
  let base = "";
  beforeAll(async () => {
    server = createServer((req, res) => handler(req, res));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  let handler: Listener;
  beforeEach(async () => {
    shop = await createShop(memoryStorage());
    handler = await mount(shop);
  });
  afterAll(() => void server.close());

  const headers = (key = shop.a.test.pub) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });
  const order = (changes: object = {}) =>
    fetch(`${base}/v1/checkout/sessions`, {
      method: "POST",
      headers: { ...headers(), "idempotency-key": "k" },
      body: JSON.stringify({
        items: [{ product_id: shop.product.id, quantity: 1 }],
        success_url: returnUrl,
        cancel_url: returnUrl,
        ...changes,
      }),
    });

  test("reads, HEAD, 304, errors and a checkout session", async () => {
    const list = await fetch(`${base}/v1/products?limit=1`, { headers: headers() });
    expect([list.status, (await list.json()).data[0].id]).toEqual([200, shop.product.id]);
    const etag = list.headers.get("etag") ?? "";
    expect((await fetch(`${base}/v1/products?limit=1`, { headers: { ...headers(), "if-none-match": etag } })).status).toBe(304);
    const head = await fetch(`${base}/v1/products`, { method: "HEAD", headers: headers() });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await fetch(`${base}/v1/nothing`, { headers: headers() })).status).toBe(404);
    const made = await order();
    expect([made.status, (await made.json()).data.amount_total]).toEqual([201, 1000]);
    expect((await order()).headers.get("idempotent-replayed")).toBe("true");
    expect((await order({ x: 1 })).status).toBe(409);
  });

  test("wrong bodies get their 4xx and never hang", async () => {
    const send = (body: string, more = {}) =>
      fetch(`${base}/v1/coupons/validate`, { method: "POST", headers: { ...headers(), ...more }, body });
    expect((await send("{")).status).toBe(400);
    expect((await send('{"code":"\\u0000","items":[]}')).status).toBe(400);
    expect((await send("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await send(JSON.stringify({ code: "x".repeat(70_000) }))).status).toBe(413);
  });

  test("a body that comes in chunks without a length is bounded too", async () => {
    const stream = (size: number) =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`{"code":"${"x".repeat(size)}","items":[{"product_id":"p","quantity":1}]}`));
          controller.close();
        },
      });
    const send = (size: number) =>
      fetch(`${base}/v1/coupons/validate`, { method: "POST", headers: headers(), body: stream(size), duplex: "half" } as RequestInit);
    expect((await send(10)).status).toBe(200);
    if (name !== "node:http" && /json\(\)|raw/.test(name)) return; // the host's own parser bounds it at 100 KB
    expect((await send(70_000)).status).toBe(413);
  });

  test("a request cut off in its body leaves the server well", async () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `POST /v1/coupons/validate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.a.test.pub}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"code"`,
    );
    await new Promise((done) => setTimeout(done, 50));
    socket.destroy();
    expect((await fetch(`${base}/v1/store`, { headers: headers() })).status).toBe(200);
  });

  test("what is not ours goes on to the host, its parsers untouched", async () => {
    const own = await fetch(`${base}/own`);
    if (name === "node:http") return void expect(own.status).toBe(404);
    expect(await own.json()).toEqual({ host: true });
    if (name.includes("raw")) return; // there the host itself has taken every body as bytes
    const echo = await fetch(`${base}/own`, { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' });
    expect(await echo.json()).toEqual({ body: { a: 1 } });
  });

  test("two Authorization headers are no key, whatever Node keeps of them (K06)", async () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const { pub } = shop.a.test;
    socket.write(
      `GET /v1/store HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${pub}\r\nAuthorization: Bearer ${pub}\r\nconnection: close\r\n\r\n`,
    );
    const [answer] = await once(socket, "data");
    expect(String(answer)).toContain("invalid_api_key");
    socket.destroy();
  });

  test("escapes in a raw path stay where they are (T21)", async () => {
    const raw = (path: string) =>
      new Promise<string>((done) => {
        const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () =>
          socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.a.test.sec}\r\nconnection: close\r\n\r\n`),
        );
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk;
        });
        socket.on("close", () => done(text.split(" ")[1] ?? ""));
      });
    // A host that makes a Request has resolved dot segments before anybody sees them, as its URL standard says.
    const dots = /Next|Hono/.test(name) ? [] : ["/v1/orders/%2e%2e/store"];
    for (const path of ["/v1/orders/..%2fstore", "/v1/orders/ord%2f..", ...dots]) expect(await raw(path)).toBe("404");
  });
});

describe.each(hosts)("what every host must leave alone, on %s", (name, mount) => {
  test("keep-alive over many requests, TRACE, and an answer for each on one socket", async () => {
    const shop = await createShop(memoryStorage());
    const handler = await mount(shop);
    const server = createServer((req, res) => handler(req, res)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    const head = `host: x\r\nauthorization: Bearer ${shop.a.test.pub}\r\n`;
    const count = (what: RegExp) => text.match(what)?.length ?? 0;
    for (let at = 1; at <= 20; at++) {
      socket.write(`GET /v1/store HTTP/1.1\r\n${head}\r\n`);
      await expect.poll(() => count(/HTTP\/1\.1 200/g)).toBe(at);
    }
    if (!/Next|Hono/.test(name)) {
      socket.write(`TRACE /v1/store HTTP/1.1\r\n${head}\r\n`);
      await expect.poll(() => count(/HTTP\/1\.1 405/g)).toBe(1);
      expect(text).toMatch(/allow: GET, HEAD/i);
    }
    socket.destroy();
    server.close();
  });

  test("no global is patched and no signal or timer taken", async () => {
    const before = [
      globalThis.fetch,
      globalThis.Response,
      JSON.parse,
      process.listenerCount("SIGTERM"),
      process.getActiveResourcesInfo().length,
    ];
    await mount(await createShop(memoryStorage()));
    expect([globalThis.fetch, globalThis.Response, JSON.parse, process.listenerCount("SIGTERM")]).toEqual(before.slice(0, 4));
    expect(process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length).toBeLessThanOrEqual(Number(before[4]));
  });
});

describe("Fastify and Next.js, the client's address", () => {
  const session = (shop: Shop, index: number, headers: Record<string, string>) => ({
    method: "POST" as const,
    headers: {
      authorization: `Bearer ${shop.a.test.pub}`,
      "content-type": "application/json",
      "idempotency-key": `k${index}`,
      ...headers,
    },
    body: JSON.stringify({ items: [{ product_id: shop.product.id, quantity: 1 }], success_url: returnUrl, cancel_url: returnUrl }),
  });

  test("Fastify's trustProxy rules", async () => {
    const shop = await createShop(memoryStorage());
    const app = Fastify({ trustProxy: "127.0.0.1" });
    app.register(toFastify(shop.storefront));
    const base = await app.listen({ host: "127.0.0.1", port: 0 });
    const call = (forwarded: string, index: number) =>
      fetch(`${base}/v1/checkout/sessions`, session(shop, index, { "x-forwarded-for": forwarded }));
    const answers: number[] = [];
    for (let index = 0; index < 11; index += 1) answers.push((await call(`10.0.0.${index}, 203.0.113.50`, index)).status);
    expect(answers).toEqual([...Array(10).fill(201), 429]);
    expect((await call("203.0.113.51", 99)).status).toBe(201);
    await app.close();
  });

  test("Next's option names the header, a function or one shared bucket; without it the start fails with a sentence", async () => {
    const shop = await createShop(memoryStorage());
    expect(() => toNext(shop.storefront, {} as { ip: string })).toThrow(/ip/);
    const call = (handlers: ReturnType<typeof toNext>, index: number, ip: string) =>
      handlers.POST(new Request("http://host/v1/checkout/sessions", session(shop, index, { "x-real-ip": ip })));
    const byHeader = toNext(shop.storefront, { ip: "x-real-ip" });
    for (let index = 0; index < 10; index += 1) expect((await call(byHeader, index, "203.0.113.7")).status).toBe(201);
    expect((await call(byHeader, 10, "203.0.113.7")).status).toBe(429);
    expect((await call(byHeader, 11, "203.0.113.8")).status).toBe(201);
    const byFunction = toNext(shop.storefront, { ip: (request) => request.headers.get("x-real-ip") ?? undefined });
    expect((await call(byFunction, 12, "203.0.113.7")).status).toBe(429);
    const shared = toNext(shop.storefront, { ip: "shared" });
    for (let index = 20; index < 30; index += 1) await call(shared, index, `203.0.113.${index}`);
    expect((await call(shared, 30, "203.0.113.99")).status).toBe(429);
  });
});

describe("Express, trust proxy", () => {
  test("the limit counts the address that the host trusts, not what a client prepends (L04)", async () => {
    const shop = await createShop(memoryStorage());
    const app = express5();
    app.set("trust proxy", 1);
    app.use(toExpress(shop.storefront));
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const call = (forwarded: string, index: number) =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/checkout/sessions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${shop.a.test.pub}`,
          "content-type": "application/json",
          "idempotency-key": `k${index}`,
          "x-forwarded-for": forwarded,
        },
        body: JSON.stringify({ items: [{ product_id: shop.product.id, quantity: 1 }], success_url: returnUrl, cancel_url: returnUrl }),
      });
    const answers: number[] = [];
    for (let index = 0; index < 11; index += 1) answers.push((await call(`10.0.0.${index}, 203.0.113.50`, index)).status);
    expect(answers).toEqual([...Array(10).fill(201), 429]);
    expect((await call("203.0.113.51", 99)).status).toBe(201);
    server.close();
  });
});
