import { floorTo, hourMs, minuteMs } from "../../domain/durations.ts";
import { isFormSeal, sealForm } from "../../domain/keys/form-seal.ts";
import { base64url, fromBase64url } from "../../domain/keys/hash.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { OrderRecord, Partition } from "../records.ts";
import type { DeliveredContent, EntitlementRecord } from "./entitlement-record.ts";
import { withEntitlement } from "./shown-license.ts";

export type FileContent = Extract<DeliveredContent, { readonly type: "file" }>;

/** Gives the name under which a buyer saves a file. */
export const fileNameOf = ({ name, file }: FileContent): string =>
  name ?? file.split("/").at(-1) ?? file;

/** Gives how often a buyer may download a file: each piece brings its own. Null means no limit. */
export const downloadLimit = ({ content, quantity }: EntitlementRecord): number | null =>
  content.type === "file" && content.max_downloads ? content.max_downloads * quantity : null;

/** What a link to a file names. Whoever has the link gets the file, until it ends. */
export interface FileLink extends Partition {
  readonly order_id: string;
  readonly entitlement_id: string;
  /** In epoch milliseconds. */
  readonly expires_at: number;
}

const purpose = "download";

/**
 * Gives the end of a link that is made now, after an hour. It ends with a minute, so that an
 * answer with a link stays the same for as long.
 */
export const linkEnd = (now: number): number => floorTo(minuteMs, now) + hourMs;

/** Writes a link as the end of its path. */
export async function sealFileLink(keyRing: KeyRing, link: FileLink): Promise<string> {
  const { store_id, livemode, order_id, entitlement_id, expires_at } = link;
  const parts = [store_id, livemode, order_id, entitlement_id, expires_at];
  const text = base64url(new TextEncoder().encode(JSON.stringify(parts)));
  return `${text}.${await sealForm(keyRing, purpose, text)}`;
}

/** Reads a link. Gives null for one that was not made here. */
export async function openFileLink(keyRing: KeyRing, path: string): Promise<FileLink | null> {
  const [text = "", seal = "", more] = path.split(".");
  if (more !== undefined || !(await isFormSeal(keyRing, seal, { purpose, text }))) return null;

  const bytes = fromBase64url(text);
  if (!bytes) return null;
  const [store_id, livemode, order_id, entitlement_id, expires_at] = JSON.parse(
    new TextDecoder().decode(bytes),
  );
  return { store_id, livemode, order_id, entitlement_id, expires_at };
}

/** Counts a download. */
export interface Download extends Partition {
  readonly order_id: string;
  readonly entitlement_id: string;
  readonly now: number;
}

/** Whether the buyer may have the file. */
export type DownloadResult =
  | { readonly outcome: "counted"; readonly order: OrderRecord; readonly content: FileContent }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "limit" };

/** Judges a download by the order as it stands. A file that was taken back is unknown. */
export function judgeDownload(
  order: OrderRecord | null,
  entitlement_id: string,
): DownloadResult & { readonly entitlement?: EntitlementRecord } {
  const entitlement = order?.entitlements?.find(({ id }) => id === entitlement_id);
  const { content } = entitlement ?? {};
  if (!order || !entitlement || entitlement.revoked_at !== null || content?.type !== "file")
    return { outcome: "unknown" };

  const limit = downloadLimit(entitlement);
  if (limit !== null && (entitlement.downloads ?? 0) >= limit) return { outcome: "limit" };
  return { outcome: "counted", order, content, entitlement };
}

/** Counts one download more, while the file is the buyer's and the limit is not reached. */
export function decideDownload(
  { order }: OrderSnapshot,
  { entitlement_id }: Download,
): Decision<DownloadResult> {
  const { entitlement, ...result } = judgeDownload(order, entitlement_id);
  if (!order || !entitlement) return withoutChanges(result);

  const counted = { ...entitlement, downloads: (entitlement.downloads ?? 0) + 1 };
  return { result, changes: orderChanges({ order: withEntitlement(order, counted) }) };
}
