import type { WireRequest } from "../http/wire.ts";

/** A product with all its texts fits, also where each of its letters takes nine bytes. */
const maxFormBytes = 524_288;

/** Reads the fields of a form; null when it is too large, or its bytes cannot be read. */
export async function readFields(request: WireRequest): Promise<URLSearchParams | null> {
  const body = await request.body(maxFormBytes);
  if (body === null) return null;
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body));

  // A form parser of the host has read the body.
  const { parsed } = body;
  if (typeof parsed !== "object" || parsed === null) return null;
  const pairs = Object.entries(parsed).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (typeof each === "string" ? [[name, each]] : [])),
  );
  return new URLSearchParams(pairs);
}
