import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { nodeTransport, type Sent, type WebhookPost } from "vitrine/transport";
import type { UcpOptions } from "vitrine/ucp";
import { createDashboardShop } from "../support/dashboard-shop.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { acpClient, judge as judgeAcp } from "./acp-client.ts";
import { openAcpShop } from "./acp-shop.ts";
import { totalOf } from "./agent-http.ts";
import { digest, isSignedBy, type Jwk } from "./signatures/http-signatures.ts";
import { profile, ucpClient, ucpEndpoint } from "./ucp-client.ts";
import { judge } from "./ucp-schemas.ts";

const limits = { checkout: null, sessions: null, orders: null };
const other = "https://other.example/profile.json";
const storeKey: Jwk = {
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  kid: "store-2026",
};

/** A receiver of messages that takes them, or does what it is told. */
function receiver(answer: (post: WebhookPost) => Partial<Sent> = () => ({})) {
  const posts: WebhookPost[] = [];
  const taken = { ok: true, status: 200, error: null, snippet: "", duration_ms: 1 };
  return {
    posts,
    check: async () => ({ ok: true }) as const,
    async send(post: WebhookPost): Promise<Sent> {
      posts.push(post);
      return { ...taken, ...answer(post) };
    },
  };
}
const refusing = { ok: false, status: 500, error: "http_status" } as const;

const capability = (url: string) => ({
  ucp: {
    version: "2026-08-25",
    capabilities: Object.fromEntries(
      ["checkout", "discount", "order"].map((name) => [
        `dev.ucp.shopping.${name}`,
        [{ version: "2026-08-25", ...(name === "order" && { config: { webhook_url: url } }) }],
      ]),
    ),
  },
});
const fetchProfile = async (url: string) =>
  capability(`https://${new URL(url).hostname}/orders?shop=a`);

const ucpOf = (shop: Shop, more: Partial<UcpOptions> = {}) =>
  ucpEndpoint(shop, {
    fetchProfile,
    signingKey: storeKey as never,
    webhooks: { agents: [profile, other] },
    ...more,
  });

async function buy(shop: Shop, endpoint: ReturnType<typeof ucpOf>, agent = profile) {
  const headers = { "ucp-agent": `profile="${agent}"` };
  const line_items = [{ item: { id: shop.product.id }, quantity: 2 }];
  const send = ucpClient(endpoint);
  const made = (await send("POST", "/checkout-sessions", { line_items }, { headers })).body;
  const { order } = await shop.storefront.checkout.submit(made.continue_url.split("/").at(-1), {
    payment_method_id: shop.a.method_id,
  });
  return { checkout_id: made.id as string, id: order.id };
}

const bodiesOf = (posts: readonly WebhookPost[]) => posts.map(({ body }) => JSON.parse(`${body}`));
const where = (shop: Shop) => ({ store_id: shop.a.id, livemode: false });
const half = (shop: Shop) => ({
  ...where(shop),
  reference: "r1",
  amount: 500,
});

