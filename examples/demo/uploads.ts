import { randomUUID } from "node:crypto";
import type { DashboardUpload, DashboardUploads } from "vitrine/dashboard";
import type { WireReply } from "vitrine/node";

const folder = "/uploads/";
const mostKept = 50;

/**
 * Keeps the pictures that the owner chooses in the dashboard until the process
 * ends. It keeps only the newest ones. Your own site stores them on a disk or in a
 * bucket.
 */
export function createUploads(origin: string) {
  const kept = new Map<string, DashboardUpload>();

  const uploads: DashboardUploads = {
    put(upload) {
      const path = `${folder}${randomUUID()}.${upload.type.slice("image/".length)}`;
      kept.set(path, upload);
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      return { url: origin + path };
    },
  };
  const answer = (path: string): WireReply | null => {
    const picture = kept.get(path);
    if (!picture) return null;

    const headers = {
      "content-type": picture.type,
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
    };
    return { status: 200, headers, body: picture.body };
  };
  return { uploads, answer };
}
