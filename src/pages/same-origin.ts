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

/** True for a visit that another site led to, as a provider's page does after a payment. */
export function cameFromElsewhere(request: WireRequest): boolean {
  const site = request.header("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
