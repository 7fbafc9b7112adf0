import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { UcpOptions } from "vitrine/ucp";
import { createShop, type Shop } from "../support/shop.ts";
import { askEndpoint } from "./agent-http.ts";
import { endpointUrl, profile, ucpEndpoint } from "./ucp-client.ts";
import { judge } from "./ucp-schemas.ts";

// What 2026-04-08 has otherwise than 2026-08-25, of what this endpoint answers. Facts of the
// published schemas: a variant has selected_options, keys are signing_keys, and some members do
// not exist. All else must fit the newer schemas, which are at hand.
const older = "2026-04-08";
const newer = "2026-08-25";
const unknownThen = ["actions", "policies", "quantity_unit", "request_constraints"];
const names = ["checkout", "cart", "catalog.search", "catalog.lookup", "discount", "order"];

const platform = (version: string, webhook_url = "https://agent.example/orders") => ({
  ucp: {
    version,
    services: {},
    payment_handlers: {},
    capabilities: Object.fromEntries(
      names.map((name) => [
        `dev.ucp.shopping.${name}`,
        [{ version, ...(name === "order" && { config: { webhook_url } }) }],
      ]),
    ),
  },
});

const storeKey = {
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  kid: "store-2026",
} as UcpOptions["signingKey"];

// biome-ignore lint/suspicious/noExplicitAny: tests read into JSON freely
type Any = any;

/** Writes an answer of the older version as the newer says it. Fails where it has a newer member. */
function asNewer(value: Any): Any {
  if (Array.isArray(value)) return value.map(asNewer);
  if (typeof value !== "object" || value === null) return value === older ? newer : value;

  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      expect(unknownThen).not.toContain(name);
      if (name === "variants")
        for (const variant of each as Any[]) expect(variant).not.toHaveProperty("options");
      return [name === "selected_options" ? "options" : name, asNewer(each)];
    }),
  );
}

let shop: Shop;
beforeEach(async () => {
  shop = await createShop(memoryStorage(), {
    limits: { checkout: null, sessions: null, orders: null },
  });
});

/** An agent of the older version: `base` is the address that it calls. */
function agentOf(options: Partial<UcpOptions>, { base = endpointUrl, version = "" } = {}) {
  const endpoint = ucpEndpoint(shop, { authorize: () => true, ...options });
  return async (method: string, path: string, body?: unknown, schema?: string) => {
    const headers = {
      "ucp-agent": `profile="${profile}"${version && `; version="${version}"`}`,
      "idempotency-key": method === "GET" ? undefined : crypto.randomUUID(),
    };
    const answer = await askEndpoint(endpoint, { method, url: base + path, body, headers }, {});
    if (schema) judge(schema, asNewer(answer.body));
    return answer;
  };
}

/** The three ways by which an agent tells that it speaks the older version. */
const ways = [
  ["its profile", { fetchProfile: async () => platform(older) }, {}],
  ["the header", {}, { version: older }],
  ["the address of the older profile", {}, { base: `${endpointUrl}/${older}` }],
] as const;

describe.each(ways)("an agent that tells by %s that it speaks 2026-04-08", (_name, ...way) => {
  test("searches, fills a cart, buys, cancels and reads its order in that version", async () => {
    const facts = { currency: "BRL", group: "shirt", price: 3_500 };
    const { owner } = shop.storefront;
    for (const [index, size] of ["S", "L"].entries())
      await owner.products.create(shop.a.id, {
        ...facts,
        name: `Shirt ${size}`,
        position: index,
        options: [{ name: "Size", value: size }],
      });

    const send = agentOf(...way);
    const find = (path: string, body: object, name: string) =>
      send("POST", `/catalog/${path}`, body, `shopping/catalog_${name}`);
    const search = await find("search", { query: "shirt" }, "search.json#/$defs/search_response");
    const [shirt] = search.body.products;
    expect(shirt.variants.map((one: Any) => one.selected_options)).toEqual([
      [{ name: "Size", label: "S" }],
      [{ name: "Size", label: "L" }],
    ]);
    for (const variant of shirt.variants)
      for (const member of ["id", "title", "description", "price"])
        expect(variant).toHaveProperty(member);
    const ids = [shirt.variants[1].id];
    await find("lookup", { ids }, "lookup.json#/$defs/lookup_response");
    await find("product", { id: ids[0] }, "lookup.json#/$defs/get_product_response");

    const line_items = [{ item: { id: shop.product.id }, quantity: 2 }];
    const wanted = { line_items, discounts: { codes: ["SAVE10"] } };
    const cartSchema = "shopping/discount.json#/$defs/dev.ucp.shopping.cart";
    const cart = (await send("POST", "/carts", wanted, cartSchema)).body;
    const again = { id: cart.id, ...wanted };
    expect((await send("PUT", `/carts/${cart.id}`, again, cartSchema)).status).toBe(200);

    const schema = "shopping/discount.json#/$defs/dev.ucp.shopping.checkout";
    const made = await send("POST", "/checkout-sessions", { ...wanted, cart_id: cart.id }, schema);
    expect(made.body.ucp).toMatchObject({
      version: older,
      capabilities: { "dev.ucp.shopping.checkout": [{ version: older }] },
    });
    const path = `/checkout-sessions/${made.body.id}`;
    const complete = await send("POST", `${path}/complete`, { payment: {} }, schema);
    expect(complete.body.status).toBe("requires_escalation");
    await shop.storefront.checkout.submit(made.body.continue_url.split("/").at(-1), {
      payment_method_id: shop.a.method_id,
    });
    const paid = await send("GET", path, undefined, schema);
    expect(paid.body.status).toBe("completed");
    const order = `/orders/${paid.body.order.id}`;
    const read = await send("GET", order, undefined, "shopping/order.json");
    expect(read.body.ucp.version).toBe(older);

    const other = (await send("POST", "/checkout-sessions", wanted, schema)).body;
    const canceled = await send("POST", `/checkout-sessions/${other.id}/cancel`, {}, schema);
    expect(canceled.body.status).toBe("canceled");
    const missing = await send("GET", "/checkout-sessions/cs_no", undefined);
    expect(missing.body.ucp).toEqual({ version: older, status: "error" });
  });
});

