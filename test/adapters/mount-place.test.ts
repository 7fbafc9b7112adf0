import { createServer } from "node:http";
import express from "express";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "vitrine";
import { createAcp } from "vitrine/acp";
import { createDashboard } from "vitrine/dashboard";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { createOwnerMcp, createShopperMcp } from "vitrine/mcp";
import { createUcp } from "vitrine/ucp";
import { listening, portOf } from "../support/hosts.ts";
import { createShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await createShop(memoryStorage());
});
afterEach(() => vi.restoreAllMocks());

const key = () => ({ authorization: `Bearer ${shop.a.test.pub}` });

/** Expects a start below the part's own path and at the root, and a refusal elsewhere. */
async function expectOnlyBelow(part: Parameters<typeof toFastify>[0], path: string): Promise<void> {
  const wrong = fastify();
  wrong.register(toFastify(part), { prefix: "/elsewhere" });
  await expect(wrong.ready()).rejects.toThrow(`answers only below "${path}"`);

  for (const prefix of [path, "/"]) {
    const right = fastify();
    right.register(toFastify(part), { prefix });
    await right.ready();
  }
}

describe("Fastify", () => {
  test("a prefix that is not the basePath is refused with both paths and what mends it", async () => {
    const app = fastify();
    app.register(toFastify(shop.storefront), { prefix: "/api/v1" });
    await expect(app.ready()).rejects.toThrow(
      /toFastify: it is mounted below "\/api\/v1" and answers only below "\/v1"\..*basePath/,
    );
  });

  test("a prefix inside of another one counts as a whole", async () => {
    const app = fastify();
    app.register(
      async (scope) => void scope.register(toFastify(shop.storefront), { prefix: "/v1" }),
      { prefix: "/api" },
    );
    await expect(app.ready()).rejects.toThrow('below "/api/v1"');
  });

  test("the path of every part is compared with its own prefix", async () => {
    const { notifications, checkoutPage } = shop.storefront;
    const dashboard = createDashboard(shop.storefront, {
      path: "/desk",
      publicUrl: "http://localhost",
      authorize: () => null,
    });
    await expectOnlyBelow(notifications, "/notifications");
    await expectOnlyBelow(checkoutPage, "/c");
    await expectOnlyBelow(dashboard, "/desk");
  });

  test("the path of every endpoint for agents is compared with its prefix", async () => {
    const agent = {
      key: shop.a.test.sec,
      success_url: "https://shop.example.com/ok",
      cancel_url: "https://shop.example.com/ok",
    };
    const { key: assistant } = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: false,
      kind: "secret",
    });
    const ucp = createUcp(shop.storefront, { ...agent, endpoint: "https://api.example.com/ucp" });
    const acp = createAcp(shop.storefront, {
      ...agent,
      endpoint: "https://api.example.com/acp",
      agents: { assistant },
    });
    const mcp = createShopperMcp(shop.storefront, { ...agent, key: shop.a.test.pub, path: "/mcp" });
    const desk = createOwnerMcp(shop.storefront, {
      path: "/desk/mcp",
      authorize: () => null,
      dashboardUrl: "https://api.example.com/dashboard",
    });
    await expectOnlyBelow(ucp, "/ucp");
    await expectOnlyBelow(acp, "/acp");
    await expectOnlyBelow(mcp, "/mcp");
    await expectOnlyBelow(desk, "/desk/mcp");
  });

  test("a prefix above the path, below it, of parameters or of a function of the host's own may be", async () => {
    const { storefront } = shop;
    const own = { serve: async () => null };
    for (const [part, prefix] of [
      [storefront, "/v1/"],
      [storefront, "/:tenant"],
      [storefront.notifications, "/notifications/gateways"],
      [own, "/anything"],
    ] as const) {
      const app = fastify();
      app.register(toFastify(part), { prefix });
      await app.ready();
    }

    const { storefront: deep } = await createShop(memoryStorage(), { basePath: "/api/v1" });
    const above = fastify();
    above.register(toFastify(deep), { prefix: "/api" });
    expect((await above.inject("/api/v1/store")).statusCode).toBe(401);
  });

  test("several plugins without a prefix stand side by side, beside routes of the host", async () => {
    const { storefront } = shop;
    const app = fastify();
    for (const part of [storefront, storefront.notifications, storefront.checkoutPage])
      app.register(toFastify(part));
    app.get("/own", async () => "own");

    const statusOf = async (url: string) => (await app.inject({ url, headers: key() })).statusCode;
    expect(await statusOf("/v1/store")).toBe(200);
    expect(await statusOf("/v1")).toBe(404);
    const unknown = await app.inject({ method: "POST", url: "/notifications/gateways/none/test" });
    expect([unknown.statusCode, unknown.body]).toEqual([404, expect.not.stringContaining("Route")]);
    const { pathname } = new URL((await shop.session()).body.data.checkout_url);
    expect([await statusOf(pathname), await statusOf("/own"), await statusOf("/none")]).toEqual([
      200, 200, 404,
    ]);
  });
});

describe("Express", () => {
  test("the console is warned once of a mount path under which nothing is answered", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const app = express();
    app.use("/api", toExpress(shop.storefront));
    app.use("/v1", toExpress(shop.storefront));
    const server = await listening(createServer(app));
    const ask = async (path: string) =>
      (await fetch(`http://127.0.0.1:${portOf(server)}${path}`, { headers: key() })).status;

    expect([await ask("/api/v1/store"), await ask("/api/v1/products")]).toEqual([404, 404]);
    expect([await ask("/v1/store"), await ask("/v1/none")]).toEqual([200, 404]);
    server.close();
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^vitrine: toExpress: it is mounted below "\/api" and answers only below "\/v1"\./,
        ),
      ],
    ]);
  });
});

test("a handler that is called for another path says below which one it answers", async () => {
  const answer = await shop.storefront.handler(new Request("http://localhost/api/v1/store"));
  expect([answer.status, (await answer.json()).error]).toEqual([
    404,
    expect.objectContaining({
      code: "route_not_found",
      message: "There is no such route: the API answers below /v1.",
    }),
  ]);
});
