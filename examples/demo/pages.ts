import type { WireReply, WireRequest } from "vitrine";
import { html, page } from "./html.ts";
import { renderProductImage } from "./images.ts";
import type { Receiver } from "./receiver.ts";
import { bundleShopScript } from "./script.ts";
import { renderCancel, renderShop, renderSuccess, shopStyle } from "./shop.ts";

const headers = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' https: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};
const maxWebhookBytes = 1_048_576;

/** The demo's own pages and its webhook receiver, for what is neither API nor checkout page. */
export function createPages(
  publishableKey: string,
  receiver: Receiver,
): (request: WireRequest) => Promise<WireReply> {
  const shop = renderShop(publishableKey);
  const shopScript = bundleShopScript();
  const success = renderSuccess();
  const cancel = renderCancel();
  return async (request) => {
    const [path = "/"] = request.target.split("?", 1);
    if (path === "/webhooks" && request.method === "POST") return receive(request, receiver);
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply(405, "text/plain", "Method not allowed");
    if (path === "/") return reply(200, "text/html", shop);
    if (path === "/success") return reply(200, "text/html", success);
    if (path === "/cancel") return reply(200, "text/html", cancel);
    if (path === "/released") return reply(200, "text/html", receiver.render());
    if (path === "/shop.js") return reply(200, "text/javascript", shopScript);
    if (path === "/shop.css") return reply(200, "text/css", shopStyle);
    const [, slug] = /^\/images\/([a-z0-9-]{1,100})\.svg$/.exec(path) ?? [];
    if (slug !== undefined)
      return reply(200, "image/svg+xml", renderProductImage(slug, categoryOf(slug)));
    return reply(
      404,
      "text/html",
      page(
        "Not found",
        html`<h1>Not found</h1><p class="card"><a href="/">Back to the shop</a></p>`,
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

const kinds: readonly (readonly [category: string, words: RegExp])[] = [
  ["kitchen", /skillet|spoon|knife|bowl|towel|cups|bean-pot|steamer|jar|salt|spice/],
  ["coffee", /roast|coffee|brew|blend|espresso|decaf|drip|filter|grinder|montanha|farm/],
  ["garden", /plant|garden|seed|trowel|compost|shears|moss|mister|bed-kit|watering|pot\b/],
  ["books", /history|tides|baker|birds|letters|knots|maps|kitchens|atlas|boat/],
  ["clothing", /shirt|apron|beanie|trousers|socks|poncho|hat|jacket|scarf|belt|dress|top|sweater/],
  ["stationery", /notebook|ballpoint|seal|pencil|paper|calendar|tape|ink|board|binder/],
];
const categoryOf = (slug: string): string => kinds.find(([, words]) => words.test(slug))?.[0] ?? "";
