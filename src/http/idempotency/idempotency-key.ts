import { fail } from "../../contract/errors.ts";
import type { RequestState } from "../request-state.ts";

/**
 * Reads the Idempotency-Key: 1 to 255 visible ASCII characters, bare or as a quoted
 * string (RFC 8941).
 */
export function readIdempotencyKey({ request }: RequestState): string {
  const header = request.header("idempotency-key")?.trim() ?? "";
  const quoted = header.length >= 2 && header.startsWith('"') && header.endsWith('"');
  const key = quoted ? header.slice(1, -1).replace(/\\(["\\])/g, "$1") : header;

  if (key === "") fail("missing_idempotency_key");
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) fail("invalid_idempotency_key");
  return key;
}
