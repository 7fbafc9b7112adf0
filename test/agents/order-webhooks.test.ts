import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { memoryStorage } from "vitrine";
import { nodeTransport, type Sent, type WebhookPost } from "vitrine/transport";
import type { UcpOptions } from "vitrine/ucp";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { judge as judgeAcp } from "./acp-client.ts";
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

/** Runs until the test ends, or what it gives is called. */
function run(endpoint: { runOrderWebhooks(options: { signal: AbortSignal }): Promise<void> }) {
  const stop = new AbortController();
  const ended = endpoint.runOrderWebhooks({ signal: stop.signal });
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  onTestFinished(end);
  return end;
}

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

const ucpOf = (
  shop: Shop,
  transport: ReturnType<typeof receiver>,
  more: Partial<UcpOptions> = {},
) =>
  ucpEndpoint(shop, {
    fetchProfile,
    signingKey: storeKey as never,
    webhooks: { agents: [profile, other], transport },
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
const quick = { timeout: 10_000, interval: 20 };
const half = (shop: Shop) => ({
  store_id: shop.a.id,
  livemode: false,
  reference: "r1",
  amount: 500,
});

describe.each(storages)("order webhooks, on %s", (_name, open) => {
  test("UCP: an agent is told of its own paid order and of each refund, signed", async () => {
    const shop = await createShop(await open(), { limits, now: () => Date.now() });
    const inbox = receiver();
    const endpoint = ucpOf(shop, inbox);
    run(endpoint);
    const bought = await buy(shop, endpoint);
    await shop.buy();
    await vi.waitFor(() => expect(inbox.posts).toHaveLength(1), quick);
    await shop.storefront.orders.refund(bought.id, half(shop));
    await vi.waitFor(() => expect(inbox.posts).toHaveLength(2), quick);

    const [created, updated] = bodiesOf(inbox.posts);
    for (const body of [created, updated]) judge("shopping/order.json", body);
    expect(created).toMatchObject({ ...bought, adjustments: [] });
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

  test("UCP: what an agent does not take comes again, after a restart too", async () => {
    const shop = await createShop(await open(), { limits, now: () => Date.now() });
    let isDown = true;
    const inbox = receiver(({ url }) => (isDown && url.includes("agent.ex") ? refusing : {}));
    const told: unknown[] = [];
    const endpoint = ucpOf(shop, inbox, { onError: (error) => void told.push(error) });
    const end = run(endpoint);
    const bought = await buy(shop, endpoint);
    await vi.waitFor(() => expect(inbox.posts.length).toBeGreaterThan(0), quick);

    // The one that is down keeps no other waiting.
    const others = await buy(shop, endpoint, other);
    const isOthers = ({ url }: WebhookPost) => url.startsWith("https://other.example/");
    await vi.waitFor(() => expect(inbox.posts.filter(isOthers)).toHaveLength(1), quick);
    expect(bodiesOf(inbox.posts.filter(isOthers))[0].id).toBe(others.id);
    await end();
    expect(shop.errors.map(String).join()).toMatch(/agent\.example.* did not take evt_.*500/);
    shop.errors.length = 0;

    isDown = false;
    inbox.posts.length = 0;
    run(ucpOf(shop, inbox));
    await vi.waitFor(() => expect(inbox.posts).toHaveLength(1), quick);
    expect(bodiesOf(inbox.posts)[0].id).toBe(bought.id);
  });

  test("ACP: an agent is told of its own paid order and of each refund, signed", async () => {
    const { shop, mounted, create, pay } = await openAcpShop(await open());
    const inbox = receiver();
    const url = "https://assistant.example/agentic_checkout/webhooks/order_events";
    const secret = "whsec_of_the_agent";
    const agents = { assistant: { url, secret }, other: { url: "https://o.example/", secret } };
    run(mounted({ webhooks: { transport: inbox, agents } }));
    const { order } = await pay(await create());
    await shop.buy();
    await vi.waitFor(() => expect(inbox.posts).toHaveLength(1), quick);
    await shop.storefront.orders.refund(order.id, half(shop));
    shop.advance(10_000);
    await vi.waitFor(() => expect(inbox.posts).toHaveLength(2), quick);

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

  test("an event that no attempt of a webhook would still be made for is given up, and told", async () => {
    let later = 0;
    const shop = await createShop(await open(), { limits, now: () => Date.now() + later });
    const inbox = receiver(() => refusing);
    const endpoint = ucpOf(shop, inbox);
    await buy(shop, endpoint);
    later = 118_000_000;
    run(endpoint);
    await vi.waitFor(() => expect(shop.errors).toHaveLength(1), quick);
    expect(String(shop.errors.splice(0))).toMatch(/evt_\w+ is given up/);
    expect(inbox.posts).toHaveLength(1);

    const [alert] = (await shop.owner.alerts.list(shop.a.id)).data;
    expect(alert).toMatchObject({ type: "event_given_up", subject: `ucp ${profile}` });
    expect(shop.alerts).toEqual(["event_given_up"]);
  });

  test("the owner is told of an agent that takes nothing for an hour, once a day, with the order", async () => {
    let later = 0;
    const shop = await createShop(await open(), { limits, now: () => Date.now() + later });
    const inbox = receiver(({ url }) => (url.includes("other") ? {} : refusing));
    const endpoint = ucpOf(shop, inbox);
    const { id } = await buy(shop, endpoint);
    await buy(shop, endpoint, other);
    run(endpoint);
    await vi.waitFor(() => expect(inbox.posts.length).toBeGreaterThan(1), quick);
    const listed = async () => (await shop.owner.alerts.list(shop.a.id)).data;
    expect(await listed()).toEqual([]);

    later = 3_600_000;
    await vi.waitFor(async () => expect(await listed()).toHaveLength(1), quick);
    const [alert] = await listed();
    expect(alert).toMatchObject({
      type: "consumer_failing",
      subject: `ucp ${profile}`,
      livemode: false,
      data: { event_type: "order.paid", order_id: id },
    });
    later += 3_600_000;
    const tried = inbox.posts.length;
    await vi.waitFor(() => expect(inbox.posts.length).toBeGreaterThan(tried), quick);
    expect(await listed()).toHaveLength(1);
    shop.errors.length = 0;
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

test.each(["http://169.254.169.254/latest", "https://127.0.0.1/hook", "http://[::1]:80/"])(
  "no agent leads the store to %s",
  async (url) => {
    const shop = await createShop(memoryStorage(), { limits, now: () => Date.now() });
    const endpoint = ucpOf(shop, receiver(), {
      fetchProfile: async () => capability(url),
      webhooks: { agents: [profile], transport: nodeTransport() },
    });
    await buy(shop, endpoint);
    run(endpoint);
    await vi.waitFor(() => expect(shop.errors.map(String).join()).toContain("ssrf_blocked"), quick);
    shop.errors.length = 0;
  },
);

test("the profile announces orders only where agents are told of them", async () => {
  const shop = await createShop(memoryStorage(), { limits });
  const told = (await ucpClient(ucpOf(shop, receiver()))("GET", "/.well-known/ucp")).body.ucp;
  expect(told.capabilities["dev.ucp.shopping.order"][0].version).toBe("2026-08-25");
  const silent = (await ucpClient(ucpEndpoint(shop))("GET", "/.well-known/ucp")).body.ucp;
  expect(silent.capabilities).not.toHaveProperty("dev.ucp.shopping.order");
});

test("wrong options are refused at once, and a run without the option names it", async () => {
  const { shop, mounted } = await openAcpShop();
  const transport = receiver();
  const agents = [profile];
  for (const [message, options] of [
    [/signingKey/, { fetchProfile, webhooks: { agents, transport } }],
    [/fetchProfile/, { signingKey: storeKey, webhooks: { agents, transport } }],
    [/transport/, { fetchProfile, signingKey: storeKey, webhooks: { agents } }],
    [/agents/, { fetchProfile, signingKey: storeKey, webhooks: { transport } }],
  ] as const)
    expect(() => ucpEndpoint(shop, options as never)).toThrow(message);
  for (const wrong of [
    { stranger: { url: "https://a.example/", secret: "s" } },
    { assistant: { url: "nowhere", secret: "s" } },
    { assistant: { url: "https://a.example/", secret: "" } },
  ])
    expect(() => mounted({ webhooks: { transport, agents: wrong as never } })).toThrow(/agents/);

  const { signal } = new AbortController();
  await expect(mounted().runOrderWebhooks({ signal })).rejects.toThrow(/webhooks/);
  await expect(ucpEndpoint(shop).runOrderWebhooks({ signal })).rejects.toThrow(/webhooks/);
});
