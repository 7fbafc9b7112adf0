import type { WireRequest } from "../http/wire.ts";

/**
 * Says whether a page of its own origin sent a form (CSRF). The token in the path
 * is secret too, but a site that has learnt it must still not send the form. Every
 * browser of today sends `Sec-Fetch-Site` or `Origin` with a form.
 */
export function isSameOrigin(request: WireRequest, checkout_url: string): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.header("origin") === new URL(checkout_url).origin;
}

/**
 * Says whether a link, a form or a redirect led to a visit, as a provider's page
 * does after a payment. Browsers say `none` for a typed address and a bookmark.
 */
export function wasLedHere(request: WireRequest): boolean {
  const site = request.header("sec-fetch-site");
  return site !== undefined && site !== "none";
}