describe.each(storages)("order webhooks, on %s", (_name, open) => {
  test("UCP: an agent is told of its own paid order and of each refund, signed", async () => {
    const inbox = receiver();
    const shop = await createShop(await open(), { limits, transport: inbox });
    const { drainWebhooks, orders } = shop.storefront;
    const bought = await buy(shop, ucpOf(shop));
    await shop.buy();
    await drainWebhooks();
    expect(inbox.posts).toHaveLength(1);
    await orders.refund(bought.id, half(shop));
    await drainWebhooks();
    expect(inbox.posts).toHaveLength(2);

    const [created, updated] = bodiesOf(inbox.posts);
    for (const body of [created, updated]) judge("shopping/order.json", body);
    expect(created).toMatchObject({ ...bought, adjustments: [] });
    expect(created.permalink_url).toMatch(/^https:\/\/pay\.example\.com\/c\//);
    expect(updated.adjustments).toMatchObject([{ type: "refund", status: "completed" }]);
    expect(totalOf(updated.totals, "total")).toBe(2_000);
    expect(JSON.stringify([created, updated])).not.toContain("customer");

    for (const { url, headers, body } of inbox.posts) {
      expect(url).toBe("https://agent.example/orders?shop=a");
      expect(headers["ucp-agent"]).toBe('profile="https://shop.example.com/.well-known/ucp"');
      expect(headers["webhook-id"]).toMatch(/^evt_/);
      expect(headers["webhook-timestamp"]).toMatch(/^\d{10}$/);
      expect(headers["content-digest"]).toBe(`sha-256=${digest(`${body}`)}`);
      expect(isSignedBy(storeKey, baseOf(url, headers), headers["signature"]?.slice(5) ?? "")).toBe(
        true,
      );
    }
  });

  test("ACP: an agent is told of its own paid order and of each refund, signed", async () => {
    const inbox = receiver();
    const { shop, mounted, agents, wanted, pay } = await openAcpShop(await open(), undefined, {
      transport: inbox,
    });
    const url = "https://assistant.example/agentic_checkout/webhooks/order_events";
    const secret = "whsec_of_the_agent";
    const told = { assistant: { url, secret }, other: { url: "https://o.example/", secret } };
    const endpoint = mounted({ webhooks: { agents: told } });
    const asAgent = (key: string) => acpClient(endpoint, key);
    await asAgent(agents.other)("POST", "/checkout_sessions", wanted());
    const made = await asAgent(agents.assistant)("POST", "/checkout_sessions", wanted());
    const { order } = await pay(made.body);
    await shop.buy();
    await shop.storefront.drainWebhooks();
    await shop.storefront.orders.refund(order.id, half(shop));
    shop.advance(10_000);
    await shop.storefront.drainWebhooks();

    const bodies = bodiesOf(inbox.posts);
    expect(bodies.map(({ type }) => type)).toEqual(["order_create", "order_update"]);
    for (const body of bodies) {
      expect(Object.keys(body)).toEqual(["type", "data"]);
      judgeAcp("2026-04-17", "Order", body.data);
      expect(body.data).toMatchObject({ type: "order", id: order.id, status: "confirmed" });
    }
    expect(bodies[1].data.adjustments).toMatchObject([
      { type: "refund", status: "completed", amount: 500, currency: "brl" },
    ]);
    expect(totalOf(bodies[1].data.totals, "amount_refunded")).toBe(500);

    for (const { headers, body, ...post } of inbox.posts) {
      expect(post.url).toBe(url);
      const [, time, mac] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["merchant-signature"] ?? "") ?? [];
      expect(mac).toBe(createHmac("sha256", secret).update(`${time}.${body}`).digest("hex"));
    }
  });

  test("a message is a delivery: by the schedule of endpoints, listed with each attempt, sent again", async () => {
    let isDown = true;
    const inbox = receiver(({ url }) => (isDown && url.includes("agent.ex") ? refusing : {}));
    const shop = await createShop(await open(), { limits, transport: inbox });
    const { drainWebhooks } = shop.storefront;
    const { deliveries, endpoints } = shop.owner;
    const bought = await buy(shop, ucpOf(shop));
    expect(await drainWebhooks()).toMatchObject({ attempted: 1, rescheduled: 1 });

    // The one that is down keeps no other waiting, and is asked again when the schedule says so.
    const others = await buy(shop, ucpOf(shop), other);
    expect(await drainWebhooks()).toMatchObject({ attempted: 1, delivered: 1 });
    expect(bodiesOf(inbox.posts).map(({ id }) => id)).toEqual([bought.id, others.id]);
    shop.advance(60_000);
    isDown = false;
    expect(await drainWebhooks()).toMatchObject({ attempted: 1, delivered: 1 });

    const listed = await endpoints.list(where(shop));
    expect(listed.map(({ agent }) => agent).sort()).toEqual([`ucp:${profile}`, `ucp:${other}`]);
    const mine = listed.find(({ agent }) => agent === `ucp:${profile}`);
    const query = { ...where(shop), endpoint_id: mine?.id ?? "" };
    const [delivery, ...more] = (await deliveries.list(query)).data;
    expect(more).toEqual([]);
    expect(delivery).toMatchObject({ event_type: "order.paid", state: "delivered", attempts: 2 });
    const named = { ...query, event_id: delivery?.event_id ?? "" };
    const attempts = await deliveries.attempts(named);
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 500]);

    // A message that comes late tells the order as it stands, so that it puts nothing back.
    await shop.storefront.orders.refund(bought.id, half(shop));
    await drainWebhooks();
    await deliveries.resend(named);
    expect(await drainWebhooks()).toMatchObject({ attempted: 1, delivered: 1 });
    const again = inbox.posts.at(-1);
    expect(again?.headers["webhook-id"]).toBe(named.event_id);
    expect(bodiesOf(inbox.posts).at(-1)).toMatchObject({ id: bought.id, adjustments: [{}] });
    const health = await endpoints.health(where(shop), query.endpoint_id);
    expect(health.last_24_hours).toMatchObject({ attempts: 4, accepted: 3 });
  });

  test("an agent has one endpoint, which follows its address and what the owner has made of it", async () => {
    const inbox = receiver();
    const shop = await createShop(await open(), { limits, transport: inbox });
    const { endpoints } = shop.owner;
    let hook = "https://agent.example/old";
    const mount = () => ucpOf(shop, { fetchProfile: async () => capability(hook) });
    const both = [mount(), mount()] as const;
    await Promise.all([buy(shop, both[0]), buy(shop, both[1])]);
    const [made, ...more] = await endpoints.list(where(shop));
    expect(more).toEqual([]);
    expect(made).toMatchObject({ url: hook, state: "enabled", agent: `ucp:${profile}` });

    const id = made?.id ?? "";
    await endpoints.update(where(shop), id, { description: "Assistant" });
    await endpoints.disable(where(shop), id);
    hook = "https://agent.example/new";
    await buy(shop, mount());
    const changed = { url: hook, state: "disabled", description: "Assistant" };
    expect(await endpoints.retrieve(where(shop), id)).toMatchObject(changed);
    await endpoints.enable(where(shop), id);
    await buy(shop, mount());
    await shop.storefront.drainWebhooks();
    expect(inbox.posts.map(({ url }) => url)).toEqual([hook]);

    // The storage has the key sealed.
    const stored = JSON.stringify(await shop.storage.webhooks.listEndpoints(where(shop)));
    expect(stored).not.toContain(String(storeKey.d));
    const next = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const newKey = { ...next.export({ format: "jwk" }), kid: "store-2027" };
    await buy(
      shop,
      ucpOf(shop, { fetchProfile: async () => capability(hook), signingKey: newKey as never }),
    );
    await shop.storefront.drainWebhooks();
    expect(inbox.posts.at(-1)?.headers["signature-input"]).toContain("store-2027");

    const refused = { code: "invalid_transition", message: expect.stringContaining("an agent") };
    for (const call of [
      () => endpoints.update(where(shop), id, { url: "https://me.example/" }),
      () => endpoints.update(where(shop), id, { event_types: "*" }),
      () => endpoints.rotateSecret(where(shop), id),
      () => endpoints.sendTestEvent(where(shop), id),
    ])
      await expect(call()).rejects.toMatchObject(refused);
  });
});

