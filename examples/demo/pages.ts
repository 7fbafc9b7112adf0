import type { WireReply, WireRequest } from "vitrine/node";
import { html, page } from "./html.ts";
import { renderProductImage } from "./images.ts";
import type { Receiver } from "./receiver.ts";
import { bundleShopScript } from "./script.ts";
import { renderShopPages, type ShownProduct } from "./shop.ts";
import { shopStyle } from "./style.ts";

const headers = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' https: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};
const maxWebhookBytes = 1_048_576;

/**
 * Serves the demo's own pages and its webhook receiver, for what is neither API nor
 * checkout page.
 */
export function createPages(
  publishableKey: string,
  receiver: Receiver,
  findProduct: (id_or_slug: string) => Promise<ShownProduct | null>,
): (request: WireRequest) => Promise<WireReply> {
  const shop = renderShopPages(publishableKey);
  const shopScript = bundleShopScript();
  return async (request) => {
    const [path = "/"] = request.target.split("?", 1);
    if (path === "/webhooks" && request.method === "POST") return receive(request, receiver);
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply(405, "text/plain", "Method not allowed");
    if (path === "/") return reply(200, "text/html", shop.shop);
    if (path.startsWith("/products/")) {
      const shown = await findProduct(path.slice("/products/".length));
      return reply(200, "text/html", shop.product(shown));
    }
    if (path === "/success") return reply(200, "text/html", shop.order);
    if (path === "/cancel") return reply(200, "text/html", shop.cancel);
    if (path === "/released") return reply(200, "text/html", receiver.render());
    if (path === "/shop.js") return reply(200, "text/javascript", shopScript);
    if (path === "/shop.css") return reply(200, "text/css", shopStyle);
    const [, slug] = /^\/images\/([a-z0-9-]{1,100})\.svg$/.exec(path) ?? [];
    if (slug !== undefined) return reply(200, "image/svg+xml", renderProductImage(slug));
    return reply(
      404,
      "text/html",
      page(
        "Not found",
        html`<div class="narrow card"><h1>There is no such page</h1><p><a href="/">Back to the shop</a></p></div>`,
      ),
    );
  };
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
