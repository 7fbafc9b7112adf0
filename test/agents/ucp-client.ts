import { expect } from "vitest";
import { createUcp, type UcpEndpoint, type UcpOptions } from "vitrine/ucp";
import { returnUrl, type Shop } from "../support/shop.ts";
import { askEndpoint, type Sent } from "./agent-http.ts";
import { judge } from "./ucp-schemas.ts";

export const endpointUrl = "https://shop.example.com/ucp";
export const profile = "https://agent.example/profiles/shopping.json";

const discounted = "shopping/discount.json#/$defs/dev.ucp.shopping.checkout";
const discountedCart = "shopping/discount.json#/$defs/dev.ucp.shopping.cart";

const ofCart = "shopping/cart.json#/$defs/checkout";

/** The schemas of request and answer, by the path. */
const schemas: readonly (readonly [RegExp, string, string])[] = [
  [/^\/checkout-sessions/, discounted, discounted],
  [/^\/carts/, discountedCart, discountedCart],
  [/^\/orders/, "shopping/order.json", "shopping/order.json"],
  [/^\/catalog\/search/, ...catalog("search", "search")],
  [/^\/catalog\/lookup/, ...catalog("lookup", "lookup")],
  [/^\/catalog\/product/, ...catalog("lookup", "get_product")],
];

function catalog(file: string, name: string): [string, string] {
  const ref = `shopping/catalog_${file}.json#/$defs/${name}`;
  return [`${ref}_request`, `${ref}_response`];
}

function roleOf(method: string, path: string) {
  if (method === "PUT") return "update";
  if (path.endsWith("/cancel")) return "cancel";
  return path.endsWith("/complete") ? "complete" : "create";
}

/** An agent: it sends what the protocol says, and judges each request and answer by its schemas. */
export function ucpClient(endpoint: UcpEndpoint) {
  return async (method: string, path: string, body?: unknown, sent: Sent = {}) => {
    const [, asked, given] = schemas.find(([pattern]) => pattern.test(path)) ?? [];
    if (asked && body !== undefined && !sent.wrong) {
      const role = roleOf(method, path);
      if (role !== "cancel") judge(asked, body, role);
      if (role === "create" && path === "/checkout-sessions") judge(ofCart, body, role);
    }

    const headers = {
      "ucp-agent": `profile="${profile}"`,
      "request-id": crypto.randomUUID(),
      "idempotency-key": method === "GET" ? undefined : crypto.randomUUID(),
    };
    const url = path.startsWith("/.well-known")
      ? `https://shop.example.com${path}`
      : endpointUrl + path;
    const answer = await askEndpoint(endpoint, { method, url, body, headers }, sent);
    judgeAnswer(given, answer);
    return answer;
  };
}

export type UcpClient = ReturnType<typeof ucpClient>;

// biome-ignore lint/suspicious/noExplicitAny: tests read into JSON freely
function judgeAnswer(schema: string | undefined, { status, body }: { status: number; body: any }) {
  expect(status).not.toBe(500);
  expect(JSON.stringify(body)).not.toMatch(/hk_(live|test)_(pub|sec)_\w{8}/);
  if (!schema) return;

  if (status >= 400) {
    expect(body).toMatchObject({ code: expect.any(String), content: expect.any(String) });
    if (body.ucp) judge(schema, body);
    return;
  }
  judge(body.ucp.status === "error" ? "common/types/error_response.json" : schema, body);
  if (body.status === "requires_escalation") {
    expect(body.continue_url).toMatch(/^https:/);
    const severities = body.messages.map(({ severity }: { severity: string }) => severity);
    expect(severities.join()).toContain("requires_buyer_");
  }
}

/** Mounts the endpoint on a shop, with the store's secret key. */
export const ucpEndpoint = (shop: Shop, options: Partial<UcpOptions> = {}): UcpEndpoint =>
  createUcp(shop.storefront, {
    endpoint: endpointUrl,
    key: shop.a.test.sec,
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...options,
  });
