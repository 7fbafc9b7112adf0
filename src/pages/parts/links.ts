import { type Html, html } from "../../contract/html.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import type { Scene } from "../scene.ts";

/**
 * Gives an address that a buyer may follow, as `URL` writes it. Gives null for
 * anything but http and https: `javascript:` and the like never become a link.
 */
export function webLink(address: string | null | undefined): string | null {
  const url = address ? parseUrl(address) : null;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : null;
}

/** Everything but the @ is encoded, so that an address adds no copy and no subject. */
export const mailLink = (address: string | null): string | null =>
  address === null ? null : `mailto:${encodeURIComponent(address).replace("%40", "@")}`;

/** A picture is shown at this size, in CSS pixels. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Renders a picture of the store. Its host is told nothing of the page. Gives null
 * where pictures are off or the page's policy would block it.
 */
export function picture(
  { pictures, origin }: Pick<Scene, "pictures" | "origin">,
  address: string | null,
  { width, height }: PictureSize,
): Html | null {
  const source = pictures && address !== null ? pictureSource(address, origin) : null;
  if (source === null) return null;

  return html`<img src="${source}" alt="" width="${width}" height="${height}"
loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
}

/** Takes https from anywhere, and anything from the page's own host. */
function pictureSource(address: string, origin: string): string | null {
  const url = parseUrl(address.startsWith("/") ? origin + address : address);
  return url?.protocol === "https:" || url?.origin === origin ? url.href : null;
}
