import { cookieHeader, cookieOf } from "../../http/cookies.ts";
import type { WireRequest } from "../../http/wire.ts";
import type { DashboardSettings } from "../options.ts";

/**
 * `session` tells who came in by a link. The tokens of this browser's forms depend on `form`, and
 * `views` has what its people have kept.
 */
type CookieKind = "session" | "form" | "views";

/**
 * Browsers send the session cookie when someone follows a link from another site,
 * so that such links work, and its views. They never send the cookie of the forms with a request
 * from another site.
 */
const sameSite = { session: "Lax", form: "Strict", views: "Lax" } as const;

/**
 * Names a cookie. Browsers take a name that begins with `__Secure-` over https alone, and one with
 * `__Host-` only from this very host, for the whole of it: at the root no other host of the domain
 * can set it.
 */
function nameOf(kind: CookieKind, { secure, publicPath }: DashboardSettings): string {
  if (!secure) return `vitrine-${kind}`;
  return `${publicPath === "" ? "__Host-" : "__Secure-"}vitrine-${kind}`;
}

export const readCookie = (
  request: WireRequest,
  kind: CookieKind,
  settings: DashboardSettings,
): string | null => cookieOf(request, nameOf(kind, settings));

export const setCookie = (
  kind: CookieKind,
  given: { readonly value: string; readonly maxAgeSeconds?: number },
  settings: DashboardSettings,
): string =>
  cookieHeader(nameOf(kind, settings), {
    ...given,
    path: settings.publicPath || "/",
    sameSite: sameSite[kind],
    secure: settings.secure,
  });
