import { isCleanText } from "../../domain/text/plain.ts";
import type { WireRequest } from "../../http/wire.ts";

const maxFormBytes = 16_384;

/** Reads the fields of a form; there are none when it is too large. */
export async function readFields(request: WireRequest): Promise<URLSearchParams> {
  const body = await request.body(maxFormBytes);
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body));

  // A form parser of the host has read the body.
  const parsed: unknown = body?.parsed;
  const fields = typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : [];
  // Parsers give a list where a form has several fields of one name.
  const pairs = fields.flatMap(([name, value]) => [value].flat().map((text) => [name, text]));
  return new URLSearchParams(
    pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

/**
 * Reads the version of the session that the form showed. For a text that no page has written, the
 * version is one that no session has: the payment is then refused.
 */
export function shownVersion(fields: URLSearchParams): number | null {
  const text = fields.get("version") || null;
  if (text === null) return null;
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}

/** Reads the key by which a form that was sent twice starts one payment. */
export function attemptKey(fields: URLSearchParams): string | null {
  const key = fields.get("attempt")?.slice(0, 255) ?? "";
  return key.trim() !== "" && isCleanText(key) ? key : null;
}
