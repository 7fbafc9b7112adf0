import { brandTokens } from "../contract/brand.ts";
import { tokens } from "../contract/tokens.ts";
import { crc32 } from "../domain/keys/crc32.ts";
import { browserScript } from "./browser-script.ts";
import { style } from "./style.ts";

/** Gives the files that the pages load, by name, in the colour of the shop where it has one. */
export const assetsOf = (color: string | null) =>
  ({
    "docs.css": {
      type: "text/css; charset=utf-8",
      body: [tokens, ...(color === null ? [] : [brandTokens(color)]), style].join("\n"),
    },
    "docs.js": { type: "text/javascript; charset=utf-8", body: browserScript },
  }) as const;

/**
 * Gives the version that stands in the addresses of the files, so that a page never loads the
 * files of another version, or of another colour.
 */
export const assetVersionOf = (color: string | null): string =>
  crc32(assetsOf(color)["docs.css"].body + browserScript)
    .toString(16)
    .padStart(8, "0");
