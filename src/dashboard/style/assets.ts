import { brandTokens } from "../../contract/brand.ts";
import { tokens } from "../../contract/tokens.ts";
import { crc32 } from "../../domain/keys/crc32.ts";
import type { WireReply } from "../../http/wire.ts";
import type { DashboardSettings } from "../options.ts";
import { fileReply } from "../replies.ts";
import { browserScript } from "./browser-script.ts";
import { style } from "./style.ts";

const sheetOf = (brandColor: string | null): string =>
  `${tokens}\n${brandColor === null ? "" : brandTokens(brandColor)}\n${style}`;

/** Names this version's files: another text has another name. */
const versionOf = (text: string): string => crc32(text).toString(16).padStart(8, "0");

const scriptVersion = versionOf(browserScript);

/** Gives the addresses of the dashboard's own files, as the browser sees them. */
export const assetAddresses = ({ publicPath, brandColor }: DashboardSettings) => ({
  style: `${publicPath}/assets/dashboard-${versionOf(sheetOf(brandColor))}.css`,
  script: `${publicPath}/assets/dashboard-${scriptVersion}.js`,
  icon: `${publicPath}/assets/dashboard-${versionOf(iconText)}.svg`,
});

/** A browser shows this sign of the dashboard in its tab. */
const iconText =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="8" fill="#2b4fd6"/>' +
  '<path d="m9 9 7 14 7-14" fill="none" stroke="#fff" stroke-width="3.5" ' +
  'stroke-linecap="round" stroke-linejoin="round"/></svg>';

/**
 * Answers the dashboard's own files. Gives null for any other name. While versions
 * change on a deployment, a process is asked for files of another version: it gives
 * its own, and no cache keeps them.
 */
export function answerAsset(name: string, brandColor: string | null): WireReply | null {
  const [, version, kind] = /^dashboard-([0-9a-f]{8})\.(css|js|svg)$/.exec(name) ?? [];
  if (kind === "js") return fileReply("text/javascript", browserScript, version === scriptVersion);
  if (kind === "svg") return fileReply("image/svg+xml", iconText, version === versionOf(iconText));
  if (kind !== "css") return null;

  const sheet = sheetOf(brandColor);
  return fileReply("text/css", sheet, version === versionOf(sheet));
}