/** Makes what the message has signed, as RFC 9421 makes it of the request. */
function baseOf(url: string, headers: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url);
  const derived: Record<string, string> = {
    "@method": "POST",
    "@authority": host,
    "@path": pathname,
    "@query": search,
  };
  const input = headers["signature-input"]?.slice("sig1=".length) ?? "";
  const names = [...input.slice(0, input.indexOf(")")).matchAll(/"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  for (const name of [...Object.keys(derived), "content-digest", "content-type", "ucp-agent"])
    expect(names).toContain(name);
  const lines = names.map((name) => `"${name}": ${derived[name] ?? headers[name]}`);
  return [...lines, `"@signature-params": ${input}`].join("\n");
}

test.each(["http://169.254.169.254/latest", "https://127.0.0.1/hook", "http://[::1]:80/", "x"])(
  "no agent leads the store to %s, and each can buy",
  async (url) => {
    const shop = await createShop(memoryStorage(), { limits, transport: nodeTransport() });
    const told: unknown[] = [];
    const endpoint = ucpOf(shop, {
      fetchProfile: async () => capability(url),
      onError: (error) => void told.push(error),
    });
    await buy(shop, endpoint);
    await buy(shop, endpoint);
    expect(told.map(String)).toEqual([expect.stringMatching(/webhook URL is not allowed/)]);
    expect(await shop.owner.endpoints.list(where(shop))).toEqual([]);
  },
);

test("an agent that is not named gets no endpoint, and no order is told to an agent of its own choice", async () => {
  const inbox = receiver();
  const shop = await createShop(memoryStorage(), { limits, transport: inbox });
  await buy(shop, ucpOf(shop, { webhooks: { agents: [other] } }));
  await shop.storefront.drainWebhooks();
  expect([await shop.owner.endpoints.list(where(shop)), inbox.posts]).toEqual([[], []]);
});

test("a store that has all its endpoints gives an agent none, and sells to it", async () => {
  const shop = await createShop(memoryStorage(), { limits });
  for (let count = 0; count < 50; count += 1)
    await shop.owner.endpoints.create({ ...where(shop), url: `https://a.example/${count}` });
  const told: unknown[] = [];
  await buy(shop, ucpOf(shop, { onError: (error) => void told.push(error) }));
  expect(told.map(String)).toEqual([expect.stringContaining("50 endpoints already")]);
});

test("the profile announces orders only where agents are told of them", async () => {
  const shop = await createShop(memoryStorage(), { limits });
  const told = (await ucpClient(ucpOf(shop))("GET", "/.well-known/ucp")).body.ucp;
  expect(told.capabilities["dev.ucp.shopping.order"][0].version).toBe("2026-08-25");
  const silent = (await ucpClient(ucpEndpoint(shop))("GET", "/.well-known/ucp")).body.ucp;
  expect(silent.capabilities).not.toHaveProperty("dev.ucp.shopping.order");
});

test("wrong options are refused at once", async () => {
  const { shop, mounted } = await openAcpShop();
  const agents = [profile];
  for (const [message, options] of [
    [/signingKey/, { fetchProfile, webhooks: { agents } }],
    [/fetchProfile/, { signingKey: storeKey, webhooks: { agents } }],
    [/agents/, { fetchProfile, signingKey: storeKey, webhooks: {} }],
  ] as const)
    expect(() => ucpEndpoint(shop, options as never)).toThrow(message);
  for (const wrong of [
    { stranger: { url: "https://a.example/", secret: "s" } },
    { assistant: { url: "nowhere", secret: "s" } },
    { assistant: { url: "https://a.example/", secret: "" } },
  ])
    expect(() => mounted({ webhooks: { agents: wrong as never } })).toThrow(/agents/);

  const silent = await createShop(memoryStorage(), { transport: undefined });
  expect(() => ucpOf(silent)).toThrow(/transport/);
});

test("the dashboard shows an agent's endpoint, and its messages in the order's history", async () => {
  const shop = await createDashboardShop({ storefront: { limits, transport: receiver() } });
  const bought = await buy(shop, ucpOf(shop));
  await shop.storefront.drainWebhooks();
  const visitor = shop.visitor();
  const at = `/dashboard/${shop.a.id}/test`;
  const order = (await visitor.send(`${at}/orders/${bought.id}`)).body ?? "";
  expect(order).toContain("agent.example/orders");

  const [endpoint] = await shop.owner.endpoints.list(where(shop));
  const page = await visitor.send(`${at}/webhooks/${endpoint?.id}`);
  expect(page.body).toContain(`ucp:${profile}`);
  expect(page.body).toContain("in its own protocol");
  for (const control of ['value="test"', 'value="save"', "/rotate"])
    expect(page.body).not.toContain(control);
  const rotated = await visitor.submit(`${at}/webhooks/${endpoint?.id}/rotate`, "confirm");
  expect([rotated.status, rotated.body?.includes("that of an agent")]).toEqual([409, true]);
});
