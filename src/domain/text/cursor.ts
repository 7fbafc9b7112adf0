import { crc32 } from "../keys/crc32.ts";
import { base64url, fromBase64url } from "../keys/hash.ts";
import { isCleanText } from "./plain.ts";

/** Where a row stands in a list ordered by position, then id. */
export interface CursorPlace {
  readonly position: number;
  readonly id: string;
}

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Writes the place of a row in a list as a text that is opaque to clients. It holds
 * a hash of the list's filters and a checksum, which find mistakes; a cursor grants
 * no access (docs/contract/lists.md#lists).
 */
export function encodeCursor({
  position,
  id,
  filters,
}: CursorPlace & { readonly filters: string }): string {
  const text = JSON.stringify([position, id, crc32(filters)]);
  return base64url(utf8.encode(`${crc32(text)}:${text}`));
}

/**
 * Returns null when the cursor was changed or cut off, belongs to other filters, or holds a text
 * that not every storage takes.
 */
export function decodeCursor(cursor: string, filters: string): CursorPlace | null {
  const bytes = fromBase64url(cursor);
  if (!bytes) return null;

  try {
    const [, sum = "", text = ""] = /^(\d{1,10}):(.*)$/s.exec(decoder.decode(bytes)) ?? [];
    if (String(crc32(text)) !== sum) return null;

    const [position, id, hash]: unknown[] = JSON.parse(text);
    if (
      !Number.isSafeInteger(position) ||
      typeof id !== "string" ||
      !isCleanText(id) ||
      hash !== crc32(filters)
    )
      return null;

    return { position: Number(position), id };
  } catch {
    return null;
  }
}
