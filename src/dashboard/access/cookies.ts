import type { WireRequest } from "../../http/wire.ts";
import type { DashboardSettings } from "../options.ts";

/** `session` tells who came in by a link. The tokens of this browser's forms depend on `form`. */
type CookieKind = "session" | "form";

/**
 * Browsers send the session cookie when someone follows a link from another site,
 * so that such links work. They never send the cookie of the forms with a request
 * from another site.
 */
const sameSite = { session: "Lax", form: "Strict" } as const;

/**
 * Names a cookie. Browsers take a name that begins with `__Secure-` over https alone, and one with
 * `__Host-` only from this very host, for the whole of it: at the root no other host of the domain
 * can set it.
 */
function nameOf(kind: CookieKind, { secure, publicPath }: DashboardSettings): string {
  if (!secure) return `vitrine-${kind}`;
  return `${publicPath === "" ? "__Host-" : "__Secure-"}vitrine-${kind}`;
}

/**
 * Reads a cookie. Gives null when two of the name came: one of them was set for
 * another path or by another host of the domain, and nothing tells which.
 */
export function readCookie(
  request: WireRequest,
  kind: CookieKind,
  settings: DashboardSettings,
): string | null {
  const prefix = `${nameOf(kind, settings)}=`;
  const found = (request.header("cookie") ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  return found.length === 1 ? (found[0]?.slice(prefix.length) ?? null) : null;
}

/**
 * Gives the value of a `Set-Cookie` header. Without a lifetime the cookie ends with
 * the browser.
 */
export function setCookie(
  kind: CookieKind,
  { value, maxAgeSeconds }: { readonly value: string; readonly maxAgeSeconds?: number },
  settings: DashboardSettings,
): string {
  return [
    `${nameOf(kind, settings)}=${value}`,
    `Path=${settings.publicPath || "/"}`,
    "HttpOnly",
    `SameSite=${sameSite[kind]}`,
    ...(settings.secure ? ["Secure"] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ].join("; ");
}
