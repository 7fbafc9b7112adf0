import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toExpress } from "vitrine/express";
import { toNode } from "vitrine/node";
import { express, hosts, listening, onExpress, portOf } from "../support/hosts.ts";
import { createShop, origin, returnUrl, type Shop } from "../support/shop.ts";

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
  return `http://127.0.0.1:${portOf(server)}/v1`;
};

const limit = 65_536;
/** A checkout whose JSON is of exactly `size` bytes. */
function cart(shop: Shop, size: number): string {
  const body = (filler: string) =>
    JSON.stringify({
      items: [{ product_id: shop.product.id, quantity: 1 }],
      success_url: returnUrl,
      cancel_url: returnUrl,
      unknown: filler,
    });
  return body("x".repeat(size - body("").length));
}
let serial = 0;
const post = (base: string, key: string, body: string, how: "chunks" | "length", query = "") =>
  fetch(`${base}/checkout/sessions${query}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": `size-${++serial}`,
      ...(query === "" ? {} : { origin }),
    },
    body: how === "length" ? body : new Blob([body]).stream(),
    ...(how === "chunks" ? { duplex: "half" } : {}),
  } as RequestInit);

/** Parsers of the host's that let 10 MB through and leave nothing but their result. */
const parsers = Object.entries(express).flatMap(([name, make]) => {
  const limits = { limit: "10mb", type: "*/*" };
  const keep = (req: object, _res: unknown, rawBody: Uint8Array) =>
    void Object.assign(req, { rawBody });
  const keepText = (req: object, _res: unknown, rawBody: Uint8Array) =>
    void Object.assign(req, { rawBody: String(rawBody) });
  return [
    [`${name} behind json()`, make.json(limits)],
    [`${name} behind json() that keeps rawBody`, make.json({ ...limits, verify: keep })],
    [`${name} behind json() that keeps it as text`, make.json({ ...limits, verify: keepText })],
    [`${name} behind raw()`, make.raw(limits)],
    [`${name} behind text()`, make.text(limits)],
  ].map(
    ([title, parser]) =>
      [
        String(title),
        (shop: Shop) =>
          onExpress(make, (app) => app.use(parser as never, toExpress(shop.storefront) as never)),
      ] as const,
  );
});
const behindOwn = [
  "node:http behind a parser of its own",
  (shop: Shop) => {
    const answer = toNode(shop.storefront);
    return listening(
      createServer(async (req, res) => {
        const parts: Buffer[] = [];
        for await (const part of req) parts.push(part);
        answer(Object.assign(req, { body: JSON.parse(String(Buffer.concat(parts))) }), res);
      }),
    );
  },
] as const;

describe.each([...parsers, behindOwn])("a body is bounded on %s", (_name, start) => {
  test.each(["chunks", "length"] as const)("to 64 KiB, sent by %s", async (how) => {
    const shop = await createShop(memoryStorage());
    const base = await keep(start(shop));
    const send = async (size: number) => {
      const answer = await post(base, shop.a.test.pub, cart(shop, size), how);
      const { error } = (await answer.json()) as { error?: { code: string } };
      return [answer.status, error?.code];
    };
    expect(await send(limit)).toEqual([201, undefined]);
    for (const size of [limit + 1, 80_000, 5_000_000])
      expect(await send(size), String(size)).toEqual([413, "request_too_large"]);
  });
});

test.each([...parsers, behindOwn])(
  "a body that is nested too deep for the stack is 400 on %s",
  async (_name, start) => {
    const told: unknown[] = [];
    const shop = await createShop(memoryStorage(), { onError: (error) => void told.push(error) });
    const base = await keep(start(shop));
    const deep = `{"items":${"[".repeat(25_000)}${"]".repeat(25_000)}}`;
    for (const how of ["chunks", "length"] as const) {
      const answer = await post(base, shop.a.test.pub, deep, how);
      const { error } = (await answer.json()) as { error: { code: string } };
      expect([answer.status, error.code], how).toEqual([400, "invalid_json"]);
    }
    expect(told).toEqual([]);
  },
);

describe.each(hosts)("413 on $name", (host) => {
  test.each(["chunks", "length"] as const)(
    "tells a page of a registered origin, sent by %s",
    async (how) => {
      const shop = await createShop(memoryStorage());
      const base = await keep(host.start(shop.storefront, "/v1"));
      const query = `?key=${shop.a.test.pub}`;
      const answer = await post(base, shop.a.test.pub, cart(shop, 80_000), how, query);
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
        413,
        origin,
      ]);
    },
  );
});
