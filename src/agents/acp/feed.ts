import type { Product } from "../../contract/schemas.ts";
import { matchesTag, tagOf } from "../../http/replies/etag.ts";
import { splitTarget, type WireReply } from "../../http/wire.ts";
import { offerOf } from "../../operations/feeds/offer.ts";
import { callHouse, type Desk } from "./desk.ts";

/** The products of a page of the feed. */
export const pageSize = "100";

/**
 * Gives a page of the snapshot that agents take in: one product a line (JSON Lines), as the file
 * `products.jsonl` of the protocol. The header `Link` has the address of the next page.
 */
export async function getFeed({ house, request, endpoint }: Desk): Promise<WireReply> {
  const cursor = new URLSearchParams(splitTarget(request.target).query).get("cursor");
  const asked = new URLSearchParams({
    limit: pageSize,
    ...(cursor !== null && { starting_after: cursor }),
  });
  const path = `/products?${asked}`;
  const page = await callHouse<readonly Product[]>(house, { method: "GET", path });

  const body = page.data.map((product) => `${JSON.stringify(feedProduct(product))}\n`).join("");
  const next = page.next_cursor ?? null;
  const tag = await tagOf(`${next}\n${body}`);
  const headers: Record<string, string> = {
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-cache",
    etag: tag,
  };
  if (next !== null)
    headers["link"] = `<${endpoint}/products.jsonl?cursor=${encodeURIComponent(next)}>; rel="next"`;

  if (matchesTag(request, tag, true)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, "content-type": "application/jsonl" }, body };
}

/**
 * Shows a product in the protocol's form. The product has one variant with the same id, which an
 * item of a checkout session names.
 */
function feedProduct(product: Product) {
  const { id, name: title, currency, price } = product;
  const { pictures, before } = offerOf(product);
  const description = product.description ? { plain: product.description } : null;
  const media = pictures.map((url) => ({ type: "image", url }));
  // An agent cannot fill in what the buyer must.
  const isAsked = product.variables.some(({ required }) => required);
  const available = product.available && !isAsked;

  const variant = {
    id,
    title,
    price: { amount: price, currency },
    ...(before !== null && { list_price: { amount: before, currency } }),
    availability: { available, status: product.available ? "in_stock" : "out_of_stock" },
  };
  return { id, title, ...(description && { description }), media, variants: [variant] };
}
