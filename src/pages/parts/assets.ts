import { brandTokens, textOn } from "../../contract/brand.ts";
import { tokens } from "../../contract/tokens.ts";
import { crc32 } from "../../domain/keys/crc32.ts";
import type { WireReply } from "../../http/wire.ts";
import { browserScript } from "./browser-script.ts";
import { style } from "./style.ts";

const wholeStyle = `${tokens}\n${style}`;

/** Draws the sign that a browser shows in its tab: a bag on the brand's colour. */
const iconText = (color: string): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  `<rect width="32" height="32" rx="8" fill="${color}"/><g fill="none" stroke="${textOn(color)}" ` +
  'stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round">' +
  '<path d="M9 12h14l1 12H8z"/><path d="M12.5 14.5V11a3.5 3.5 0 0 1 7 0v3.5"/></g></svg>';

/** Names this version's files, the computed colours included: one colour stands for all. */
const version = crc32(wholeStyle + browserScript + brandTokens("#3c8f6b") + iconText("#3c8f6b"))
  .toString(16)
  .padStart(8, "0");

export const scriptName = `checkout-${version}.js`;

/** The name of the style sheet says the brand colour, so that the page needs no inline style. */
export const styleName = (brand: string | null): string => `${branded(brand)}.css`;

/** The icon has the brand colour too, and its name says it. */
export const iconName = (brand: string | null): string => `${branded(brand)}.svg`;

const branded = (brand: string | null): string =>
  `checkout-${version}${brand === null ? "" : `-${brand.slice(1).toLowerCase()}`}`;

const namePattern = /^checkout-([0-9a-f]{8})(?:-([0-9a-f]{6}))?\.(css|js|svg)$/;

/** The tokens' own brand colour, for stores without one. */
const plainColor = "#2b4fd6";

const types = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" } as const;
type Kind = keyof typeof types;
const isKind = (text: string | undefined): text is Kind =>
  text !== undefined && Object.hasOwn(types, text);

/**
 * Answers the page's own files. Gives null for any other name. While versions
 * change on a deployment, a process is asked for files of another version: it gives
 * its own, and no cache keeps them.
 */
export function answerAsset(name: string): WireReply | null {
  const [, asked, brand, kind] = namePattern.exec(name) ?? [];
  if (!isKind(kind)) return null;

  const own = asked === version;
  return {
    status: 200,
    headers: {
      "content-type": `${types[kind]}; charset=utf-8`,
      "cache-control": own ? "public, max-age=31536000, immutable" : "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
    body: bodyOf(kind, brand === undefined ? null : `#${brand}`),
  };
}

function bodyOf(kind: Kind, brand: string | null): string {
  if (kind === "js") return browserScript;
  if (kind === "svg") return iconText(brand ?? plainColor);
  return `${tokens}\n${brand === null ? "" : brandTokens(brand)}\n${style}`;
}
