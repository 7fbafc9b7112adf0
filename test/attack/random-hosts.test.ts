import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryStorage, type Storefront } from "vitrine";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNode } from "vitrine/node";
import { express, listening, onExpress, onFastify, portOf } from "../support/hosts.ts";
import { createShop, origin, returnUrl, type Shop } from "../support/shop.ts";
import { unhandledIn } from "../support/unhandled.ts";
import { randomFrom } from "./seed.ts";

// Hosts and clients that behave at random, on every Node adapter. ATTACK_SEED repeats a run, and
// ATTACK_ROUNDS makes it longer.
const seed = Number(process.env["ATTACK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const rounds = Number(process.env["ATTACK_ROUNDS"] ?? 20);

function createRandom(start: number) {
  const next = randomFrom(start);
  const below = (most: number): number => Math.floor(next() * most);
  const pick = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
  return { below, pick };
}

type Random = ReturnType<typeof createRandom>;
type Misbehave = (req: IncomingMessage, res: ServerResponse) => void;

/** What the host does by itself, a moment after the request came. */
const behaviours: readonly [string, ...string[]] = ["none", "answer", "half", "destroy", "end"];
const misbehave =
  (random: Random): Misbehave =>
  (req, res) => {
    // A request that must be answered well says so.
    const behaviour = req.headers["x-calm"] ? "none" : random.pick(behaviours);
    if (behaviour === "none") return;
    setTimeout(() => {
      if (behaviour === "destroy") return void req.socket.destroy();
      if (res.headersSent) return;
      if (behaviour === "end") return void res.end();
      res.writeHead(503, { "content-type": "text/plain" });
      if (behaviour === "answer") return void res.end("late");
      res.write("la");
      setTimeout(() => res.end("te"), 20);
    }, random.below(20));
  };

const onEveryExpress = Object.entries(express).flatMap(([name, make]) =>
  [
    ["bare", []],
    ["behind json()", [make.json({ limit: "10mb" })]],
    ["behind raw()", [make.raw({ type: "*/*", limit: "10mb" })]],
    ["behind text()", [make.text({ type: "*/*", limit: "10mb" })]],
    ["behind urlencoded()", [make.urlencoded({ extended: true })]],
  ].map(
    ([how, parsers]) =>
      [
        `${name} ${how}`,
        (storefront: Storefront, act: Misbehave) =>
          onExpress(make, (app) => {
            app.use((req, res, next) => {
              act(req, res);
              next();
            });
            for (const parser of parsers as never[]) app.use(parser);
            app.use(toExpress(storefront));
          }),
      ] as const,
  ),
);
const adapters: readonly (readonly [
  string,
  (storefront: Storefront, act: Misbehave) => Promise<Server>,
])[] = [
  [
    "node:http",
    (storefront, act) => {
      const answer = toNode(storefront);
      return listening(
        createServer((req, res) => {
          act(req, res);
          answer(req, res);
        }),
      );
    },
  ],
  ...onEveryExpress,
  [
    "Fastify 5",
    (storefront, act) =>
      onFastify((app) => {
        app.addHook("onRequest", async (request, reply) => act(request.raw, reply.raw));
        app.addHook("onSend", async () => {});
        app.register(toFastify(storefront), { prefix: "/v1" });
      }),
  ],
];

/** A storage that is slow, or fails, or both, at random. */
function trouble(shop: Shop, random: Random): void {
  const { findAccess } = shop.storage.access;
  Object.assign(shop.storage.access, {
    findAccess: async (hash: string) => {
      await pause(random.below(25));
      if (random.below(8) === 0)
        throw random.pick<unknown>([new Error("broken"), undefined, "route"]);
      return findAccess(hash);
    },
  });
}

function requestOf(shop: Shop, random: Random, serial: number): readonly [string, RequestInit] {
  const cart = (filler: string) =>
    JSON.stringify({
      items: [{ product_id: shop.product.id, quantity: 1 }],
      success_url: returnUrl,
      cancel_url: returnUrl,
      filler,
    });
  const authorization = `Bearer ${random.pick([shop.a.test.pub, shop.a.test.sec, "nonsense"])}`;
  const query = random.pick(["", `?key=${shop.a.test.pub}`, `?key=${shop.a.test.sec}`]);
  const path = random.pick(["/store", "/products", "/docs/errors", "/docs/none", "/healthz"]);
  const headers = { authorization, ...(random.below(3) === 0 ? { origin } : {}) };
  if (random.below(2) === 0) return [path + query, { headers }];

  const body = random.pick([cart(""), cart("x".repeat(80_000)), "{", "", '{"a":"\\u0000"}']);
  const chunked = random.below(2) === 0 && body !== "";
  return [
    `/checkout/sessions${query}`,
    {
      method: "POST",
      headers: {
        ...headers,
        "content-type": random.pick(["application/json", "text/plain"]),
        "idempotency-key": `random-${serial}`,
      },
      body: chunked ? new Blob([body]).stream() : body,
      ...(chunked ? { duplex: "half" } : {}),
    } as RequestInit,
  ];
}

test.each(adapters)(`%s survives hosts and clients at random (seed ${seed})`, async (_n, start) => {
  const random = createRandom(seed);
  const shop = await createShop(memoryStorage(), { healthz: true, limits: { checkout: null } });
  const server = await start(shop.storefront, misbehave(random));
  const base = `http://127.0.0.1:${portOf(server)}/v1`;
  const key = shop.a.test.pub;
  trouble(shop, random);

  const ask = async (serial: number): Promise<void> => {
    const [path, init] = requestOf(shop, random, serial);
    const gone = new AbortController();
    if (random.below(4) === 0) setTimeout(() => gone.abort(), random.below(30));
    try {
      const answer = await fetch(base + path, { ...init, signal: gone.signal });
      await answer.text();
      expect([200, 201, 204, 304, 400, 401, 403, 404, 413, 415, 500, 503]).toContain(answer.status);
    } catch (error) {
      // The connection was cut by the client or the host; anything else is a fault.
      if (!(error instanceof TypeError) && !gone.signal.aborted) throw error;
    }
  };
  const unhandled = await unhandledIn(async () => {
    for (let round = 0; round < rounds; round += 1) {
      const burst = 1 + random.below(4);
      await Promise.all(Array.from({ length: burst }, (_, index) => ask(round * 10 + index)));
    }
    await pause(100);
  });
  expect(unhandled).toEqual([]);

  const headers = { authorization: `Bearer ${key}`, "x-calm": "1" };
  const well = async () => (await fetch(`${base}/store`, { headers })).status;
  await expect.poll(well).toBe(200);
  server.closeAllConnections();
  await once(server.close(), "close");
});
