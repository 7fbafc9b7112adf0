import { isStream, type WireReply } from "../../http/wire.ts";
import {
  type DownloadResult,
  fileNameOf,
  judgeDownload,
  openFileLink,
} from "../../rules/entitlements/download.ts";
import { countDownload } from "../../steps/license-steps.ts";
import type { Asked } from "./context.ts";
import type { MessageName } from "./frame.ts";
import type { OpenedFile } from "./options.ts";

/** What a link to a file that is not handed over is answered with. */
type Refused = Extract<MessageName, "download_over" | "download_limit" | "not_found">;

/** Hands over the file of a signed link, or says why not. */
export async function answerFile(
  { place, request }: Asked,
  path: string,
): Promise<WireReply | Refused> {
  const { http } = place.ctx;
  const link = await openFileLink(http.keyRing, path);
  if (!link) return "not_found";
  if (link.expires_at <= http.now()) return "download_over";

  const { store_id, livemode, order_id, entitlement_id } = link;
  const partition = { store_id, livemode };
  const found = judgeDownload(
    await http.storage.orders.find("order", partition, order_id),
    entitlement_id,
  );
  if (found.outcome !== "counted") return refusalOf(found);

  const { content } = found;
  const name = fileNameOf(content);
  const file = await place.options.uploads?.open({
    ...partition,
    file: content.file,
    name,
    order_id,
  });
  if (!file) {
    place.ctx.onError(
      new Error(`uploads.open has no file ${content.file}.`),
      "customerPage.uploads",
    );
    return "not_found";
  }
  if (request.method === "HEAD") return replyOf(file, name);

  // A download is counted after the file was found: a fault of the host costs the buyer none.
  const command = { ...partition, order_id, entitlement_id, now: http.now() };
  const counted = await countDownload(http.storage.orders, command);
  if (counted.outcome === "counted") return replyOf(file, name);

  if ("body" in file && isStream(file.body)) await file.body[Symbol.asyncIterator]().return?.();
  return refusalOf(counted);
}

const refusalOf = ({ outcome }: DownloadResult): Refused =>
  outcome === "limit" ? "download_limit" : "not_found";

const shared: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

function replyOf(file: OpenedFile, name: string): WireReply {
  if ("url" in file)
    return { status: 302, headers: { ...shared, location: new URL(file.url).href }, body: null };

  const { body, type = "application/octet-stream", size } = file;
  const length = size ?? (body instanceof Uint8Array ? body.length : null);
  return {
    status: 200,
    headers: {
      ...shared,
      "content-type": type,
      // A page of the host's customers must never run below the address of the purchases.
      "content-security-policy": "default-src 'none'; sandbox",
      "content-disposition": `attachment; filename*=UTF-8''${extValue(name)}`,
      ...(length !== null && { "content-length": String(length) }),
    },
    body,
  };
}

/** Encodes a text for a header (RFC 8187): also quotes, stars and brackets. */
const extValue = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
