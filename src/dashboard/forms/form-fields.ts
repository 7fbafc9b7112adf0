import type { WireRequest } from "../../http/wire.ts";

/** A product with all its texts fits, also where each of its letters takes nine bytes. */
const maxFormBytes = 524_288;
/**
 * A form with a file is read up to this size, which is more than a picture may have. A
 * larger picture then gets its fault beside the field, and nothing that was typed is lost.
 */
const maxFileFormBytes = 16 * 1_048_576;

/** The content of a sent form. */
export interface SentForm {
  readonly fields: URLSearchParams;
  /** The chosen file, and null when there is none. */
  readonly file: File | null;
}

/** The one field of a form that takes a file has this name. */
export const fileField = "upload";

const multipart = /^\s*multipart\/form-data\s*;/i;

/**
 * Reads a form. Gives null when it is too large, or when its bytes cannot be read.
 * A form with a file is read only where `takesFile` is true. It throws when a
 * parser of the host has read a form with a file.
 */
export async function readForm(
  request: WireRequest,
  { takesFile }: { readonly takesFile: boolean },
): Promise<SentForm | null> {
  const type = request.header("content-type") ?? "";
  if (!multipart.test(type)) {
    const fields = await readFields(request);
    return fields && { fields, file: null };
  }
  if (!takesFile) return null;

  const body = await request.body(maxFileFormBytes);
  if (body === null) return null;
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

async function readParts(body: Uint8Array, type: string): Promise<SentForm | null> {
  if (hasTooManyParts(body)) return null;

  const fields = new URLSearchParams();
  let file: File | null = null;
  try {
    // The types of the DOM refuse bytes that threads could share. No body has such bytes.
    const response = new Response(body as BodyInit, { headers: { "content-type": type } });
    for (const [name, value] of await response.formData())
      if (typeof value === "string") fields.append(name, value);
      else if (name === fileField && value.size > 0) file ??= value;
  } catch {
    return null;
  }
  return { fields, file };
}

/** Reads the fields of a form without a file. Gives null when it is too large or unreadable. */
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
