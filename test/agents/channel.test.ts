import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createShopperMcp } from "vitrine/mcp";
import { toNode } from "vitrine/node";
import { channelOf } from "../../src/agents/shared/channel.ts";
import { returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { openAcpShop } from "./acp-shop.ts";
import { listen, mcpClient, meta } from "./mcp-client.ts";
import { profile, ucpClient, ucpEndpoint } from "./ucp-client.ts";

const payFor = (shop: Shop, address: string) =>
  shop.storefront.checkout.submit(address.split("/").at(-1) ?? "", {
    payment_method_id: shop.a.method_id,
  });

describe.each(storages)("the owner sees which agent sold, on %s", (_name, open) => {
  test("by each protocol, on sessions, orders, numbers and the export", async () => {
    const { shop, create, pay } = await openAcpShop(await open());
    const where = { store_id: shop.a.id, livemode: false };
    const items = [{ product_id: shop.product.id, quantity: 1 }];

    await pay(await create());
    const ucp = ucpClient(ucpEndpoint(shop));
    const line_items = [{ item: { id: shop.product.id }, quantity: 1 }];
    const made = (await ucp("POST", "/checkout-sessions", { line_items })).body;
    await ucp("PUT", `/checkout-sessions/${made.id}`, { line_items });
    await payFor(shop, made.continue_url);
    const mcp = createShopperMcp(shop.storefront, {
      path: "/mcp",
      key: shop.a.test.pub,
      success_url: returnUrl,
      cancel_url: returnUrl,
    });
    const { checkout } = await mcpClient(await listen(mcp)).call("create_checkout", { items });
    await payFor(shop, checkout.checkout_url);
    await shop.buy();

    const channels = [null, "mcp", `ucp:${new URL(profile).hostname}`, "acp:assistant"];
    const { data } = await shop.owner.orders.list(where);
    expect(data.map(({ channel }) => channel)).toEqual(channels);
    const sessions = await shop.owner.sessions.list(where);
    expect(sessions.data.map(({ channel }) => channel).sort()).toEqual(channels.sort());
    const one = { ...where, order_id: data[1]?.id ?? "" };
    expect((await shop.owner.orders.retrieve(one)).channel).toBe("mcp");

    const by = async (channel: string) =>
      (await shop.owner.orders.list({ ...where, channel })).data.map(({ number }) => number);
    expect(await by("ucp")).toEqual([2]);
    expect(await by(`ucp:${new URL(profile).hostname}`)).toEqual([2]);
    expect([await by("acp:assistant"), await by("mcp"), await by("acp:other")]).toEqual([
      [1],
      [3],
      [],
    ]);
    const wrong = shop.owner.orders.list({ ...where, channel: 7 as never });
    await expect(wrong).rejects.toMatchObject({ code: "parameter_invalid", param: "channel" });

    const hour = { from: shop.now() - 3_600_000, to: shop.now() + 3_600_000 };
    const [sold] = (await shop.owner.sales({ ...where, ...hour })).currencies;
    expect(sold?.channels.map(({ channel }) => channel).sort()).toEqual(channels.sort());
    expect(sold?.channels.every(({ orders, pieces }) => orders === 1 && pieces === 1)).toBe(true);

    const from = new Date(shop.now()).toISOString();
    const to = new Date(shop.now() + 3_600_000).toISOString();
    const stats = await shop.owner.stats({ ...where, from, to, interval: "hour" });
    expect(stats.currencies[0]?.totals).toMatchObject({
      orders_paid: 4,
      orders_by_agents: 3,
      amount_by_agents: 3_000,
    });
    const decoder = new TextDecoder();
    const exported = async (filters: object) => {
      let file = "";
      const query = { ...where, format: "csv", ...filters } as const;
      for await (const part of (await shop.owner.export("orders", query)).body)
        file += decoder.decode(part);
      return file.trim().split("\r\n");
    };
    const [head = "", ...lines] = await exported({});
    expect(head.split(",").at(-1)).toBe("channel");
    expect(lines.filter((line) => line.endsWith(",acp:assistant"))).toHaveLength(1);
    const [, ...ofMcp] = await exported({ channel: "mcp" });
    expect([lines.length, ofMcp.map((line) => line.split(",").at(-1))]).toEqual([4, ["mcp"]]);
  });

  test("and no caller of the API can say that it is one", async () => {
    const { shop } = await openAcpShop(await open());
    const server = createServer(toNode(shop.storefront)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as { port: number };

    const named = { channel: "ucp:evil.example" };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/checkout/sessions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${shop.a.test.sec}`,
        "content-type": "application/json",
        "idempotency-key": "forged",
        "x-channel": "ucp:evil.example",
        ...named,
      },
      body: JSON.stringify({
        items: [{ product_id: shop.product.id, quantity: 1 }],
        success_url: returnUrl,
        cancel_url: returnUrl,
        metadata: named,
        ...named,
      }),
    });
    const made = (await answer.json()) as { data: { checkout_url: string } };
    const { order } = await payFor(shop, made.data.checkout_url);

    const one = { store_id: shop.a.id, livemode: false, order_id: order.id };
    expect((await shop.owner.orders.retrieve(one)).channel).toBeNull();
  });
});

test.each([
  ["agent.example", "ucp:agent.example"],
  ["Agent GmbH & Co.", "ucp:agent-gmbh-co."],
  ["<script>alert(1)</script>", "ucp:script-alert-1-script"],
  ["a\r\nx-header: 1", "ucp:a-x-header-1"],
  ["\u202Egnp.exe", "ucp:gnp.exe"],
  ["品店", "ucp"],
  ["", "ucp"],
  ["x".repeat(10_000), `ucp:${"x".repeat(64)}`],
])(
  "an agent that calls itself %j is a name without meaning to any page or file",
  (name, channel) => {
    expect(channelOf("ucp", name)).toBe(channel);
  },
);

test("a client of MCP is named as it names itself, folded and cut", async () => {
  const { shop } = await openAcpShop();
  const mcp = createShopperMcp(shop.storefront, {
    path: "/mcp",
    key: shop.a.test.pub,
    success_url: returnUrl,
    cancel_url: returnUrl,
  });
  const { send } = mcpClient(await listen(mcp));
  const items = [{ product_id: shop.product.id, quantity: 1 }];
  const names = ["Claude Desktop", `<b>${"y".repeat(500)}`, 7, null];
  for (const name of names)
    await send("tools/call", {
      name: "create_checkout",
      arguments: { items },
      _meta: { ...meta(), "io.modelcontextprotocol/clientInfo": { name, version: "1" } },
    });

  const { data } = await shop.owner.sessions.list({ store_id: shop.a.id, livemode: false });
  const told = ["mcp", "mcp", `mcp:b-${"y".repeat(62)}`, "mcp:claude-desktop"];
  expect(data.map(({ channel }) => channel).sort()).toEqual(told.sort());
});
