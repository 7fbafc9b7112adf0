import { type Html, html } from "../../contract/html.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import type { DashboardSettings } from "../options.ts";
import { placeOf } from "../router.ts";

/**
 * Renders a picture, in a square of `size` CSS pixels. Its host is not told which
 * page shows it. Gives null where pictures are off, where the page's policy would
 * block it, and for an address of the dashboard or the API themselves: a browser
 * would call it under the name of whoever looks at the page.
 */
export function picture(
  address: string | null | undefined,
  size: number,
  settings: DashboardSettings,
): Html | null {
  const { pictures, origin } = settings;
  if (!address || isCall(address, settings)) return null;
  const isOwn = address.startsWith(`${origin}/`);
  if (!isOwn && !(pictures && address.startsWith("https://"))) return null;
  return html`<img src="${address}" alt="" width="${size}" height="${size}" loading="lazy"
referrerpolicy="no-referrer">`;
}

/** Says whether an address leads to the dashboard or the API as a proxy may read it. */
function isCall(address: string, { origin, publicPath, apiPath }: DashboardSettings): boolean {
  // The browser's own rules resolve segments of dots; a proxy may decode, and join slashes.
  const url = parseUrl(address);
  if (!url || url.origin !== origin) return false;
  const path = decoded(url.pathname);
  if (path === null) return true;

  if (apiPath !== "" && isBelow(path, apiPath)) return true;
  if (publicPath !== "") return isBelow(path, publicPath);
  const place = placeOf(path, "");
  return place === null || place === "unreadable" || place.kind !== "global";
}

const isBelow = (path: string, base: string): boolean =>
  path.toLowerCase() === base.toLowerCase() ||
  path.toLowerCase().startsWith(`${base.toLowerCase()}/`);

/**
 * Decodes until nothing changes, and resolves the segments of dots that come to light. Null for a
 * path that cannot be decoded.
 */
function decoded(path: string): string | null {
  try {
    const { pathname } = new URL(`https://x.invalid${decodeURIComponent(path)}`);
    const joined = pathname.replace(/\/{2,}/g, "/");
    return joined === path ? path : decoded(joined);
  } catch {
    return null;
  }
}
