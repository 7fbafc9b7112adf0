import { fail } from "../contract/errors.ts";
import { isCleanText, jsonDepth } from "../domain/text/plain.ts";
import { joinParam, refuse } from "../input/check.ts";
import type { WireRequest } from "./wire.ts";

export const maxBodyBytes = 65_536;
export const maxDepth = 32;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON object as the client sent it, unknown fields included. Throws 415,
 * 413 or `invalid_json`.
 */
export async function readBody(request: WireRequest): Promise<unknown> {
  checkHeaders(request);

  const body = await request.body(maxBodyBytes).catch(refuseBrokenOff);
  if (body === null) return fail("request_too_large");

  const { value, clean } =
    body instanceof Uint8Array ? parseJson(body) : { value: body.parsed, clean: false };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    fail("invalid_json", { message: "The body must be a JSON object." });
  if (!clean) checkValues(value);
  return value;
}

function checkHeaders(request: WireRequest): void {
  const encoding = request.header("content-encoding")?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== "identity")
    fail("unsupported_media_type", { param: "Content-Encoding" });

  const type = request.header("content-type") ?? "";
  if (!/^\s*application\/json\s*(;|$)/i.test(type))
    fail("unsupported_media_type", { param: "Content-Type" });

  if (Number(request.header("content-length") ?? 0) > maxBodyBytes) fail("request_too_large");
}

/**
 * Refuses a body in the middle of which the client broke off. That client reads no
 * answer, and the host is told of no error.
 */
function refuseBrokenOff(cause: unknown): never {
  if (isBrokenOff(cause)) fail("invalid_json", { cause });
  // A host's parser accepted the body, but it is nested so deeply that JSON.stringify overflows.
  if (cause instanceof RangeError) refuseDepth();
  throw cause;
}

/** Says whether this is the error of a body whose client broke off the connection. */
export function isBrokenOff(error: unknown): boolean {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown };
  return code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE" || name === "AbortError";
}

interface ParsedJson {
  readonly value: unknown;
  /** True when no text of the value can hold a character that is refused. */
  readonly clean: boolean;
}

/**
 * Parses JSON and says whether its text is clean. JSON can hold NUL and half of a
 * surrogate pair only as `\u` escapes: text without one is clean.
 */
function parseJson(bytes: Uint8Array): ParsedJson {
  const text = orInvalidJson(() => utf8.decode(bytes)); // this drops a leading byte order mark
  if (!jsonDepth(text, maxDepth)) return refuseDepth();
  return { value: orInvalidJson(() => JSON.parse(text)), clean: !text.includes("\\u") };
}

function orInvalidJson<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    return fail("invalid_json", { cause });
  }
}

function refuseDepth(): never {
  return fail("invalid_json", {
    message: `The body is nested more than ${maxDepth} levels deep.`,
  });
}

/**
 * Refuses NUL, half of a surrogate pair, and a value from a host's parser that is
 * nested too deep.
 */
function checkValues(root: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: "", depth: 1 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === "string" && !isCleanText(value))
      refuse(path, "holds a character that is not accepted");
    if (typeof value !== "object" || value === null) continue;

    if (depth > maxDepth) refuseDepth();
    for (const [name, inner] of Object.entries(value)) {
      if (!isCleanText(name)) refuseName(path);
      const part = Array.isArray(value) ? Number(name) : name;
      open.push({ value: inner, path: joinParam(path, part), depth: depth + 1 });
    }
  }
}

function refuseName(path: string): never {
  return fail("parameter_invalid", {
    param: path || "body",
    message: "A field name holds a character that is not accepted.",
  });
}