describe("the profile of 2026-04-08", () => {
  test("is found by supported_versions, with its endpoint, texts and keys", async () => {
    const send = agentOf({ signingKey: storeKey }, { base: "" });
    const { body } = await send("GET", "https://shop.example.com/.well-known/ucp");
    judge("profile.json#/$defs/business_schema", body);
    expect(body.ucp.supported_versions).toEqual({ [older]: `${endpointUrl}/${older}` });

    const found = await send("GET", body.ucp.supported_versions[older]);
    expect(found.headers.get("cache-control")).toBe("public, max-age=300");
    const { ucp, signing_keys } = found.body;
    judge("profile.json#/$defs/business_schema", { ucp });
    expect(ucp).not.toHaveProperty("supported_versions");
    expect(ucp.services["dev.ucp.shopping"]).toEqual([
      {
        version: older,
        spec: `https://ucp.dev/${older}/specification/overview`,
        transport: "rest",
        schema: `https://ucp.dev/${older}/services/shopping/rest.openapi.json`,
        endpoint: `${endpointUrl}/${older}`,
      },
    ]);
    expect(ucp.capabilities["dev.ucp.shopping.checkout"]).toEqual([
      {
        version: older,
        spec: `https://ucp.dev/${older}/specification/checkout`,
        schema: `https://ucp.dev/${older}/schemas/shopping/checkout.json`,
      },
    ]);
    expect(found.body).not.toHaveProperty("keys");
    expect(signing_keys).toEqual(body.keys);
    expect(JSON.stringify(signing_keys)).not.toContain('"d"');
    expect((await send("POST", `${endpointUrl}/${older}`)).status).toBe(405);
    expect((await send("GET", `${endpointUrl}/${newer}`)).status).toBe(404);
  });
});

test("the version of a fetched profile goes before the address and the header", async () => {
  const fetchProfile = async () => platform(newer);
  const send = agentOf({ fetchProfile }, { base: `${endpointUrl}/${older}`, version: older });
  const { body } = await send("POST", "/catalog/search", { query: "product" });
  expect(body.ucp.version).toBe(newer);
});

test("an agent of 2026-04-08 is told of its order in that version, by that profile", async () => {
  const posts: { body: string; headers: Record<string, string> }[] = [];
  const transport = {
    check: async () => ({ ok: true }) as const,
    send: async ({ body, headers }: { body: unknown; headers: object }) => {
      posts.push({ body: String(body), headers: { ...headers } });
      return { ok: true, status: 200, error: null, snippet: "", duration_ms: 1 };
    },
  };
  shop = await createShop(memoryStorage(), {
    limits: { checkout: null, sessions: null, orders: null },
    transport,
  });
  const send = agentOf({
    fetchProfile: async () => platform(older),
    signingKey: storeKey,
    webhooks: { agents: [profile] },
  });
  const line_items = [{ item: { id: shop.product.id }, quantity: 1 }];
  const made = (await send("POST", "/checkout-sessions", { line_items })).body;
  await shop.storefront.checkout.submit(made.continue_url.split("/").at(-1), {
    payment_method_id: shop.a.method_id,
  });
  await shop.storefront.drainWebhooks();

  expect(posts).toHaveLength(1);
  const order = JSON.parse(posts[0]?.body ?? "");
  expect(order.ucp.version).toBe(older);
  judge("shopping/order.json", asNewer(order));
  expect(posts[0]?.headers["ucp-agent"]).toBe(`profile="${endpointUrl}/${older}"`);
});
