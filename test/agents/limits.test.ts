import { describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { createShopperMcp } from "vitrine/mcp";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { openAcpShop } from "./acp-shop.ts";
import { listen, mcpClient, meta } from "./mcp-client.ts";
import { ucpClient, ucpEndpoint } from "./ucp-client.ts";

const off = { checkout: null, sessions: null };
const window_ms = 60_000;
const other = { headers: { "ucp-agent": 'profile="https://other.example/profile.json"' } };

const openShop = (storage: Storage, limits: object) =>
  createShop(storage, { limits: { ...off, ...limits } });
const linesOf = (shop: Shop) => ({
  line_items: [{ item: { id: shop.product.id }, quantity: 1 }],
});

describe.each(storages)("limits of agents, on %s", (_name, open) => {
  test("an agent of UCP beyond its limit waits, and no other one nor the store's site does", async () => {
    const shop = await openShop(await open(), { agents: { limit: 4, window_ms } });
    const send = ucpClient(ucpEndpoint(shop));
    const create = (sent = {}) => send("POST", "/checkout-sessions", linesOf(shop), sent);

    // Each reads the store, and makes a session.
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await create(other)).status).toBe(201);
    expect((await shop.session()).status).toBe(201);

    shop.advance(window_ms + 1);
    expect((await create()).status).toBe(201);
  });

  test("all agents of a store have a limit together, whatever they call themselves", async () => {
    const shop = await openShop(await open(), { agentStores: { limit: 4, window_ms } });
    const send = ucpClient(ucpEndpoint(shop));
    const named = (name: string) => ({ headers: { "ucp-agent": `profile="https://${name}/p"` } });
    const create = (name: string) => send("POST", "/checkout-sessions", linesOf(shop), named(name));

    expect([(await create("a.example")).status, (await create("b.example")).status]).toEqual([
      201, 201,
    ]);
    expect((await create("c.example")).status).toBe(429);
    expect((await shop.session()).status).toBe(201);
    shop.advance(window_ms + 1);
    expect((await create("c.example")).status).toBe(201);
  });

  test("a session has a limit of its own, which a stranger who knows its id does not use up", async () => {
    const shop = await openShop(await open(), { agentSessions: { limit: 4, window_ms } });
    const send = ucpClient(ucpEndpoint(shop));
    const make = async () =>
      (await send("POST", "/checkout-sessions", linesOf(shop))).body.id as string;
    const [first, second] = [await make(), await make()];
    const read = (id: string, sent = {}) =>
      send("GET", `/checkout-sessions/${id}`, undefined, sent);

    for (let times = 0; times < 6; times++) await read(first, other);
    expect((await read(first)).status).toBe(200);
    const answers = [];
    for (let times = 0; times < 4; times++) answers.push((await read(first)).status);
    expect(answers.at(-1)).toBe(429);
    expect((await read(second)).status).toBe(200);
  });

  test("ACP tells of the limit in its own shape, for each agent", async () => {
    const { agents, send, wanted } = await openAcpShop(await open(), undefined, {
      limits: {
        agents: { limit: 1, window_ms },
      },
    });
    let refused = await send("POST", "/checkout_sessions", wanted());
    for (let times = 0; times < 2; times++)
      refused = await send("POST", "/checkout_sessions", wanted());
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

    const headers = { authorization: `Bearer ${agents.other}` };
    expect((await send("GET", "/checkout_sessions/cs_none", undefined, { headers })).status).toBe(
      404,
    );
  });

  test("a tool of MCP tells how long its client should wait", async () => {
    const shop = await openShop(await open(), { agents: { limit: 1, window_ms } });
    const addresses = { success_url: returnUrl, cancel_url: returnUrl };
    const options = { path: "/mcp", key: shop.a.test.pub, ...addresses };
    const { call, send } = mcpClient(await listen(createShopperMcp(shop.storefront, options)));

    expect((await call("search_products")).products).toHaveLength(1);
    const { error } = await call("search_products");
    expect(error).toMatchObject({ code: "rate_limit_exceeded", retry_after_seconds: 60 });
    const info = { "io.modelcontextprotocol/clientInfo": { name: "Another", version: "1" } };
    const named = { name: "search_products", arguments: {}, _meta: { ...meta(), ...info } };
    expect((await send("tools/call", named)).body.result.isError).toBe(false);
  });
});
