import type { WireRequest } from "../../http/wire.ts";

const maxFormBytes = 16_384;

/** Reads the fields of a form; there are none when it is too large. */
export async function readFields(request: WireRequest): Promise<URLSearchParams> {
  const body = await request.body(maxFormBytes);
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body));

  // A form parser of the host has read the body.
  const parsed: unknown = body?.parsed;
  const fields = typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : [];
  return new URLSearchParams(
    fields.filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}
