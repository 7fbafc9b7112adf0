import type { WireRequest } from "../../http/wire.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { DashboardSettings } from "../options.ts";
import { readCookie, setCookie } from "./cookies.ts";
import { isFormCookie, issueToken, newFormCookie, sealMessage } from "./form-token.ts";

/** The browser that sent a request, with what its forms need. */
export interface Browser {
  /** The value of the browser's form cookie. */
  readonly cookie: string;
  /**
   * The `Set-Cookie` header that gives the browser the cookie. It is null
   * when the browser has one.
   */
  readonly setCookie: string | null;
  /** Makes the token of the forms of a page. */
  tokenFor(actor: string, path: string): Promise<string>;
  /** Seals a text that stands in an address of this path. */
  seal(text: string, actor: string, path: string): Promise<string>;
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
    seal: (text, actor, path) => sealMessage(keyRing, text, { cookie, actor, path }),
  };
}

/**
 * Says whether a page of the dashboard's own origin has sent a form. Every browser
 * of today sends `Sec-Fetch-Site` or `Origin` with a form.
 */
export function isSameOrigin(request: WireRequest, { origin }: DashboardSettings): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.header("origin") === origin;
}
