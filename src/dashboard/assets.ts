import { tokens } from "../contract/tokens.ts";
import { crc32 } from "../domain/crc32.ts";
import type { WireReply } from "../http/wire.ts";
import { brandTokens } from "../pages/brand.ts";
import { browserScript } from "./browser-script.ts";
import type { DashboardSettings } from "./options.ts";
import { fileReply } from "./replies.ts";
import { style } from "./style.ts";

const sheetOf = (brandColor: string | null): string =>
  `${tokens}\n${brandColor === null ? "" : brandTokens(brandColor)}\n${style}`;

/** Names this version's files: another text has another name. */
const versionOf = (text: string): string => crc32(text).toString(16).padStart(8, "0");

const scriptVersion = versionOf(browserScript);

/** The addresses of the dashboard's own files, as the browser sees them. */
export const assetAddresses = ({ publicPath, brandColor }: DashboardSettings) => ({
  style: `${publicPath}/assets/dashboard-${versionOf(sheetOf(brandColor))}.css`,
  script: `${publicPath}/assets/dashboard-${scriptVersion}.js`,
});

/**
 * Answers the dashboard's own files; null for any other name. While versions change
 * on a deployment, a process is asked for files of another version: it gives its own,
 * and nobody keeps them.
 */
export function answerAsset(name: string, brandColor: string | null): WireReply | null {
  const [, version, kind] = /^dashboard-([0-9a-f]{8})\.(css|js)$/.exec(name) ?? [];
  if (kind === "js") return fileReply("text/javascript", browserScript, version === scriptVersion);
  if (kind !== "css") return null;

  const sheet = sheetOf(brandColor);
  return fileReply("text/css", sheet, version === versionOf(sheet));
}
