import { once } from "node:events";
import type { Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { fastifyAnswer, toFastify } from "vitrine/fastify";
import { hosts, onFastify, portOf } from "../support/hosts.ts";
import { exchange, statusOf } from "../support/raw-http.ts";
import { createShop, type Shop } from "../support/shop.ts";

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  }
});
const keep = async (starting: Promise<Server>): Promise<number> => {
  const server = await starting;
  open.push(server);
  return portOf(server);
};
const send = (port: number, shop: Shop, method: string, target: string): Promise<string> =>
  exchange(
    port,
    `${method} ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.a.test.pub}\r\nconnection: close\r\n\r\n`,
  );
/** The bridge of the tests builds a URL from its own host: what a runtime gives as a Request has a path. */
const raw = hosts.filter((host) => host.framework !== "web");

describe.each(raw)("the absolute form of a target (RFC 9112 3.2.2) on $name", (host) => {
  test("is routed by its path, never by its query or its host", async () => {
    const shop = await createShop(memoryStorage());
    const port = await keep(host.start(shop.storefront, "/v1"));
    const ask = async (target: string) => statusOf(await send(port, shop, "GET", target));
    for (const target of [
      "http://evil.example/v1/store",
      "https://evil.example:8443/v1/store?utm_source=1",
      "HTTP://evil.example/v1/store",
    ])
      expect(await ask(target), target).toBe(200);
    for (const target of [
      "http://evil?x=/v1/store",
      "http://evil.example?/v1/store",
      "http://evil.example#/v1/store",
      "http://evil.example",
      "http://v1/store",
      "http://evil.example//v1/store",
    ])
      expect([400, 404], target).toContain(await ask(target));
    expect(shop.calls.filter((call) => call === "access.findAccess")).toHaveLength(3);
  });
});

describe("serve, whatever the host gives as a target", () => {
  const request = (target: string) => ({
    method: "GET",
    target,
    header: () => undefined,
    body: async () => null,
  });

  test("takes no path out of a query, a fragment or a host", async () => {
    const { storefront } = await createShop(memoryStorage());
    for (const target of [
      "http://evil?x=/v1/store",
      "http://evil#/v1/store",
      "http://evil",
      "http:///v1/store",
      "x?y=://z/v1/store",
      "/x?y=http://z/v1/store",
      "v1/store",
      "*",
      "",
      "evil:443",
    ])
      expect(await storefront.serve(request(target)), target).toBeNull();
    for (const target of ["http://evil/v1/store", "HTTPS://user@evil:1/v1/store?x=1"])
      expect((await storefront.serve(request(target)))?.status, target).toBe(401);
  });

  test("the hosted page reads the same forms", async () => {
    const shop = await createShop(memoryStorage());
    const made = await shop.session();
    const { pathname } = new URL(made.body.data.checkout_url);
    const { serve } = shop.storefront.checkoutPage;
    expect((await serve(request(`http://evil.example${pathname}`)))?.status).toBe(200);
    expect(await serve(request(`http://evil.example?x=${pathname}`))).toBeNull();
  });
});

describe("Fastify 5 with the lines that docs/embedding.md gives", () => {
  /** A host that pastes them. */
  const start = (shop: Shop, mount: "under a prefix" | "at the root") => {
    const answer = fastifyAnswer(shop.storefront);
    return onFastify(
      (app) => {
        app.setNotFoundHandler((request, reply) =>
          answer(request, reply, () => void reply.code(404).send({ host_404: true })),
        );
        app.register(toFastify(shop.storefront), mount === "at the root" ? {} : { prefix: "/v1" });
      },
      {
        frameworkErrors: (
          error: { statusCode?: number },
          request: Parameters<typeof answer>[0],
          reply: Parameters<typeof answer>[1],
        ) =>
          answer(request, reply, () => {
            reply.code(error.statusCode ?? 500).send({ host_error: true });
          }),
      },
    );
  };
  const mounts = ["under a prefix", "at the root"] as const;

  test.each(mounts)("a bad escape has the envelope of every error, mounted %s", async (mount) => {
    const shop = await createShop(memoryStorage());
    const port = await keep(start(shop, mount));
    const answer = await send(port, shop, "GET", "/v1/products/%zz");
    expect([statusOf(answer), answer.includes('"param":"id_or_slug"')]).toEqual([400, true]);
    expect(answer).toMatch(/x-request-id: req_/i);
    expect(await send(port, shop, "GET", "/own/%zz")).toContain("host_error");
  });

  test.each(mounts)(
    "a method that Fastify does not route is our 405, mounted %s",
    async (mount) => {
      const shop = await createShop(memoryStorage());
      const port = await keep(start(shop, mount));
      const answer = await send(port, shop, "PURGE", "/v1/store");
      expect([statusOf(answer), answer.includes("method_not_allowed")]).toEqual([405, true]);
      expect(answer).toMatch(/allow: GET, HEAD, OPTIONS/i);
      expect(await send(port, shop, "PURGE", "/own")).toContain("host_404");
    },
  );
});
