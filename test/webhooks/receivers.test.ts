import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express5 from "express";
// @ts-expect-error: Express 4 under an alias brings no types; what is used of it is the same as in 5.
import express4 from "express4";
import fastify from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { signWebhook, type WebhookEvent } from "vitrine/webhooks";
import { webhookReceiver as expressReceiver } from "vitrine/webhooks/express";
import { webhookReceiver as fastifyReceiver } from "vitrine/webhooks/fastify";
import { webhookReceiver as nextReceiver } from "vitrine/webhooks/next";

const secret = "whsec_test";
const rawBody = '{ "id": "evt_1",  "type":"order.paid", "data": {"name": "é"} }';
const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Post = (body: string, headers?: Record<string, string>) => Promise<Response>;
type OnEvent = (event: WebhookEvent) => void;

async function listen(listener: RequestListener): Promise<Post> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return (body, headers = {}) =>
    fetch(`http://127.0.0.1:${port}/webhooks`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
}

const onExpress =
  (express: typeof express5, ...parsers: ReturnType<typeof express5.raw>[]) =>
  (onEvent: OnEvent): Promise<Post> => {
    const app = express();
    for (const parser of parsers) app.use(parser);
    app.post("/webhooks", expressReceiver({ secret, onEvent }));
    return listen(app);
  };
const keepRaw = express5.json({
  verify: (req, _res, bytes) => {
    Object.assign(req, { rawBody: bytes });
  },
});

const hosts: readonly (readonly [string, (onEvent: OnEvent) => Promise<Post>])[] = [
  ["Express 5", onExpress(express5)],
  ["Express 4", onExpress(express4)],
  ["Express 5 behind express.raw()", onExpress(express5, express5.raw({ type: "*/*" }))],
  ["Express 5 behind a parser that keeps the bytes", onExpress(express5, keepRaw)],
  ["node:http", (onEvent) => listen((req, res) => expressReceiver({ secret, onEvent })(req, res))],
  [
    "Fastify",
    async (onEvent) => {
      const app = fastify();
      app.register(fastifyReceiver({ secret, onEvent }), { prefix: "/webhooks" });
      app.post("/own", async (request) => request.body);
      await app.listen({ port: 0, host: "127.0.0.1" });
      closing.push(() => app.close());
      const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
      const own = await fetch(`${origin}/own`, {
        method: "POST",
        body: '{"a":1}',
        headers: { "content-type": "application/json" },
      });
      expect(await own.json()).toEqual({ a: 1 });
      return (body, headers = {}) =>
        fetch(`${origin}/webhooks`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json", ...headers },
        });
    },
  ],
  [
    "a Next route handler",
    async (onEvent) => {
      const POST = nextReceiver({ secret, onEvent });
      return async (body, headers = {}) =>
        POST(
          new Request("https://a.example.com/webhooks", { method: "POST", body, headers }),
        ).catch(() => new Response(null, { status: 500 }));
    },
  ],
];

describe.each(hosts)("a receiver on %s", (_name, mount) => {
  const signed = async (body = rawBody): Promise<Record<string, string>> => ({
    "x-service-signature": await signWebhook({
      rawBody: body,
      secret,
      timestamp: Math.floor(Date.now() / 1_000),
    }),
  });

  test("takes a signed event and answers 204", async () => {
    const events: WebhookEvent[] = [];
    const post = await mount((event) => void events.push(event));
    const answer = await post(rawBody, await signed());
    expect(answer.status).toBe(204);
    expect(events).toEqual([JSON.parse(rawBody)]);
  });

  test("refuses what is not signed with 400 and the reason, and a body over 1 MiB with 413", async () => {
    const events: WebhookEvent[] = [];
    const post = await mount((event) => void events.push(event));
    const unsigned = await post(rawBody);
    expect([unsigned.status, await unsigned.text()]).toEqual([400, "missing_header"]);
    const edited = await post(rawBody.replace("evt_1", "evt_2"), await signed());
    expect([edited.status, await edited.text()]).toEqual([400, "signature_mismatch"]);
    const huge = JSON.stringify("x".repeat(5_000_000));
    expect((await post(huge, await signed(huge))).status).toBe(413);
    expect(events).toEqual([]);
  });

  test("answers 500 when the host's code throws, so that the event comes again", async () => {
    const post = await mount(() => {
      throw new Error("the database is away");
    });
    expect((await post(rawBody, await signed())).status).toBe(500);
  });
});

describe("a body that was parsed already", () => {
  test.each([
    ["Express 5", express5],
    ["Express 4", express4 as unknown as typeof express5],
  ] as const)("is an error on %s that says what to do", async (_name, express) => {
    const errors: Error[] = [];
    const app = express();
    app.use(express.json());
    app.post("/webhooks", expressReceiver({ secret, onEvent: () => {} }));
    app.use(((error, _req, res, _next) => {
      errors.push(error);
      res.status(500).end();
    }) as Parameters<typeof app.use>[0] &
      ((error: Error, req: unknown, res: express5.Response, next: unknown) => void));
    const post = await listen(app);
    expect((await post(rawBody, { "x-service-signature": "t=1,v1=x" })).status).toBe(500);
    expect(errors[0]?.message).toContain("before express.json()");
  });

  test("is an error in a route handler that says what to do", async () => {
    const request = new Request("https://a.example.com/", { method: "POST", body: "{}" });
    await request.json();
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const answer = await nextReceiver({ secret, onEvent: () => {}, onError })(request);
    expect([answer.status, String(errors[0])]).toEqual([
      500,
      expect.stringContaining("request.clone()"),
    ]);
  });

  test("a receiver without a secret is refused at start", () => {
    for (const receiver of [expressReceiver, fastifyReceiver, nextReceiver])
      expect(() => receiver({ secret: "", onEvent: () => {} })).toThrow("whsec_");
  });

  test("a route reads its secret at each request, so that it can be imported without one", async () => {
    let known: string | undefined;
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const POST = nextReceiver({ secret: () => known, onEvent: () => {}, onError });
    const header = await signWebhook({ rawBody, secret, timestamp: Math.floor(Date.now() / 1000) });
    const post = (): Promise<Response> => {
      const headers = { "x-service-signature": header };
      return POST(
        new Request("https://a.example.com/", { method: "POST", body: rawBody, headers }),
      );
    };
    expect([(await post()).status, String(errors[0])]).toEqual([
      500,
      expect.stringContaining("Option secret is missing"),
    ]);

    known = secret;
    expect((await post()).status).toBe(204);
  });
});
