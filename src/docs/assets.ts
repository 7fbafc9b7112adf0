import { tokens } from "../contract/tokens.ts";
import { crc32 } from "../domain/keys/crc32.ts";
import { browserScript } from "./browser-script.ts";
import { style } from "./style.ts";

/** Holds the files that the pages load, by name. */
export const assets = {
  "docs.css": { type: "text/css; charset=utf-8", body: `${tokens}\n${style}` },
  "docs.js": { type: "text/javascript; charset=utf-8", body: browserScript },
} as const;

/**
 * The version stands in the addresses of the files, so that a page never loads the
 * files of another version.
 */
export const assetVersion: string = crc32(assets["docs.css"].body + browserScript)
  .toString(16)
  .padStart(8, "0");
