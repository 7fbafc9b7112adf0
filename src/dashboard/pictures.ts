import { type Html, html } from "../contract/html.ts";
import type { DashboardSettings } from "./options.ts";

/**
 * Renders a picture, in a square of `size` CSS pixels. Its host is not told which
 * page shows it. Gives null where pictures are off, or where the page's policy
 * would block it.
 */
export function picture(
  address: string | null | undefined,
  size: number,
  { pictures, origin }: DashboardSettings,
): Html | null {
  if (!address) return null;
  const isOwn = address.startsWith(`${origin}/`);
  if (!isOwn && !(pictures && address.startsWith("https://"))) return null;
  return html`<img src="${address}" alt="" width="${size}" height="${size}" loading="lazy"
referrerpolicy="no-referrer">`;
}
