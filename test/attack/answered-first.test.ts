import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import type { Serve, WireReply } from "vitrine/node";
import { toNode } from "vitrine/node";
import { signWebhook } from "vitrine/webhooks";
import { webhookReceiver as expressReceiver } from "vitrine/webhooks/express";
import { webhookReceiver as fastifyReceiver } from "vitrine/webhooks/fastify";
import { express, listening, onExpress, onFastify, portOf } from "../support/hosts.ts";
import { createShop } from "../support/shop.ts";
import { unhandledIn } from "../support/unhandled.ts";

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  }
});
const keep = async (starting: Promise<Server>): Promise<string> => {
  const server = await starting;
  open.push(server);
  return `http://127.0.0.1:${portOf(server)}`;
};

const deadlineMs = 20;
const answerMs = 80;

/** A host's deadline: the whole 503, or its head and the rest later. */
const deadlines: Readonly<Record<string, (res: ServerResponse) => void>> = {
  "a whole answer": (res) => void res.writeHead(503).end("late"),
  "the head of an answer": (res) => {
    res.writeHead(503, { "content-type": "text/plain" });
    res.write("la");
    setTimeout(() => res.end("te"), 2 * answerMs);
  },
};

interface App {
  readonly serve: Serve;
}
type Start = (app: App, deadline: (res: ServerResponse) => void) => Promise<Server>;

const expressHosts = Object.entries(express).map(([name, make]): readonly [string, Start] => [
  name,
  (app, deadline) =>
    onExpress(make, (root) => {
      root.use((_req, res, next) => {
        setTimeout(() => deadline(res), deadlineMs);
        next();
      });
      root.use(toExpress(app));
    }),
]);
const hosts: readonly (readonly [string, Start])[] = [
  [
    "node:http",
    (app, deadline) => {
      const answer = toNode(app);
      return listening(
        createServer((req, res) => {
          setTimeout(() => deadline(res), deadlineMs);
          answer(req, res);
        }),
      );
    },
  ],
  ...expressHosts,
  [
    "Fastify 5",
    (app, deadline) =>
      onFastify((root) => {
        root.addHook("onRequest", async (_request, reply) => {
          setTimeout(() => deadline(reply.raw), deadlineMs);
        });
        root.register(toFastify(app), { prefix: "/v1" });
      }),
  ],
];

describe.each(hosts)(
  "a deadline of the host answers before the storage does, on %s",
  (_n, start) => {
    test.each(Object.entries(deadlines))("with %s: it stands", async (_name, deadline) => {
      const shop = await createShop(memoryStorage());
      const { findAccess } = shop.storage.access;
      Object.assign(shop.storage.access, {
        findAccess: async (hash: string) => {
          await pause(answerMs);
          return findAccess(hash);
        },
      });
      const base = await keep(start(shop.storefront, deadline));
      const headers = { authorization: `Bearer ${shop.a.test.pub}` };
      const unhandled = await unhandledIn(async () => {
        const answer = await fetch(`${base}/v1/store`, { headers });
        expect([answer.status, await answer.text()]).toEqual([503, "late"]);
        await pause(2 * answerMs);
      });
      expect(unhandled).toEqual([]);
    });

    test("and the page behind it then throws: nobody's process ends", async () => {
      const serve: Serve = async () => {
        await pause(answerMs);
        throw new Error("the storage is gone");
      };
      const base = await keep(start({ serve }, (res) => void res.writeHead(503).end("late")));
      const unhandled = await unhandledIn(async () => {
        expect((await fetch(`${base}/v1/store`)).status).toBe(503);
        await pause(2 * answerMs);
      });
      expect(unhandled).toEqual([]);
    });
  },
);

const anyHost = (start: Start) => (app: App) => start(app, () => {});

