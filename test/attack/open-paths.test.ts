import { once } from "node:events";
import type { Server } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { hosts, portOf } from "../support/hosts.ts";
import { createShop, origin, type Shop } from "../support/shop.ts";

const documents = ["/openapi.json", "/docs", "/docs/errors", "/healthz"];
const corsOf = (answer: Response): string | null =>
  answer.headers.get("access-control-allow-origin");

describe.each(hosts)("documents and health on $name", (host) => {
  let shop: Shop;
  let server: Server;
  let base = "";
  beforeAll(async () => {
    shop = await createShop(memoryStorage(), { healthz: true });
    server = await host.start(shop.storefront, "/v1");
    base = `http://127.0.0.1:${portOf(server)}/v1`;
  });
  afterEach(() => expect(shop.errors).toEqual([]));
  afterAll(async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  });
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const answer = await fetch(base + path, { method, headers });
    await answer.arrayBuffer();
    return answer;
  };

  test("need no key, and what is no document is 404 without one", async () => {
    for (const path of documents) expect((await ask(path)).status, path).toBe(200);
    for (const path of ["/docs/nope", "/docs/errors/more", "/docs/__proto__"]) {
      const answer = await fetch(base + path);
      const { error } = (await answer.json()) as { error: { code: string } };
      expect([answer.status, error.code], path).toEqual([404, "route_not_found"]);
      expect((await ask(path, {}, "HEAD")).status, path).toBe(404);
    }
    expect((await ask("/docsx")).status).toBe(401);
  });

  test("carry CORS for a registered origin whose store the key names, and for no other", async () => {
    for (const path of [...documents, "/docs/nope"]) {
      const key = `?key=${shop.a.test.pub}`;
      const own = await ask(path + key, { origin });
      expect([corsOf(own), own.headers.get("vary")], path).toEqual([
        origin,
        expect.stringMatching(/\bOrigin\b/i),
      ]);
      expect(own.headers.get("access-control-expose-headers"), path).toContain("X-Request-Id");
      const tag = own.headers.get("etag");
      if (tag !== null) {
        const again = await ask(path + key, { origin, "if-none-match": tag });
        expect([again.status, corsOf(again)], path).toEqual([304, origin]);
      }
      expect(corsOf(await ask(path + key, { origin: "https://evil.example.com" }))).toBeNull();
      expect(corsOf(await ask(path, { origin }))).toBeNull();
      expect(corsOf(await ask(`${path}${key}x`, { origin }))).toBeNull();
      expect(corsOf(await ask(`${path}${key}&key=${shop.a.test.pub}`, { origin }))).toBeNull();
    }
  });

  test("a secret key in their address raises its alarm", async () => {
    for (const [index, path] of [...documents, "/docs/nope"].entries()) {
      const { key } = await shop.owner.keys.create({
        store_id: shop.a.id,
        livemode: false,
        kind: "secret",
      });
      const answer = await ask(`${path}?key=${key}`, { origin });
      expect([answer.status, corsOf(answer)], path).toEqual([index < 4 ? 200 : 404, null]);
      await expect.poll(() => shop.alerts, { message: path }).toHaveLength(index + 1);
    }
  });
});

test("documents answer, without CORS, while the storage does not", async () => {
  const shop = await createShop(memoryStorage(), { healthz: true });
  let asked = 0;
  Object.assign(shop.storage.access, {
    findAccess: () => {
      asked += 1;
      return new Promise(() => {});
    },
  });
  for (const path of ["/openapi.json", "/docs/errors", "/healthz"]) {
    const request = new Request(`http://x/v1${path}?key=${shop.a.test.pub}`, {
      headers: { origin },
    });
    const answer = await shop.storefront.handler(request);
    expect([answer.status, corsOf(answer)]).toEqual([path === "/healthz" ? 503 : 200, null]);
  }
  expect(asked).toBeLessThanOrEqual(3);
});

test("without the option /healthz is no path: 404, no key asked for", async () => {
  const shop = await createShop(memoryStorage());
  const answer = await shop.storefront.handler(new Request("http://x/v1/healthz"));
  expect(answer.status).toBe(404);
});
