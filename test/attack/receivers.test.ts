import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { signWebhook } from "vitrine/webhooks";
import { webhookReceiver as expressReceiver } from "vitrine/webhooks/express";
import { webhookReceiver as fastifyReceiver } from "vitrine/webhooks/fastify";
import { webhookReceiver as nextReceiver } from "vitrine/webhooks/next";
import { express, listening, onExpress, onFastify, portOf } from "../support/hosts.ts";

const secret = "whsec_test";
const rawBody = '{"id":"evt_1","type":"order.paid","data":{}}';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.restoreAllMocks();
});

type Post = () => Promise<Response>;
type OnEvent = () => Promise<void>;

async function signed(): Promise<Record<string, string>> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = await signWebhook({ rawBody, secret, timestamp });
  return { "content-type": "application/json", "x-service-signature": signature };
}
async function reach(starting: ReturnType<typeof listening>): Promise<Post> {
  const server = await starting;
  closing.push(() => once(server.close(), "close"));
  return async () =>
    fetch(`http://127.0.0.1:${portOf(server)}/webhooks`, {
      method: "POST",
      headers: { ...(await signed()), connection: "close" },
      body: rawBody,
    });
}

/** Behind each receiver stands a route of the host's that takes everything and answers 200. */
const hosts: readonly (readonly [string, (onEvent: OnEvent) => Promise<Post>])[] = [
  ...Object.entries(express).map(
    ([name, make]) =>
      [
        name,
        (onEvent: OnEvent) =>
          reach(
            onExpress(make, (app) => {
              const later = express["Express 5"].Router();
              app.post("/webhooks", expressReceiver({ secret, onEvent }), (_req, res) => {
                res.status(200).end();
              });
              app.post("/webhooks", (_req, res) => void res.status(200).end());
              app.use(later);
            }),
          ),
      ] as const,
  ),
  [
    "Express 5 in a router",
    (onEvent) =>
      reach(
        onExpress(express["Express 5"], (app) => {
          const router = express["Express 5"].Router();
          router.post("/webhooks", expressReceiver({ secret, onEvent }));
          app.use(router);
          app.post("/webhooks", (_req, res) => void res.status(200).end());
        }),
      ),
  ],
  [
    "node:http",
    (onEvent) => {
      const receive = expressReceiver({ secret, onEvent });
      const listener: RequestListener = (req, res) => receive(req, res);
      return reach(listening(createServer(listener)));
    },
  ],
  [
    "Fastify 5",
    (onEvent) =>
      reach(
        onFastify((app) => {
          app.register(fastifyReceiver({ secret, onEvent }), { prefix: "/webhooks" });
          app.setNotFoundHandler((_request, reply) => reply.code(200).send());
        }),
      ),
  ],
  [
    "a Next route handler",
    async (onEvent) => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      const POST = nextReceiver({ secret, onEvent });
      return async () =>
        POST(
          new Request("https://a.example.com/webhooks", {
            method: "POST",
            headers: await signed(),
            body: rawBody,
          }),
        );
    },
  ],
];

const reasons: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ['"route"', "route"],
  ['"router"', "router"],
  ["false", false],
  ["0", 0],
  ["an object with a status of 200", { status: 200, statusCode: 200 }],
  ["an Error", new Error("the database is away")],
];

describe.each(hosts)("an event that the host could not take, on %s,", (_name, start) => {
  test.each(reasons)("is a 500 when its code rejects with %s", async (_reason, reason) => {
    const post = await start(() => Promise.reject(reason));
    expect((await post()).status).toBe(500);
  });
});

describe("the receiver of Next.js and of other hosts that speak Request", () => {
  const chunk = new Uint8Array(64 * 1024);
  /** A sender that never ends; it counts what was taken from it. */
  function endless() {
    let taken = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(control) {
          taken += chunk.length;
          if (taken > 400 * 2 ** 20) control.close();
          else control.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request("https://a.example.com/webhooks", {
      method: "POST",
      body,
      duplex: "half",
    } as RequestInit);
    return { request, taken: () => taken };
  }

  test("answers 413 after 1 MiB and holds no more of an unsigned 400 MiB", async () => {
    const { request, taken } = endless();
    const answer = await nextReceiver({ secret, onEvent: () => {} })(request);
    expect([answer.status, await answer.text()]).toEqual([413, "body_too_large"]);
    expect(taken()).toBeLessThanOrEqual(2 * 2 ** 20);
  });

  test("refuses by its Content-Length what is too long, unread", async () => {
    const { request, taken } = endless();
    request.headers.set("content-length", String(400 * 2 ** 20));
    const answer = await nextReceiver({ secret, onEvent: () => {} })(request);
    expect([answer.status, taken()]).toEqual([413, 0]);
  });

  test("answers 500 by itself and tells the console, or onError, why", async () => {
    const told: unknown[] = [];
    vi.spyOn(console, "error").mockImplementation((...given) => void told.push(given.at(-1)));
    const error = new Error("the database is away");
    const onEvent = () => Promise.reject(error);
    const request = async () =>
      new Request("https://a.example.com/", {
        method: "POST",
        headers: await signed(),
        body: rawBody,
      });
    expect((await nextReceiver({ secret, onEvent })(await request())).status).toBe(500);
    expect(told).toEqual([error]);
    const heard: unknown[] = [];
    const onError = (reason: unknown) => void heard.push(reason);
    expect((await nextReceiver({ secret, onEvent, onError })(await request())).status).toBe(500);
    expect([told.length, heard]).toEqual([1, [error]]);
  });

  test("a body that was read before is a 500 that says what to do", async () => {
    const heard: unknown[] = [];
    const request = new Request("https://a.example.com/", { method: "POST", body: "{}" });
    await request.json();
    const onError = (reason: unknown) => void heard.push(reason);
    const answer = await nextReceiver({ secret, onEvent: () => {}, onError })(request);
    expect([answer.status, String(heard[0])]).toEqual([
      500,
      expect.stringContaining("request.clone()"),
    ]);
  });
});
