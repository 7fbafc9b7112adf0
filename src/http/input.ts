import { fail } from "../contract/errors.ts";
import type { Route } from "../contract/routes.ts";
import { isCleanText, jsonDepth } from "../domain/plain.ts";
import { joinPath, parse } from "../input/parse.ts";
import type { Call } from "./call.ts";

export const maxBodyBytes = 65_536;
const maxDepth = 32;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Path parameters: bad percent-encoding is 400; what no id can be is 404 without a look-up. */
export function readParams(call: Call): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, raw] of Object.entries(call.match?.params ?? {})) {
    const value = decode(raw);
    if (value === null)
      return fail("parameter_invalid", {
        param: name,
        message: `${name} has a bad percent-encoding.`,
      });
    if (value.length > 255 || !isCleanText(value))
      return fail("resource_not_found", { param: "id" });
    params[name] = value;
  }
  return params;
}

function decode(raw: string): string | null {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/** A name given twice or in brackets means one thing to us and another to a proxy. */
export function refuseRepeats({ query: { refused } }: Call): void {
  if (refused !== null)
    fail("parameter_invalid", {
      param: refused,
      message: `${refused} must be given once, without brackets.`,
    });
}

export function readQueryInput(call: Call, route: Route): unknown {
  if (!route.query) return undefined;
  for (const [name, value] of Object.entries(call.query.values)) {
    if (name in route.query.shape && !isCleanText(value))
      fail("parameter_invalid", {
        param: name,
        message: `${name} holds a character that is not accepted.`,
      });
  }
  const parsed = parse(route.query, call.query.values);
  return parsed.ok ? parsed.value : fail(parsed.code, parsed.details);
}

/** Media type, size, JSON: 415, 413, invalid_json. The value is as it was received, unknown fields included. */
export async function readBody(call: Call): Promise<unknown> {
  const { request } = call;
  const encoding = request.header("content-encoding");
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity")
    fail("unsupported_media_type", { param: "Content-Encoding" });
  const type = request.header("content-type") ?? "";
  if (!/^\s*application\/json\s*(;|$)/i.test(type))
    fail("unsupported_media_type", { param: "Content-Type" });
  if (Number(request.header("content-length") ?? 0) > maxBodyBytes) fail("request_too_large");
  const body = await request.body(maxBodyBytes).catch(cutOff);
  if (body === null) return fail("request_too_large");
  const { value, checked } =
    body instanceof Uint8Array ? parseBytes(body) : { value: body.parsed, checked: false };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    fail("invalid_json", { message: "The body must be a JSON object." });
  if (!checked) checkValues(value);
  return value;
}

/** A client that went away in the middle of its body is no fault of the host's: nobody reads this answer, and nothing is reported. */
function cutOff(cause: unknown): never {
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown };
  if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE" || name === "AbortError")
    fail("invalid_json", { cause });
  throw cause;
}

/** JSON text without any `\u` holds neither NUL nor a lone surrogate: no other spelling of them is valid. */
function parseBytes(bytes: Uint8Array): { readonly value: unknown; readonly checked: boolean } {
  try {
    const text = utf8.decode(bytes); // a leading BOM is dropped
    if (!jsonDepth(text, maxDepth))
      return fail("invalid_json", {
        message: `The body is nested more than ${maxDepth} levels deep.`,
      });
    return { value: JSON.parse(text), checked: !text.includes("\\u") };
  } catch (cause) {
    return fail("invalid_json", { cause });
  }
}

/** No NUL and no lone surrogate anywhere, and a depth bound for bodies that a host's parser has read. */
function checkValues(root: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: "", depth: 1 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === "string" && !isCleanText(value))
      fail("parameter_invalid", {
        param: path,
        message: `${path} holds a character that is not accepted.`,
      });
    if (typeof value !== "object" || value === null) continue;
    if (depth > maxDepth)
      fail("invalid_json", { message: `The body is nested more than ${maxDepth} levels deep.` });
    for (const [name, inner] of Object.entries(value)) {
      if (!isCleanText(name))
        fail("parameter_invalid", {
          param: path || "body",
          message: "A field name holds a character that is not accepted.",
        });
      open.push({
        value: inner,
        path: joinPath(path, Array.isArray(value) ? Number(name) : name),
        depth: depth + 1,
      });
    }
  }
}
