import { tokens } from "../contract/tokens.ts";
import { crc32 } from "../domain/crc32.ts";
import type { WireReply } from "../http/wire.ts";
import { brandTokens } from "./brand.ts";
import { browserScript } from "./browser-script.ts";
import { style } from "./style.ts";

const wholeStyle = `${tokens}\n${style}`;

/** Names this version's files, the computed colours included: one colour stands for all. */
const version = crc32(wholeStyle + browserScript + brandTokens("#3c8f6b"))
  .toString(16)
  .padStart(8, "0");

export const scriptName = `checkout-${version}.js`;

/** The name of the style sheet says the brand colour, so that the page needs no inline style. */
export const styleName = (brand: string | null): string =>
  `checkout-${version}${brand === null ? "" : `-${brand.slice(1).toLowerCase()}`}.css`;

const namePattern = /^checkout-([0-9a-f]{8})(?:-([0-9a-f]{6}))?\.(css|js)$/;

/**
 * Answers the page's own files. Gives null for any other name. While versions
 * change on a deployment, a process is asked for files of another version: it gives
 * its own, and no cache keeps them.
 */
export function answerAsset(name: string): WireReply | null {
  const [, asked, brand, kind] = namePattern.exec(name) ?? [];
  if (kind === undefined) return null;

  const colors = brand === undefined ? "" : brandTokens(`#${brand}`);
  const own = asked === version;
  return {
    status: 200,
    headers: {
      "content-type": `text/${kind === "js" ? "javascript" : "css"}; charset=utf-8`,
      "cache-control": own ? "public, max-age=31536000, immutable" : "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
    body: kind === "js" ? browserScript : `${tokens}\n${colors}\n${style}`,
  };
}
