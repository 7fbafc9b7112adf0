import type { Product } from "../../contract/schemas.ts";
import { matchesTag, tagOf } from "../../http/replies/etag.ts";
import { splitTarget, type WireReply } from "../../http/wire.ts";
import { offerOf } from "../../operations/feeds/offer.ts";
import {
  labelOf,
  oneOfEachGroup,
  productIdOf,
  variantsOf,
  withVariants,
} from "../shared/variants.ts";
import { callHouse, type Desk, findProduct } from "./desk.ts";

/** The products of a page of the feed. */
export const pageSize = "100";

/**
 * Gives a page of the snapshot that agents take in: one product a line (JSON Lines), as the file
 * `products.jsonl` of the protocol. The header `Link` has the address of the next page.
 */
export async function getFeed({ house, request, endpoint }: Desk): Promise<WireReply> {
  const cursor = new URLSearchParams(splitTarget(request.target).query).get("cursor");
  const asked = new URLSearchParams({
    ...oneOfEachGroup,
    limit: pageSize,
    ...(cursor !== null && { starting_after: cursor }),
  });
  const path = `/products?${asked}`;
  const page = await callHouse<readonly Product[]>(house, { method: "GET", path });

  const products = await withVariants(page.data, (id) => findProduct(house, id));
  const body = products.map((product) => `${JSON.stringify(feedProduct(product))}\n`).join("");
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
 * Shows a product in the protocol's form, with its variants: a checkout session takes their ids as
 * items. A product without a group has one variant, which has the product's own id.
 */
function feedProduct(product: Product) {
  const { id, name: title, currency, group } = product;
  const { pictures, before } = offerOf(product);
  const description = product.description ? { plain: product.description } : null;
  const media = pictures.map((url) => ({ type: "image", url }));
  // An agent cannot fill in what the buyer must.
  const isAsked = product.variables.some(({ required }) => required);

  const variants = variantsOf(product).map((variant) => ({
    id: variant.id,
    title: group && variant.options.length > 0 ? `${title} - ${labelOf(variant)}` : title,
    price: { amount: variant.price, currency },
    ...(before !== null && variant.id === id && { list_price: { amount: before, currency } }),
    availability: {
      available: variant.available && !isAsked,
      status: variant.available ? "in_stock" : "out_of_stock",
    },
    ...(variant.options.length > 0 && { variant_options: variant.options }),
  }));
  const ownId = productIdOf(product);
  return { id: ownId, title, ...(description && { description }), media, variants };
}
