import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { UcpOptions } from "vitrine/ucp";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { totalOf } from "./agent-http.ts";
import { profile, type UcpClient, ucpClient, ucpEndpoint } from "./ucp-client.ts";

let shop: Shop;

async function open(storage = memoryStorage()): Promise<void> {
  shop = await createShop(storage, { limits: { checkout: null, sessions: null, orders: null } });
}
const clientOf = (options: Partial<UcpOptions> = {}): UcpClient =>
  ucpClient(ucpEndpoint(shop, options));
const lines = () => ({ line_items: [{ item: { id: shop.product.id }, quantity: 2 }] });

/** Buys as an agent and its buyer do, and gives the checkout with its order. */
async function buy(send: UcpClient, headers: Record<string, string>) {
  const made = (await send("POST", "/checkout-sessions", lines(), { headers })).body;
  await shop.storefront.checkout.submit(made.continue_url.split("/").at(-1), {
    payment_method_id: shop.a.method_id,
  });
  return (await send("GET", `/checkout-sessions/${made.id}`, undefined, { headers })).body;
}

describe.each(storages)("an agent with a key of the host's, on %s", (_name, storage) => {
  beforeEach(async () => open(await storage()));

  test("reads its own order, with what was refunded, and nobody else's", async () => {
    const known: Record<string, string> = { [profile]: "k1", "https://other.example/ucp": "k2" };
    const send = clientOf({ authorize: (agent) => known[agent.profile] === agent.apiKey });
    const own = { "x-api-key": "k1" };
    const bought = await buy(send, own);
    const path = `/orders/${bought.order.id}`;

    const { status, body } = await send("GET", path, undefined, { headers: own });
    expect([status, body.checkout_id, body.adjustments]).toEqual([200, bought.id, []]);
    expect(totalOf(body.totals, "total")).toBe(2_000);
    expect(JSON.stringify(body)).not.toContain("customer");

    const half = { store_id: shop.a.id, livemode: false, reference: "r1", amount: 500 };
    await shop.storefront.orders.refund(bought.order.id, half);
    const after = (await send("GET", path, undefined, { headers: own })).body;
    expect(after.adjustments).toMatchObject([
      { type: "refund", status: "completed", totals: [{ type: "total", amount: -500 }] },
    ]);

    const other = { "x-api-key": "k2", "ucp-agent": 'profile="https://other.example/ucp"' };
    const foreign = await send("GET", path, undefined, { headers: other });
    expect(foreign.body.messages[0].code).toBe("not_found");
    const owners = await shop.buy();
    const shops = await send("GET", `/orders/${owners?.id}`, undefined, { headers: own });
    expect(shops.body.messages[0].code).toBe("not_found");

    // Whoever names another's profile has not its key.
    const posing = { headers: { "x-api-key": "k2" } };
    for (const target of [path, `/checkout-sessions/${bought.id}`])
      expect((await send("GET", target, undefined, posing)).status).toBe(401);
  });
});

describe("an agent's profile", () => {
  beforeEach(() => open());

  const names = ["checkout", "discount", "catalog.search", "catalog.lookup"];
  const platform = (version = "2026-08-25", has: readonly string[] = names) => ({
    ucp: {
      version,
      services: {},
      payment_handlers: {},
      capabilities: Object.fromEntries(
        has.map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]),
      ),
    },
  });
  const coupon = () => ({ ...lines(), discounts: { codes: ["SAVE10"] } });
  const create = async (send: UcpClient, agent = profile) =>
    send("POST", "/checkout-sessions", coupon(), {
      headers: { "ucp-agent": `profile="${agent}"` },
    });

  test("is fetched once for many requests, and decides what both sides can do", async () => {
    const asked: string[] = [];
    const send = clientOf({
      fetchProfile: async (url) => {
        asked.push(url);
        return platform();
      },
    });
    const [{ body }] = await Promise.all([create(send), create(send)]);
    expect(Object.keys(body.ucp.capabilities)).toEqual([
      "dev.ucp.shopping.checkout",
      "dev.ucp.shopping.discount",
    ]);
    expect(totalOf(body.totals, "total")).toBe(1_800);
    expect(asked).toEqual([profile]);
  });

  test("without the extension of discounts has no codes", async () => {
    const send = clientOf({ fetchProfile: async () => platform("2026-08-25", ["checkout"]) });
    const { body } = await create(send);
    expect(Object.keys(body.ucp.capabilities)).toEqual(["dev.ucp.shopping.checkout"]);
    expect([body.discounts, totalOf(body.totals, "total")]).toEqual([undefined, 2_000]);

    const search = await send("POST", "/catalog/search", { query: "product" });
    expect([search.status, search.body.messages?.[0].code]).toEqual([
      200,
      "capabilities_incompatible",
    ]);
  });

  test("that cannot be read, or speaks another version, is told by its code", async () => {
    const by = async (fetchProfile: () => Promise<unknown>, agent = profile) => {
      const { status, body } = await create(clientOf({ fetchProfile }), agent);
      expect(body.continue_url).toBe(returnUrl);
      return [status, body.code];
    };
    const failing = () => Promise.reject(new Error("no route"));
    expect(await by(failing)).toEqual([424, "profile_unreachable"]);
    expect(await by(async () => "<html>")).toEqual([422, "profile_malformed"]);
    expect(await by(async () => ({ ucp: { version: 1 } }))).toEqual([422, "profile_malformed"]);
    for (const version of ["2026-01-11", "2026-01-23"])
      expect(await by(async () => platform(version))).toEqual([422, "version_unsupported"]);
    expect(await by(async () => platform(), "http://agent.example/ucp")).toEqual([
      400,
      "invalid_profile_url",
    ]);
  });

  test("is not believed where the host knows its agents, and orders are not served where it does not", async () => {
    const seen: unknown[] = [];
    const broken = clientOf({
      authorize: () => {
        throw new Error("down");
      },
      onError: (error) => seen.push(error),
    });
    expect((await create(broken)).status).toBe(503);
    expect(seen).toHaveLength(1);
    expect((await create(clientOf({ authorize: async () => false }))).status).toBe(401);
    expect((await clientOf()("GET", "/orders/ord_1")).status).toBe(404);
    expect(() => clientOf({ authorize: true as never })).toThrow("Option authorize");
  });
});
