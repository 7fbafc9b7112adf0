import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer, request as httpsRequest } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import type { GatewayMessage } from "vitrine/gateway";
import { toNode } from "vitrine/node";
import {
  express,
  type Host,
  hosts,
  listening,
  onExpress,
  onFastify,
  portOf,
} from "../support/hosts.ts";
import { exchange, open, statusOf } from "../support/raw-http.ts";
import { createShop, type Shop } from "../support/shop.ts";

const path = "/notifications/gateways/bank/test";
/** A parser that read these bytes as JSON and wrote them again would change them. */
const exact = '{ "b":1.0,\n\t"a" : "\\u00fc ü" , "a": 2 }\n';
const json = { "content-type": "application/json" };

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Opens a shop whose gateway `bank` keeps each message that it gets. */
async function openShop() {
  const messages: GatewayMessage[] = [];
  const bank = {
    ...sandboxGateway(),
    id: "bank",
    parseNotification: async (message: GatewayMessage) => {
      messages.push(message);
      return [];
    },
  };
  const shop = await createShop(memoryStorage(), { gateways: [bank] });
  const texts = () => messages.map(({ body }) => new TextDecoder().decode(body));
  return { shop, messages, texts };
}

async function serve(starting: ReturnType<Host["start"]>): Promise<string> {
  const server = await starting;
  cleanups.push(async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  });
  return `http://127.0.0.1:${portOf(server)}`;
}

const post = async (url: string, body: BodyInit, headers: Record<string, string> = json) => {
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.text();
  return answer.status;
};

const mountOn = (host: Host, shop: Shop) =>
  serve(host.start(shop.storefront.notifications, "/notifications"));

describe.each(hosts)("messages of providers on $name, over sockets", (host) => {
  const losesBytes = host.name.endsWith("behind json()");

  test("reach their gateway byte for byte, or are 500 where a parser has taken the bytes", async () => {
    const { shop, texts } = await openShop();
    const base = await mountOn(host, shop);

    const statuses = [
      await post(base + path, exact),
      await post(`${base}${path}/pix?hmac=1`, exact),
      await post(base + path, "a=%C3%BC&b=1", { "content-type": "text/plain" }),
    ];
    const form = "a=%C3%BC&b=1";
    if (losesBytes) {
      expect(statuses).toEqual([500, 500, 200]);
      expect(texts()).toEqual([form]);
      expect(String(shop.errors[0])).toContain("before body parsers");
      return;
    }
    expect(statuses).toEqual([200, 200, 200]);
    expect(texts()).toEqual([exact, exact, form]);
    expect(shop.errors).toEqual([]);
  });

  test("have 404, 405 and 413, and any other path is the host's", async () => {
    const { shop, messages } = await openShop();
    const base = await mountOn(host, shop);
    const text = { "content-type": "text/plain" };

    expect(await post(`${base}/notifications/gateways/other/test`, "x", text)).toBe(404);
    expect((await fetch(base + path)).status).toBe(405);
    expect(await post(base + path, "x".repeat(2 ** 20 + 1), text)).toBe(413);
    expect(await post(`${base}/notifications/other`, "x", text)).toBe(404);
    expect(messages).toEqual([]);
  });

  test("go on after one that breaks off", async () => {
    const { shop, messages } = await openShop();
    const base = await mountOn(host, shop);
    const { port } = new URL(base);
    const socket = await open(Number(port));
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half`);
    await new Promise((done) => setTimeout(done, 30));
    socket.destroy();

    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n`;
    expect(statusOf(await exchange(Number(port), `${head}{}`))).toBe(200);
    expect(messages).toHaveLength(1);
    expect(shop.errors).toEqual([]);
  });
});

test("bytes that are no text arrive as they were sent", async () => {
  const { shop, messages } = await openShop();
  const base = await serve(listening(createHttp(toNode(shop.storefront.notifications))));
  const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
  expect(await post(base + path, bytes, {})).toBe(200);
  expect(messages.map(({ body }) => [...body])).toEqual([[...bytes]]);
});

test("the API and its providers' messages stand side by side, in either order", async () => {
  const { shop, texts } = await openShop();
  const { storefront } = shop;
  const bases = [
    await serve(
      onExpress(express["Express 5"], (app) => {
        app.use(toExpress(storefront.notifications), express["Express 5"].json());
        app.use(toExpress(storefront));
      }),
    ),
    await serve(
      onFastify((app) => {
        void app.register(toFastify(storefront), { prefix: "/v1" });
        void app.register(toFastify(storefront.notifications), { prefix: "/notifications" });
      }),
    ),
  ];
  for (const base of bases) {
    expect(await post(base + path, exact)).toBe(200);
    const authorization = `Bearer ${shop.a.test.pub}`;
    expect((await fetch(`${base}/v1/store`, { headers: { authorization } })).status).toBe(200);
  }
  expect(texts()).toEqual([exact, exact]);
});

test("a Request whose body was read before is 500, and nothing is applied", async () => {
  const { shop, messages } = await openShop();
  const request = new Request(`https://api.example.com${path}`, { method: "POST", body: exact });
  await request.clone().text();
  const unread = await shop.storefront.notifications.handler(request.clone());
  await request.text();
  const read = await shop.storefront.notifications.handler(request);
  expect([unread.status, read.status, messages.length]).toEqual([200, 500, 1]);
});

test("the gateway reads the provider's certificate from the host's own request", async () => {
  const pem = (name: string) =>
    readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
  const identity = { key: pem("good.key"), cert: pem("good.pem") };
  const names: unknown[] = [];
  const bank = {
    ...sandboxGateway(),
    id: "bank",
    async parseNotification({ native }: GatewayMessage) {
      const { socket } = native as { readonly socket: TLSSocket };
      if (!socket.authorized) throw new Error("The bank showed no certificate that is trusted.");
      names.push(socket.getPeerCertificate().subject.CN);
      return [];
    },
  };
  const shop = await createShop(memoryStorage(), { gateways: [bank] });
  const options = { ...identity, ca: pem("ca.pem"), requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, toNode(shop.storefront.notifications));
  cleanups.push(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");

  const call = async (client: { key?: string; cert?: string }) => {
    const { port } = server.address() as { port: number };
    const servername = "hooks.merchant-example.com";
    const to = { host: "127.0.0.1", port, path, method: "POST", servername, ca: pem("ca.pem") };
    const sent = httpsRequest({ ...to, ...client, agent: false });
    const answered = once(sent, "response");
    sent.end("{}");
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  };
  expect(await call(identity)).toBe(200);
  expect(await call({})).toBe(400);
  expect(await call({ key: pem("self.key"), cert: pem("self.pem") })).toBe(400);
  expect(names).toEqual(["hooks.merchant-example.com"]);
});
