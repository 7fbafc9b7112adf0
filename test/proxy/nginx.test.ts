import { once } from "node:events";
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type Server,
} from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNext } from "vitrine/next";
import { toNode } from "vitrine/node";
import { express, listening, onExpress, onFastify, portOf } from "../support/hosts.ts";
import { type Nginx, startNginx } from "../support/nginx.ts";
import { exchange, open, statusOf } from "../support/raw-http.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { serveWeb } from "../support/web-bridge.ts";

type Start = (shop: Shop) => Promise<Server>;
const realIp = (headers: IncomingHttpHeaders): string => String(headers["x-real-ip"]);

/** Each host with the setting by which it trusts one proxy in front of it. */
const hosts: readonly (readonly [string, Start])[] = [
  [
    "node:http",
    ({ storefront }) =>
      listening(
        createServer((req, res) =>
          toNode(storefront)(Object.assign(req, { ip: realIp(req.headers) }), res),
        ),
      ),
  ],
  ...Object.entries(express).map(([name, make]): readonly [string, Start] => [
    name,
    ({ storefront }) =>
      onExpress(
        make,
        (app) => void app.set("trust proxy", 1).use(make.json(), toExpress(storefront)),
      ),
  ]),
  [
    "Fastify 5",
    ({ storefront }) =>
      onFastify((app) => void app.register(toFastify(storefront), { prefix: "/v1" }), {
        trustProxy: "127.0.0.1",
      }),
  ],
  [
    "Next.js route handlers",
    ({ storefront }) => {
      const { GET, HEAD, POST } = toNext(storefront, { ip: "x-real-ip" });
      return listening(
        serveWeb((request) =>
          (request.method === "POST" ? POST : request.method === "HEAD" ? HEAD : GET)(request),
        ),
      );
    },
  ],
];

describe.each(hosts)("%s behind nginx", (_name, start) => {
  let shop: Shop;
  let server: Server;
  let nginx: Nginx;
  beforeEach(async () => {
    shop = await createShop(memoryStorage());
    server = await start(shop);
    nginx = await startNginx(portOf(server));
  });
  afterEach(async () => {
    await nginx?.stop();
    server.closeAllConnections();
    await once(server.close(), "close");
    expect(shop.errors).toEqual([]);
  });

  const base = (prefix = "") => `http://127.0.0.1:${nginx.port}${prefix}/v1`;
  const headers = (more: object = {}) => ({
    authorization: `Bearer ${shop.a.test.pub}`,
    "content-type": "application/json",
    ...more,
  });
  /** From an address of this machine's own: nginx sees several clients. */
  const call = (method: string, path: string, more: object = {}, body = "", options: object = {}) =>
    new Promise<{
      readonly status: number;
      readonly text: string;
      readonly headers: IncomingHttpHeaders;
    }>((done, reject) => {
      const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) };
      const sent = httpRequest(
        base() + path,
        { method, headers: headers({ ...length, ...more }), ...options },
        async (answer) => {
          let text = "";
          for await (const chunk of answer) text += chunk;
          done({ status: answer.statusCode ?? 0, text, headers: answer.headers });
        },
      );
      sent.once("error", reject).end(body);
    });

  test("the checkout limit counts the address that nginx saw, not what the client wrote (L04)", async () => {
    const cart = JSON.stringify({
      items: [{ product_id: shop.product.id, quantity: 1 }],
      success_url: returnUrl,
      cancel_url: returnUrl,
    });
    const buy = async (localAddress: string, index: number) => {
      const forged = {
        "x-forwarded-for": `10.0.0.${index}`,
        "x-real-ip": `10.0.1.${index}`,
        "idempotency-key": `k${index}`,
      };
      return (await call("POST", "/checkout/sessions", forged, cart, { localAddress })).status;
    };
    const answers: number[] = [];
    for (let index = 0; index < 11; index += 1) answers.push(await buy("127.0.0.2", index));
    expect(answers).toEqual([...Array(10).fill(201), 429]);
    expect(await buy("127.0.0.3", 99)).toBe(201);
  });

  test("HEAD, 304 and errors come through as they are, over few connections", async () => {
    let connections = 0;
    server.on("connection", () => {
      connections += 1;
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { headers: first } = await call("GET", "/products", {}, "", { agent });
    for (let round = 0; round < 10; round += 1) {
      const head = await call("HEAD", "/products", {}, "", { agent });
      expect([
        head.status,
        head.text,
        head.headers["etag"],
        Number(head.headers["content-length"]) > 100,
      ]).toEqual([200, "", first["etag"], true]);
      expect(
        (await call("GET", "/products", { "if-none-match": first["etag"] }, "", { agent })).status,
      ).toBe(304);
      const wrong = await call(
        "POST",
        "/coupons/validate",
        { authorization: "Bearer x" },
        '{"code":"X"}',
        { agent },
      );
      expect([wrong.status, JSON.parse(wrong.text).error.code]).toEqual([401, "invalid_api_key"]);
    }
    agent.destroy();
    expect(connections).toBeLessThanOrEqual(5);
  });

  test("big bodies: 413 is ours up to what nginx lets in, and also when it passes them on as they come", async () => {
    const body = JSON.stringify({ code: "x".repeat(70_000) });
    const ours = await call("POST", "/coupons/validate", {}, body);
    expect([ours.status, ours.text.includes("request_too_large")]).toEqual([413, true]);
    expect(
      (
        await call("POST", "/coupons/validate", {}, "x".repeat(2_000_000)).catch(() => ({
          status: 413,
        }))
      ).status,
    ).toBe(413);
    const streamed = await fetch(`${base("/streamed")}/coupons/validate`, {
      method: "POST",
      headers: headers(),
      body,
    });
    expect(streamed.status).toBe(413);
    for (const prefix of ["", "/streamed"]) {
      const chunks = new Blob(['{"code":"X","items":[{"product_id":"p","quantity":1}]}']).stream();
      const init = {
        method: "POST",
        headers: headers(),
        body: chunks,
        duplex: "half",
      } as RequestInit;
      expect((await fetch(`${base(prefix)}/coupons/validate`, init)).status).toBe(200);
    }
  });

  test("a client that goes away in its body leaves nginx and the host well", async () => {
    for (const prefix of ["", "/streamed"]) {
      const socket = await open(nginx.port);
      socket.write(
        `POST ${prefix}/v1/coupons/validate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.a.test.pub}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"code"`,
      );
      await new Promise((done) => setTimeout(done, 50));
      socket.destroy();
    }
    expect((await call("GET", "/store")).status).toBe(200);
  });

  test("a prefix that nginx cuts off, and escapes that it passes on", async () => {
    expect((await fetch(`${base("/cut")}/store`, { headers: headers() })).status).toBe(200);
    const raw = (path: string) =>
      exchange(
        nginx.port,
        `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.a.test.sec}\r\nconnection: close\r\n\r\n`,
      );
    expect(statusOf(await raw("/v1/orders/ord%2f.."))).toBe(404);
    expect(statusOf(await raw(`/v1/products/${shop.product.id.replace("_", "%5F")}`))).toBe(200);
  });
});
