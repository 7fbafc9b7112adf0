import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  IncomingMessage,
  type Server,
  ServerResponse,
} from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toExpress } from "vitrine/express";
import { fastifyAnswer, toFastify } from "vitrine/fastify";
import { toNext } from "vitrine/next";
import { toNode } from "vitrine/node";
import { express, hosts, listening, onExpress, onFastify, portOf } from "../support/hosts.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { serveWeb } from "../support/web-bridge.ts";

const open: Server[] = [];
const keep = async (starting: Promise<Server>): Promise<Server> => {
  const server = await starting;
  open.push(server);
  return server;
};
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  }
});

let shop: Shop;
beforeEach(async () => {
  shop = await createShop(memoryStorage());
});
const headers = (more: object = {}) => ({
  authorization: `Bearer ${shop.a.test.pub}`,
  "content-type": "application/json",
  ...more,
});
const cart = () =>
  JSON.stringify({
    items: [{ product_id: shop.product.id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
  });

/**
 * One hop in front, as nginx or a load balancer stands there: it appends the peer it saw to
 * X-Forwarded-For and sets X-Real-IP.
 */
const reverseProxy = (target: Server, peerOf: (index: number) => string): Promise<Server> => {
  let count = 0;
  return keep(
    listening(
      createServer((req, res) => {
        const peer = peerOf(count++);
        const before = req.headers["x-forwarded-for"];
        const sent = {
          ...req.headers,
          "x-forwarded-for": before ? `${before}, ${peer}` : peer,
          "x-real-ip": peer,
        };
        const onward = httpRequest({
          port: portOf(target),
          host: "127.0.0.1",
          method: req.method,
          path: req.url,
          headers: sent,
        });
        onward.once("response", (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
        });
        req.pipe(onward);
      }),
    ),
  );
};

describe("behind a proxy, the checkout limit counts the address that the host trusts", () => {
  const trusting: readonly (readonly [string, () => Promise<Server>])[] = [
    ...Object.entries(express).map(
      ([name, make]) =>
        [
          `${name} with trust proxy 1`,
          () =>
            onExpress(
              make,
              (app) => void app.set("trust proxy", 1).use(toExpress(shop.storefront)),
            ),
        ] as const,
    ),
    [
      "Fastify with a trusted proxy address",
      () =>
        onFastify((app) => void app.register(toFastify(shop.storefront), { prefix: "/v1" }), {
          trustProxy: "127.0.0.1",
        }),
    ],
    [
      "node:http that names the address itself",
      () =>
        listening(
          createServer((req, res) =>
            toNode(shop.storefront)(
              Object.assign(req, { ip: String(req.headers["x-real-ip"]) }),
              res,
            ),
          ),
        ),
    ],
    ["Next.js with ip: x-real-ip", () => listening(nextServer("x-real-ip"))],
    [
      "Next.js with a function",
      () =>
        listening(
          nextServer((request) => request.headers.get("x-forwarded-for")?.split(", ").at(-1)),
        ),
    ],
    [
      "handler(request, {ip})",
      () =>
        listening(
          serveWeb((request) =>
            shop.storefront.handler(request, { ip: request.headers.get("x-real-ip") ?? "" }),
          ),
        ),
    ],
  ];
  const untrusting: readonly (readonly [string, () => Promise<Server>])[] = [
    ...Object.entries(express).map(
      ([name, make]) =>
        [
          `${name} as it comes`,
          () => onExpress(make, (app) => void app.use(toExpress(shop.storefront))),
        ] as const,
    ),
    [
      "Fastify as it comes",
      () => onFastify((app) => void app.register(toFastify(shop.storefront))),
    ],
    ["node:http as it comes", () => listening(createServer(toNode(shop.storefront)))],
    ["Next.js with ip: shared", () => listening(nextServer("shared"))],
    ["handler(request)", () => listening(serveWeb((request) => shop.storefront.handler(request)))],
  ];
  const nextServer = (ip: Parameters<typeof toNext>[1]["ip"]) => {
    const { POST } = toNext(shop.storefront, { ip });
    return serveWeb(POST);
  };
  const buy = async (proxy: Server, index: number, forwarded: string) => {
    const sent = headers({
      "idempotency-key": `k${index}`,
      "x-forwarded-for": forwarded,
      "x-real-ip": forwarded,
    });
    const answer = await fetch(`http://127.0.0.1:${portOf(proxy)}/v1/checkout/sessions`, {
      method: "POST",
      headers: sent,
      body: cart(),
    });
    return answer.status;
  };

  test.each(trusting)(
    "%s: a forged address changes nothing, and another buyer is not refused",
    async (_name, start) => {
      const proxy = await reverseProxy(await keep(start()), (index) =>
        index < 11 ? "203.0.113.50" : "203.0.113.51",
      );
      const answers: number[] = [];
      for (let index = 0; index < 12; index += 1)
        answers.push(await buy(proxy, index, `10.0.0.${index}`));
      expect(answers).toEqual([...Array(10).fill(201), 429, 201]);
    },
  );

  test.each(untrusting)("%s: no forwarded header counts", async (_name, start) => {
    const proxy = await reverseProxy(await keep(start()), (index) => `203.0.113.${index}`);
    const answers: number[] = [];
    for (let index = 0; index < 11; index += 1)
      answers.push(await buy(proxy, index, `10.0.0.${index}`));
    expect(answers).toEqual([...Array(10).fill(201), 429]);
  });
});

describe("toNext(storefront, {ip})", () => {
  test("refuses options that do not say where the address comes from", () => {
    const wrong = [undefined, {}, { ip: "" }, { ip: "X Real IP" }, { ip: 1 }];
    for (const options of wrong)
      expect(() => toNext(shop.storefront, options as { ip: string })).toThrow(
        /Option ip is required: the header in which your proxy/,
      );
    expect(Object.keys(toNext(shop.storefront, { ip: "X-Real-IP" }))).toEqual([
      "GET",
      "HEAD",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "OPTIONS",
    ]);
  });
});

describe("a wrong storefront is refused when the host starts, not at its first request", () => {
  const wrong = [undefined, null, "storefront", {}, Promise.resolve({})] as never[];

  test.each(Object.entries({ toExpress, toFastify, fastifyAnswer, toNode }))(
    "%s",
    (name, mount) => {
      for (const storefront of wrong)
        expect(() => mount(storefront)).toThrow(`${name} takes what createStorefront`);
    },
  );

  test("toNext", () => {
    for (const storefront of wrong)
      expect(() => toNext(storefront, { ip: "shared" })).toThrow("toNext takes what");
  });
});

describe("an error that is thrown goes to the host's own handler", () => {
  // The storefront and its page answer 503 themselves; a wrapper of the host's own may throw.
  const broken = async () => ({
    page: {
      serve: async ({ target }: { readonly target: string }) => {
        if (target === "/c/broken") throw new Error("The host's own wrapper failed.");
        return null;
      },
    },
    path: "/c/broken",
  });
  const ask = async (server: Server, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${portOf(server)}${path}`);
    return [answer.status, await answer.text()];
  };

  test.each(Object.entries(express))("%s", async (_name, make) => {
    const { page, path } = await broken();
    const [status, text] = await ask(
      await keep(onExpress(make, (app) => void app.use(toExpress(page)))),
      path,
    );
    expect([status, String(text)]).toEqual([500, expect.stringContaining("host_error")]);
  });

  test("Fastify 5", async () => {
    const { page, path } = await broken();
    const [status, text] = await ask(
      await keep(onFastify((app) => void app.register(toFastify(page), { prefix: "/c" }))),
      path,
    );
    expect([status, String(text)]).toEqual([500, expect.stringContaining("host_error")]);
  });

  test("node:http, with and without a next", async () => {
    const { page, path } = await broken();
    expect(await ask(await keep(listening(createServer(toNode(page)))), path)).toEqual([500, ""]);
    const next = await keep(
      listening(
        createServer((req, res) =>
          toNode(page)(req, res, (error) => void res.writeHead(error ? 502 : 404).end("host")),
        ),
      ),
    );
    expect([await ask(next, path), await ask(next, "/else")]).toEqual([
      [502, "host"],
      [404, "host"],
    ]);
  });
});

describe("Fastify 5, its scope", () => {
  test("the host's hooks run around the storefront; its headers and its 404 stay", async () => {
    const seen: string[] = [];
    const server = await keep(
      onFastify((app) => {
        app.setNotFoundHandler((_request, reply) => reply.code(404).send({ host_404: true }));
        app.addHook("onRequest", async (request) => void seen.push(`request ${request.url}`));
        app.addHook("preHandler", async (_request, reply) => void reply.header("x-host", "here"));
        app.addHook(
          "onResponse",
          async (_request, reply) => void seen.push(`response ${reply.statusCode}`),
        );
        void app.register(toFastify(shop.storefront), { prefix: "/v1" });
        void app.register(toFastify(shop.storefront.checkoutPage), { prefix: "/c" });
      }),
    );
    const base = `http://127.0.0.1:${portOf(server)}`;
    const store = await fetch(`${base}/v1/store`, { headers: headers() });
    expect([
      store.status,
      store.headers.get("x-host"),
      store.headers.get("x-request-id")?.slice(0, 4),
    ]).toEqual([200, "here", "req_"]);
    await expect.poll(() => seen).toEqual(["request /v1/store", "response 200"]);
    for (const path of ["/", "/none", "/c/one/two"])
      expect(await (await fetch(base + path)).json()).toEqual({ host_404: true });
    const session = await shop.session();
    const page = await fetch(`${base}${new URL(session.body.data.checkout_url).pathname}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Product A")]);
  });

  test.each(["buffer", "utf8"] as const)(
    "the body is read from a hook that keeps raw bodies (fastify-raw-body, as %s)",
    async (kind) => {
      const server = await keep(
        onFastify((app) => {
          app.addHook("preParsing", (request, _reply, payload, done) => {
            const parts: Buffer[] = [];
            payload.on("data", (part) => parts.push(Buffer.from(part)));
            payload.on("end", () =>
              Object.assign(request, {
                rawBody: kind === "utf8" ? String(Buffer.concat(parts)) : Buffer.concat(parts),
              }),
            );
            done(null, payload);
          });
          void app.register(toFastify(shop.storefront), { prefix: "/v1" });
        }),
      );
      const base = `http://127.0.0.1:${portOf(server)}/v1`;
      const sent = { method: "POST", headers: headers({ "idempotency-key": "raw" }), body: cart() };
      expect((await fetch(`${base}/checkout/sessions`, sent)).status).toBe(201);
      const large = await fetch(`${base}/coupons/validate`, {
        method: "POST",
        headers: headers(),
        body: "x".repeat(70_000),
      });
      expect([large.status, (await large.json()).error.code]).toEqual([413, "request_too_large"]);
    },
  );

  test("the form of the checkout page can be sent", async () => {
    const server = await keep(
      onFastify(
        (app) => void app.register(toFastify(shop.storefront.checkoutPage), { prefix: "/c" }),
      ),
    );
    const session = await shop.session();
    const answer = await fetch(
      `http://127.0.0.1:${portOf(server)}${new URL(session.body.data.checkout_url).pathname}`,
      {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "same-origin",
        },
        body: new URLSearchParams({
          action: "pay",
          payment_method_id: shop.a.method_id,
          name: "Ana",
          email: "ana@example.com",
        }),
        redirect: "manual",
      },
    );
    expect([answer.status, answer.headers.get("location")]).toEqual([303, returnUrl]);
  });
});

test("nothing global is changed: no patch, no signal handler, no timer", async () => {
  const state = () => ({
    globals: Object.getOwnPropertyNames(globalThis).sort(),
    web: [globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.fetch],
    prototypes: [IncomingMessage.prototype, ServerResponse.prototype].map((prototype) =>
      Object.getOwnPropertyDescriptors(prototype),
    ),
    listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
    timers: process
      .getActiveResourcesInfo()
      .filter((kind) => kind === "Timeout" || kind === "Immediate" || kind === "SignalWrap").length,
  });
  const serveOnce = async () => {
    for (const host of hosts) {
      const server = await host.start(shop.storefront, "/v1");
      const agentless = { headers: headers({ connection: "close" }) };
      expect(
        (await fetch(`http://127.0.0.1:${portOf(server)}/v1/store`, agentless)).status,
        host.name,
      ).toBe(200);
      server.closeAllConnections();
      await once(server.close(), "close");
    }
  };
  await serveOnce(); // the frameworks load their own parts on first use
  const before = state();
  await serveOnce();
  // Not expect.poll: its own timers would be counted. Fewer than before: what ran for others has
  // ended.
  for (let turn = 0; turn < 100 && state().timers > before.timers; turn += 1) await pause(20);
  const after = state();
  expect({ ...after, timers: 0 }).toEqual({ ...before, timers: 0 });
  expect(after.timers).toBeLessThanOrEqual(before.timers);
});
