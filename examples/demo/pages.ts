import type { WireReply, WireRequest } from "vitrine/node";
import { renderProductImage } from "./images.ts";
import type { Receiver } from "./receiver.ts";
import { bundleShopScript } from "./script.ts";
import {
  type PlainList,
  renderShopPages,
  type ShopPages,
  type ShownOrder,
  type ShownProduct,
} from "./shop.ts";
import { shopStyle } from "./style.ts";
import { langOf } from "./words.ts";

const headers = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' https: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};
const maxWebhookBytes = 1_048_576;

/** What the pages ask the API for. */
export interface ShopApi {
  /** Gives null for a product or a session that there is not, or that the API does not give. */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<Answer | null>;
}

interface Answer {
  readonly data: unknown;
  readonly has_more?: boolean;
  readonly next_cursor?: string | null;
}

/**
 * Serves the demo's own pages and its webhook receiver, for what is neither API nor
 * checkout page.
 */
export function createPages(
  publishableKey: string,
  receiver: Receiver,
  api: ShopApi,
): (request: WireRequest) => Promise<WireReply> {
  const pages = {
    en: renderShopPages(publishableKey, "en"),
    pt: renderShopPages(publishableKey, "pt"),
  };
  const shopScript = bundleShopScript();
  return async (request) => {
    const [path = "/", query = ""] = request.target.split("?", 2);
    const shop = pages[langOf(request.header("accept-language"))];
    if (path === "/webhooks" && request.method === "POST") return receive(request, receiver);
    if (path === "/buy" && request.method === "POST") return buy(request, api, shop);
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply(405, "text/plain", "Method not allowed");
    if (path === "/") return htmlPage(shop.shop(query === "" ? "/plain" : `/plain?${query}`));
    if (path === "/plain") return htmlPage(shop.plain(await listOf(api, query)));
    if (path.startsWith("/products/")) {
      const found = await api.ask("GET", path);
      return htmlPage(shop.product((found?.data ?? null) as ShownProduct | null));
    }
    if (path === "/success") return htmlPage(shop.order(await orderOf(api, query)));
    if (path === "/cancel") return htmlPage(shop.cancel);
    if (path === "/released") return htmlPage(receiver.render());
    if (path === "/shop.js") return reply(200, "text/javascript", shopScript);
    if (path === "/shop.css") return reply(200, "text/css", shopStyle);
    const [, slug] = /^\/images\/([a-z0-9-]{1,100})\.svg$/.exec(path) ?? [];
    if (slug !== undefined) return reply(200, "image/svg+xml", renderProductImage(slug));
    return htmlPage(shop.notFound, 404);
  };
}

/** The same address has a page in each language. */
function htmlPage(body: string, status = 200): WireReply {
  const made = reply(status, "text/html", body);
  return { ...made, headers: { ...made.headers, vary: "accept-language" } };
}

const pageSize = 24;

async function listOf(api: ShopApi, query: string): Promise<PlainList> {
  const asked = new URLSearchParams(query);
  const wanted = new URLSearchParams({ group: "first", limit: String(pageSize) });
  for (const name of ["search", "category", "sort", "starting_after"]) {
    const value = asked.get(name);
    if (value) wanted.set(name, value);
  }
  const [found, categories] = await Promise.all([
    api.ask("GET", `/products?${wanted}`),
    api.ask("GET", "/categories"),
  ]);
  const cursor = found?.has_more ? (found.next_cursor ?? null) : null;
  if (cursor !== null) asked.set("starting_after", cursor);
  return {
    search: asked.get("search") ?? "",
    products: (found?.data ?? []) as PlainList["products"],
    categories: (categories?.data ?? []) as PlainList["categories"],
    next: cursor === null ? null : `/plain?${asked}`,
  };
}

async function orderOf(api: ShopApi, query: string): Promise<ShownOrder | null> {
  const id = new URLSearchParams(query).get("session");
  if (id === null) return null;
  const found = await api.ask("GET", `/checkout/sessions/${encodeURIComponent(id)}`);
  return (found?.data ?? null) as ShownOrder | null;
}

const maxFormBytes = 4_096;

/** Leads a reader without a script to the checkout of one product. */
async function buy(request: WireRequest, api: ShopApi, shop: ShopPages): Promise<WireReply> {
  const sent = await request.body(maxFormBytes);
  const text = sent instanceof Uint8Array ? new TextDecoder().decode(sent) : "";
  const product_id = new URLSearchParams(text).get("product_id") ?? "";
  const made = await api.ask("POST", "/checkout/sessions", {
    items: [{ product_id, quantity: 1 }],
  });
  if (made === null) return htmlPage(shop.refused, 409);

  const { checkout_url } = made.data as { readonly checkout_url: string };
  return { status: 303, headers: { ...headers, location: checkout_url }, body: "" };
}

const reply = (status: number, type: string, body: string): WireReply => ({
  status,
  headers: { ...headers, "content-type": `${type}; charset=utf-8` },
  body,
});

async function receive(request: WireRequest, receiver: Receiver): Promise<WireReply> {
  const body = await request.body(maxWebhookBytes);
  if (!(body instanceof Uint8Array)) return reply(413, "text/plain", "too large");
  const { status, text } = await receiver.handle(body, request.header("x-service-signature"));
  return reply(status, "text/plain", text);
}
