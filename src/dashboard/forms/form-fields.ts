import type { WireRequest } from "../../http/wire.ts";

/** A product with all its texts fits, also where each of its letters takes nine bytes. */
export const maxFormBytes = 524_288;

/** The content of a sent form. */
export interface SentForm {
  readonly fields: URLSearchParams;
  /** The chosen files, by the names of their fields. */
  readonly files: ReadonlyMap<string, File>;
}

const multipart = /^\s*multipart\/form-data\s*;/i;

/**
 * Gives the fields and files of a form, or the reason why it cannot be read. `maxFileBytes` is the
 * most that a form with files may have: 0 refuses it. Throws when a parser of the host has read a
 * form with a file.
 */
export async function readForm(
  request: WireRequest,
  maxFileBytes: number,
): Promise<SentForm | "too_large" | "unreadable"> {
  const type = request.header("content-type") ?? "";
  if (!multipart.test(type)) {
    const body = await request.body(maxFormBytes);
    if (body === null) return "too_large";
    const fields = fieldsOf(body);
    return fields ? { fields, files: new Map() } : "unreadable";
  }
  if (maxFileBytes === 0) return "too_large";

  const body = await request.body(maxFileBytes);
  if (body === null) return "too_large";
  if (body instanceof Uint8Array) return readParts(body, type);
  throw new Error(
    "A parser of your host has read a form with a file before the dashboard could: " +
      "mount the dashboard in front of it.",
  );
}

/** A form has some hundred fields. To parse very many would hold up the process. */
const maxParts = 5_000;
const lineFeed = 0x0a;
const dash = 0x2d;

/** Counts the lines that begin as a boundary does. A picture has hardly any by chance. */
function hasTooManyParts(body: Uint8Array): boolean {
  let parts = 0;
  for (let at = body.indexOf(lineFeed); at >= 0; at = body.indexOf(lineFeed, at + 1)) {
    if (body[at + 1] === dash && body[at + 2] === dash) parts += 1;
    if (parts > maxParts) return true;
  }
  return false;
}

async function readParts(body: Uint8Array, type: string): ReturnType<typeof readForm> {
  if (hasTooManyParts(body)) return "too_large";

  const fields = new URLSearchParams();
  const files = new Map<string, File>();
  try {
    // The types of the DOM refuse bytes that threads could share. No body has such bytes.
    const response = new Response(body as BodyInit, { headers: { "content-type": type } });
    for (const [name, value] of await response.formData())
      if (typeof value === "string") fields.append(name, value);
      else if (value.size > 0 && !files.has(name)) files.set(name, value);
  } catch {
    return "unreadable";
  }
  return { fields, files };
}

/** Reads the fields of a form without a file. Gives null when it is too large or unreadable. */
export async function readFields(request: WireRequest): Promise<URLSearchParams | null> {
  const body = await request.body(maxFormBytes);
  return body && fieldsOf(body);
}

function fieldsOf(body: NonNullable<Awaited<ReturnType<WireRequest["body"]>>>) {
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body));

  // A form parser of the host has read the body.
  const { parsed } = body;
  if (typeof parsed !== "object" || parsed === null) return null;
  const pairs = Object.entries(parsed).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (typeof each === "string" ? [[name, each]] : [])),
  );
  return new URLSearchParams(pairs);
}
