import { setTimeout as sleep } from "node:timers/promises";
import type { Storefront } from "vitrine";
import { createAcp } from "vitrine/acp";
import { createShopperMcp } from "vitrine/mcp";
import { createUcp } from "vitrine/ucp";
import type { ModeKeys } from "./secrets-file.ts";

/** The protocols that the demo's agent speaks. */
export const agentProtocols = ["ucp", "acp", "mcp"] as const;
export type AgentProtocol = (typeof agentProtocols)[number];

export interface DemoAgent {
  /** Answers the requests of agents. */
  readonly serve: Storefront["serve"];
  /** Makes a checkout, hands the buyer over, and waits until they have paid. */
  buy(): Promise<void>;
}

export interface AgentParts {
  readonly storefront: Storefront;
  readonly origin: string;
  readonly keys: ModeKeys;
  readonly store_id: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Mounts the endpoint of a protocol, with an agent that buys by it over HTTP. */
export async function openAgent(protocol: AgentProtocol, parts: AgentParts): Promise<DemoAgent> {
  const { storefront, origin, keys } = parts;
  const urls = { success_url: `${origin}/success`, cancel_url: `${origin}/cancel` };

  switch (protocol) {
    case "ucp": {
      const endpoint = `${origin}/ucp`;
      const { serve } = createUcp(storefront, { endpoint, key: keys.secret, ...urls });
      return { serve, buy: () => buyByUcp(parts) };
    }
    case "acp": {
      const ownKey = await newKey(parts);
      const agents = { "demo-agent": ownKey };
      const endpoint = `${origin}/acp`;
      const { serve } = createAcp(storefront, { endpoint, agents, key: keys.secret, ...urls });
      return { serve, buy: () => buyByAcp(parts, ownKey) };
    }
    case "mcp": {
      const { serve } = createShopperMcp(storefront, {
        path: "/mcp",
        key: keys.publishable,
        ...urls,
      });
      return { serve, buy: () => buyByMcp(parts) };
    }
  }
}

/** Makes a key for the agent. That of an earlier start is revoked: its text is lost. */
async function newKey({ storefront, store_id }: AgentParts): Promise<string> {
  const { keys } = storefront.owner;
  const name = "demo agent";
  for (const key of await keys.list(store_id))
    if (key.name === name && key.revoked_at === null) await keys.revoke(store_id, key.id);

  const scopes = ["checkout:write"] as const;
  return (await keys.create({ store_id, livemode: false, kind: "secret", name, scopes })).key;
}

/** The agent was asked to buy this. */
const wanted = "spoon";

const nothing = ({ say }: AgentParts): void => say(`Agent: I found no ${wanted} here.`);

async function buyByUcp(parts: AgentParts): Promise<void> {
  const headers = { "ucp-agent": `profile="${parts.origin}/agent.json"` };
  const { ucp } = await ask(parts, "GET", "/.well-known/ucp");
  parts.say(`Agent: the shop speaks UCP ${ucp.version}.`);

  const found = await ask(parts, "POST", "/ucp/catalog/search", { query: wanted }, headers);
  const [product] = found.products;
  if (!product) return nothing(parts);
  parts.say(`Agent: I found ${product.title}.`);

  const line_items = [{ item: { id: product.variants[0].id }, quantity: 1 }];
  const cart = await ask(parts, "POST", "/ucp/carts", { line_items }, headers);
  parts.say("Agent: it is in the cart. I check out.");

  const wish = { cart_id: cart.id, line_items: [] };
  const made = await ask(parts, "POST", "/ucp/checkout-sessions", wish, headers);
  handOver(parts, made.continue_url);
  const path = `/ucp/checkout-sessions/${made.id}`;
  const paid = await untilPaid(parts, () => ask(parts, "GET", path, undefined, headers));
  if (paid) parts.say(`Agent: paid. The order is ${paid.order.label}.`);
}

async function buyByAcp(parts: AgentParts, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "api-version": "2026-04-17" };
  const { protocol } = await ask(parts, "GET", "/.well-known/acp.json");
  parts.say(`Agent: the shop speaks ACP ${protocol.supported_versions.join(" and ")}.`);

  const feed = await fetch(`${parts.origin}/acp/products.jsonl`, { headers, signal: parts.signal });
  const lines = (await feed.text()).trim().split("\n");
  const product = lines.map((line): Answer => JSON.parse(line)).find(isWanted);
  if (!product) return nothing(parts);
  parts.say(`Agent: I found ${product.title}.`);

  const body = { line_items: [{ id: product.id }], currency: "brl", capabilities: {} };
  const made = await ask(parts, "POST", "/acp/checkout_sessions", body, headers);
  handOver(parts, made.continue_url);
  const path = `/acp/checkout_sessions/${made.id}`;
  const paid = await untilPaid(parts, () => ask(parts, "GET", path, undefined, headers));
  if (paid) parts.say(`Agent: paid. The order is #${paid.order.order_number}.`);
}

const isWanted = ({ title }: Answer): boolean => String(title).toLowerCase().includes(wanted);

async function buyByMcp(parts: AgentParts): Promise<void> {
  const found = await callTool(parts, "search_products", { query: wanted, limit: 1 });
  const [product] = found.products;
  if (!product) return nothing(parts);
  parts.say(`Agent: I found ${product.name}.`);

  const items = [{ product_id: product.id, quantity: 1 }];
  const idempotency_key = crypto.randomUUID();
  const made = await callTool(parts, "create_checkout", { items, idempotency_key });
  handOver(parts, made.checkout.checkout_url);
  const asked = { checkout_id: made.checkout.id };
  const paid = await untilPaid(
    parts,
    async () => (await callTool(parts, "get_order_status", asked)).checkout,
  );
  if (paid) parts.say("Agent: paid.");
}

const handOver = ({ say }: AgentParts, url: string): void =>
  say(`Agent: I cannot pay. Open this page, and pay there:\n\n  ${url}\n`);

const over = ["completed", "complete", "paid"];

/** Asks every second how the checkout stands. Gives null when it ended without a payment. */
async function untilPaid(parts: AgentParts, read: () => Promise<Answer>): Promise<Answer | null> {
  for (;;) {
    const checkout = await read();
    if (over.includes(checkout.status)) return checkout;
    if (["canceled", "expired"].includes(checkout.status)) {
      parts.say(`Agent: the checkout is ${checkout.status}. Nothing was bought.`);
      return null;
    }
    await sleep(1_000, undefined, { signal: parts.signal });
  }
}

async function callTool(parts: AgentParts, name: string, args: object): Promise<Answer> {
  const version = "2026-07-28";
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version,
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name, arguments: args, _meta };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const { result } = await ask(parts, "POST", "/mcp", message, headers);
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  return result.structuredContent;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of an answer, whose shape its protocol says
type Answer = any;

async function ask(
  { origin, signal }: AgentParts,
  ...[method, path, body, headers = {}]: [
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ]
): Promise<Answer> {
  const answer = await fetch(origin + path, {
    method,
    signal,
    headers: {
      ...headers,
      ...(method === "GET" ? {} : { "idempotency-key": crypto.randomUUID() }),
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text);
}
