import { once } from "node:events";
import { Agent, request as httpRequest, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { type Host, hosts, portOf } from "../support/hosts.ts";
import { exchange, open, statusOf } from "../support/raw-http.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";

const close = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  if (server.listening) await once(server.close(), "close");
};

describe.each(hosts)("the API on $name, over sockets", (host: Host) => {
  let shop: Shop;
  let server: Server;
  let port = 0;
  let base = "";
  beforeEach(async () => {
    shop = await createShop(memoryStorage());
    server = await host.start(shop.storefront, "/v1");
    port = portOf(server);
    base = `http://127.0.0.1:${port}/v1`;
  });
  afterEach(async () => {
    await close(server);
    // Whatever a client sends or breaks off, nothing is reported to the host as an error of ours.
    expect(shop.errors).toEqual([]);
  });

  const headers = (more: object = {}) => ({
    authorization: `Bearer ${shop.a.test.pub}`,
    "content-type": "application/json",
    ...more,
  });
  const cart = (changes: object = {}) => ({
    items: [{ product_id: shop.product.id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...changes,
  });
  const order = (changes: object = {}, more: object = {}) =>
    fetch(`${base}/checkout/sessions`, {
      method: "POST",
      headers: headers({ "idempotency-key": "k", ...more }),
      body: JSON.stringify(cart(changes)),
    });
  const validate = (body: string, more: object = {}) =>
    fetch(`${base}/coupons/validate`, { method: "POST", headers: headers(more), body });
  const codeOf = async (response: Response) => [
    response.status,
    (await response.json()).error.code,
  ];
  const head = (method: string, path: string, ...lines: readonly string[]) =>
    `${[`${method} ${path} HTTP/1.1`, "host: x", ...lines].join("\r\n")}\r\n\r\n`;
  const bearer = (key = shop.a.test.pub) => `authorization: Bearer ${key}`;

  test("reads, HEAD, 304, errors and a checkout session", async () => {
    const list = await fetch(`${base}/products?limit=1`, { headers: headers() });
    expect([list.status, (await list.json()).data[0].id]).toEqual([200, shop.product.id]);
    const etag = list.headers.get("etag") ?? "";
    const fresh = await fetch(`${base}/products?limit=1`, {
      headers: headers({ "if-none-match": etag }),
    });
    expect([fresh.status, fresh.headers.get("etag"), await fresh.text()]).toEqual([304, etag, ""]);
    const bare = await fetch(`${base}/products`, { method: "HEAD", headers: headers() });
    expect([bare.status, bare.headers.get("content-type"), await bare.text()]).toEqual([
      200,
      "application/json; charset=utf-8",
      "",
    ]);
    expect(await codeOf(await fetch(`${base}/nothing`, { headers: headers() }))).toEqual([
      404,
      "route_not_found",
    ]);
    expect(
      await codeOf(await fetch(`${base}/orders`, { method: "DELETE", headers: headers() })),
    ).toEqual([405, "method_not_allowed"]);
    const made = await order();
    expect([made.status, (await made.json()).data.amount_total]).toEqual([201, 1000]);
    expect((await order()).headers.get("idempotent-replayed")).toBe("true");
    expect(await codeOf(await order({ metadata: { x: 1 } }))).toEqual([
      409,
      "idempotency_key_reuse",
    ]);
  });

  test("wrong bodies are answered with their 4xx and never hang", async () => {
    expect((await validate("{")).status).toBe(400);
    expect((await validate("")).status).toBe(400);
    expect((await validate('{"code":"\\u0000","items":[]}')).status).toBe(400);
    expect(await codeOf(await validate("{}", { "content-type": "text/plain" }))).toEqual([
      415,
      "unsupported_media_type",
    ]);
    expect(
      await codeOf(await validate("a=1", { "content-type": "application/x-www-form-urlencoded" })),
    ).toEqual([415, "unsupported_media_type"]);
    expect((await validate(JSON.stringify({ code: "x".repeat(70_000) }))).status).toBe(413);
  });

  test("the key is judged before the body: no key is 401, whatever was sent", async () => {
    if (host.parses) return; // there the host judges bodies first
    const strange = [
      "application/json",
      "text/plain",
      "nonsense",
      "a/b; c",
      "multipart/form-data; boundary=x",
    ];
    for (const type of strange)
      expect(
        await codeOf(await validate("{", { authorization: "", "content-type": type })),
        type,
      ).toEqual([401, "missing_api_key"]);
    for (const type of strange.slice(1))
      expect(await codeOf(await validate("{", { "content-type": type })), type).toEqual([
        415,
        "unsupported_media_type",
      ]);
  });

  test("a body in chunks without a length is read, and bounded", async () => {
    const send = (size: number) =>
      fetch(`${base}/coupons/validate`, {
        method: "POST",
        headers: headers(),
        body: new Blob([
          `{"code":"${"x".repeat(size)}","items":[{"product_id":"p","quantity":1}]}`,
        ]).stream(),
        duplex: "half",
      } as RequestInit);
    expect((await send(10)).status).toBe(200);
    expect((await send(host.parses ? 200_000 : 70_000)).status).toBe(413);
  });

  test("413 reaches a client that is still sending, by length and in chunks", async () => {
    if (host.parses) return; // body-parser reads all of it before it refuses
    const post = head(
      "POST",
      "/v1/coupons/validate",
      bearer(),
      "content-type: application/json",
      "transfer-encoding: chunked",
    );
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    expect(
      statusOf(
        await exchange(port, post + chunk.repeat(16), (answer) => answer.includes("\r\n\r\n")),
      ),
    ).toBe(413);
    const long = head(
      "POST",
      "/v1/coupons/validate",
      bearer(),
      "content-type: application/json",
      "content-length: 50000000",
    );
    expect(
      statusOf(
        await exchange(port, long + "x".repeat(200_000), (answer) => answer.includes("\r\n\r\n")),
      ),
    ).toBe(413);
  });

  test.each(["length", "chunks"])(
    "413 reaches a client that sends all of 3 MiB by %s before it reads",
    async (how) => {
      // The host's own parser answers, or whoever holds the unread body.
      if (host.parses || (host.framework === "web" && how === "length")) return;
      const size = 3 * 2 ** 20;
      const lengths = how === "length" ? `content-length: ${size}` : "transfer-encoding: chunked";
      const body =
        how === "length"
          ? "x".repeat(size)
          : `${`10000\r\n${"x".repeat(0x10000)}\r\n`.repeat(size / 0x10000)}0\r\n\r\n`;
      const socket = await open(port);
      socket.write(
        head("POST", "/v1/coupons/validate", bearer(), "content-type: application/json", lengths),
      );
      await new Promise((sent) => socket.write(body, sent));
      socket.write(head("GET", "/v1/store", bearer(), "connection: close"));
      const answer = await text(socket);
      expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        "413",
        "200",
      ]);
    },
  );

  test("304 and 204 have no header about a body, which a cache would store", async () => {
    const etag = (await fetch(`${base}/store`, { headers: headers() })).headers.get("etag");
    const fresh = await exchange(
      port,
      head("GET", "/v1/store", bearer(), `if-none-match: ${etag}`, "connection: close"),
    );
    const asked = [
      "origin: https://shop.example-a.com",
      "access-control-request-method: GET",
      "connection: close",
    ];
    const preflight = await exchange(
      port,
      head("OPTIONS", `/v1/store?key=${shop.a.test.pub}`, ...asked),
    );
    expect([statusOf(fresh), statusOf(preflight)]).toEqual([304, 204]);
    expect(fresh + preflight).not.toMatch(/content-(length|type):/i);
  });

  test("after a request that breaks off in its body the server goes on", async () => {
    for (const length of ["content-length: 100", "transfer-encoding: chunked"]) {
      const socket = await open(port);
      socket.write(
        head("POST", "/v1/coupons/validate", bearer(), "content-type: application/json", length),
      );
      socket.write(length.includes("chunked") ? '7\r\n{"code"\r\n' : '{"code"');
      await new Promise((done) => setTimeout(done, 50));
      socket.destroy();
    }
    await new Promise((done) => setTimeout(done, 50));
    expect((await fetch(`${base}/store`, { headers: headers() })).status).toBe(200);
  });

  test("one connection carries many requests, refused bodies and HEAD among them", async () => {
    let connections = 0;
    server.on("connection", () => {
      connections += 1;
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = (method: string, path: string, more: object, body = "") =>
      new Promise<number>((done, reject) => {
        const lengths = body === "" ? {} : { "content-length": body.length };
        const sent = httpRequest(
          `${base}${path}`,
          { method, agent, headers: headers({ ...lengths, ...more }) },
          (answer) => {
            answer.resume().once("end", () => done(answer.statusCode ?? 0));
          },
        );
        sent.once("error", reject).end(body);
      });
    for (let round = 0; round < 10; round += 1) {
      expect(await call("GET", "/products", {})).toBe(200);
      expect(await call("HEAD", "/products", {})).toBe(200);
      expect(await call("POST", "/coupons/validate", { authorization: "Bearer x" }, "{}")).toBe(
        401,
      );
      expect(await call("GET", "/nothing", {})).toBe(404);
      expect(await call("POST", "/checkout/sessions", { "idempotency-key": "" }, "{}")).toBe(400);
    }
    agent.destroy();
    expect(connections).toBe(1);
  });

  test("TRACE and CONNECT are refused; other methods are 405 where they get through", async () => {
    const trace = await exchange(port, head("TRACE", "/v1/store", bearer(), "connection: close"));
    expect(statusOf(trace)).toBe(405);
    if (host.framework !== "web") expect(trace).toContain("method_not_allowed");
    const purge = statusOf(
      await exchange(port, head("PURGE", "/v1/store", bearer(), "connection: close")),
    );
    // Fastify routes no method that the host has not added.
    expect(purge).toBe(host.framework === "fastify" ? 404 : 405);
    expect(await exchange(port, head("CONNECT", "/v1/store", bearer(), "connection: close"))).toBe(
      "",
    );
  });

  test("two Authorization headers are refused, although Node keeps only the first", async () => {
    const answer = await exchange(
      port,
      head("GET", "/v1/store", bearer(), `A${bearer().slice(1)}`, "connection: close"),
    );
    expect([statusOf(answer), answer.includes("invalid_api_key")]).toEqual([401, true]);
  });

  test("other headers given twice are read as one list", async () => {
    const etag = (await fetch(`${base}/store`, { headers: headers() })).headers.get("etag");
    const answer = await exchange(
      port,
      head(
        "GET",
        "/v1/store",
        bearer(),
        'if-none-match: "a"',
        `If-None-Match: ${etag}`,
        "connection: close",
      ),
    );
    expect(statusOf(answer)).toBe(304);
  });

  test("escapes in a path reach no other route, and ids are read whole", async () => {
    const ask = async (path: string) =>
      statusOf(
        await exchange(port, head("GET", path, bearer(shop.a.test.sec), "connection: close")),
      );
    for (const path of [
      "/v1/orders/..%2fstore",
      "/v1/orders/%2e%2e%2fstore",
      "/v1/orders/ord%2f..",
      `/v1/products/${"a".repeat(255)}`,
    ])
      expect(await ask(path), path).toBe(404);
    expect(await ask(`/v1/products/${shop.product.id.replace("_", "%5F")}`)).toBe(200);
    expect(await ask("/v1/products/%E9")).toBe(400);
    expect(await ask("/v1/products/%zz")).toBe(400);
    expect(await ask("//v1/store")).toBe(404);
    expect(await ask("/V1/store")).toBe(404);
  });

  test("any other path goes on to the host, whose parsers work as before", async () => {
    const own = await fetch(`http://127.0.0.1:${port}/own`);
    if (host.framework === "node" || (host.framework === "web" && host.name !== "Hono"))
      return void expect(own.status).toBe(404);
    expect(await own.json()).toEqual({ host: true });
    if (/raw\(\)|text\(\)/.test(host.name)) return; // there the host itself has taken every body
    const body = JSON.stringify({ a: 1, __: "ü" });
    const echo = await fetch(`http://127.0.0.1:${port}/own`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(await echo.json()).toEqual({ body: { a: 1, __: "ü" } });
  });

  test("a forwarded host header changes nothing", async () => {
    const forged = {
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
      "x-forwarded-prefix": "/evil",
      forwarded: "host=evil.example",
    };
    const made = await order({}, forged);
    expect(JSON.stringify([await made.json(), [...made.headers]])).not.toContain("evil");
    expect(
      await (await fetch(`${base}/nothing`, { headers: headers(forged) })).text(),
    ).not.toContain("evil");
  });

  test("browsers are answered with CORS headers, preflight included", async () => {
    const browser = { origin: "https://shop.example-a.com", "sec-fetch-mode": "cors" };
    const preflight = await fetch(`${base}/products?key=${shop.a.test.pub}`, {
      method: "OPTIONS",
      headers: {
        ...browser,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      204,
      browser.origin,
    ]);
    const list = await fetch(`${base}/products?key=${shop.a.test.pub}`, {
      headers: headers(browser),
    });
    expect([list.status, list.headers.get("access-control-allow-origin")]).toEqual([
      200,
      browser.origin,
    ]);
    expect(await codeOf(await fetch(`${base}/products`, { headers: headers(browser) }))).toEqual([
      403,
      "origin_not_allowed",
    ]);
  });
});

describe.each(hosts)("a base path of several segments on $name", (host: Host) => {
  test("is the full public path, however the host mounts it", async () => {
    const shop = await createShop(memoryStorage(), { basePath: "/shop/api/v1" });
    const server = await host.start(shop.storefront, "/shop/api/v1");
    const ask = async (path: string) =>
      (
        await fetch(`http://127.0.0.1:${portOf(server)}${path}`, {
          headers: { authorization: `Bearer ${shop.a.test.pub}` },
        })
      ).status;
    expect([
      await ask("/shop/api/v1/store"),
      await ask("/shop/api/v1"),
      await ask("/v1/store"),
      await ask("/shop/api/v12/store"),
    ]).toEqual([200, 404, 404, 404]);
    await close(server);
  });
});