describe.each(hosts)("on %s", (_name, startWith) => {
  const start = anyHost(startWith);

  test("an answer that cannot be written is a 500, and the next one is well", async () => {
    const headers = { "content-type": "text/plain", location: "https://psp.example.com/\u20ac" };
    const broken: WireReply = { status: 303, headers, body: "body" };
    const good: WireReply = { status: 200, headers: { "x-good": "1" }, body: "good" };
    const serve: Serve = async ({ target }) => (target === "/v1/broken" ? broken : good);
    const base = await keep(start({ serve }));
    const unhandled = await unhandledIn(async () => {
      const first = await fetch(`${base}/v1/broken`, { signal: AbortSignal.timeout(5_000) });
      await first.text();
      expect([first.status, first.headers.get("location")]).toEqual([500, null]);
      expect(await (await fetch(`${base}/v1/good`)).text()).toBe("good");
    });
    expect(unhandled).toEqual([]);
  });

  test("headers that several answers share are left as they were", async () => {
    const headers = Object.freeze({ "content-type": "text/plain" });
    const serve: Serve = async ({ target }) => ({
      status: 200,
      headers,
      body: target === "/v1/long" ? "a long answer" : "short",
    });
    const base = await keep(start({ serve }));
    for (const [path, body] of [
      ["/v1/long", "a long answer"],
      ["/v1/short", "short"],
    ]) {
      const answer = await fetch(base + path, { signal: AbortSignal.timeout(5_000) });
      expect([answer.status, await answer.text()]).toEqual([200, body]);
    }
  });
});

test("the checkout page answers its own length, whichever hosts served it before", async () => {
  const shop = await createShop(memoryStorage());
  const made = await shop.session();
  const address = new URL(made.body.data.checkout_url);
  const base = await keep(listening(createServer(toNode(shop.storefront.checkoutPage))));
  expect((await fetch(base + address.pathname)).status).toBe(200);
  const gone = await shop.storefront.checkoutPage.handler(new Request(`${address.origin}/c/none`));
  const text = await gone.text();
  expect([gone.status, gone.headers.get("content-length") ?? text.length]).toEqual([
    404,
    text.length,
  ]);
});

describe("a receiver whose host has answered already", () => {
  const secret = "whsec_test";
  const rawBody = '{"id":"evt_1","type":"order.paid","data":{}}';
  type OnEvent = () => Promise<void>;
  const post = async (base: string) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = await signWebhook({ rawBody, secret, timestamp });
    const headers = { "content-type": "application/json", "x-service-signature": signature };
    return fetch(`${base}/webhooks`, { method: "POST", body: rawBody, headers });
  };
  type Receiver = (deadline: (res: ServerResponse) => void, onEvent: OnEvent) => Promise<Server>;
  const receivers: readonly (readonly [string, Receiver])[] = [
    [
      "node:http",
      (deadline, onEvent) => {
        const receive = expressReceiver({ secret, onEvent });
        return listening(
          createServer((req, res) => {
            setTimeout(() => deadline(res), deadlineMs);
            receive(req, res);
          }),
        );
      },
    ],
    ...Object.entries(express).map(([name, make]): readonly [string, Receiver] => [
      name,
      (deadline, onEvent) =>
        onExpress(make, (app) => {
          app.use((_req, res, next) => {
            setTimeout(() => deadline(res), deadlineMs);
            next();
          });
          app.post("/webhooks", expressReceiver({ secret, onEvent }));
        }),
    ]),
    [
      "Fastify 5",
      (deadline, onEvent) =>
        onFastify((app) => {
          app.addHook("onRequest", async (_request, reply) => {
            setTimeout(() => deadline(reply.raw), deadlineMs);
          });
          app.register(fastifyReceiver({ secret, onEvent }), { prefix: "/webhooks" });
        }),
    ],
  ];
  const outcomes: Readonly<Record<string, OnEvent>> = {
    "took the event": () => pause(answerMs),
    "could not take it": async () => {
      await pause(answerMs);
      throw new Error("the database is away");
    },
  };

  describe.each(receivers)("on %s", (_host, start) => {
    describe.each(Object.entries(deadlines))("with %s", (_name, deadline) => {
      test.each(Object.entries(outcomes))("writes nothing more once it %s", async (_n, onEvent) => {
        const base = await keep(start(deadline, onEvent));
        const unhandled = await unhandledIn(async () => {
          const answer = await post(base);
          expect(answer.status).toBe(503);
          await answer.text().catch(() => "cut by the framework");
          await pause(2 * answerMs);
        });
        expect(unhandled).toEqual([]);
      });
    });
  });
});
