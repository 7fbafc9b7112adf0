import type { WireRequest } from "../http/wire.ts";

/**
 * True for a form that a page of its own origin sent (CSRF). The token in the path is
 * secret too, but a site that has learnt it must still not send the form. A browser
 * that sends neither header is none of today.
 */
export function isSameOrigin(request: WireRequest, checkout_url: string): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.header("origin") === new URL(checkout_url).origin;
}

/**
 * True for a visit that a link, a form or a redirect led to, as a provider's page does
 * after a payment. Browsers say `none` for a typed address and a bookmark.
 */
export function wasLedHere(request: WireRequest): boolean {
  const site = request.header("sec-fetch-site");
  return site !== undefined && site !== "none";
}
