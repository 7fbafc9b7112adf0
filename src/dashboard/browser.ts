import type { WireRequest } from "../http/wire.ts";
import { readCookie, setCookie } from "./cookies.ts";
import { isFormCookie, issueToken, newFormCookie } from "./form-token.ts";
import type { DashboardSettings } from "./options.ts";
import type { DashboardParts } from "./parts.ts";

/** The browser that sent a request, as far as its forms go. */
export interface Browser {
  /** The value of its form cookie. */
  readonly cookie: string;
  /** The `Set-Cookie` header that gives it the cookie; null when it has one. */
  readonly setCookie: string | null;
  /** Makes the token of the forms of a page. */
  tokenFor(actor: string, path: string): Promise<string>;
}

export function browserOf(
  request: WireRequest,
  { keyRing, now, randomBytes }: DashboardParts,
  settings: DashboardSettings,
): Browser {
  const known = readCookie(request, "form", settings);
  const hasCookie = isFormCookie(known);
  const cookie = hasCookie ? known : newFormCookie(randomBytes);

  return {
    cookie,
    setCookie: hasCookie ? null : setCookie("form", { value: cookie }, settings),
    tokenFor: (actor, path) => issueToken(keyRing, { cookie, actor, path }, now()),
  };
}

/**
 * True for a form that a page of the dashboard's own origin has sent. A browser that
 * sends neither header is none of today.
 */
export function isSameOrigin(request: WireRequest, { origin }: DashboardSettings): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.header("origin") === origin;
}
