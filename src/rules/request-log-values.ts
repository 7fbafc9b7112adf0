import { canonicalJson } from "../domain/canonical-json.ts";
import { sha256 } from "../domain/hash.ts";
import { pathTo, ruleOf } from "./request-log-fields.ts";

/** The values of a body by their paths. Each path is made of names of the API alone. */
export type BodyValues = ReadonlyMap<string, string>;

const mostValues = 100;
/** 11 letters of base64url are 8 bytes. */
const hashLength = 11;
/** A buyer token is no part of the body, but the same key must come with the same buyer. */
const buyerPath = "X-Service-Customer-Token";
const restPath = "<rest>";

/**
 * Lists the values of a body, at most 100: what is beyond has one entry together. What
 * the API does not know inside an object has one entry together too.
 */
export function bodyValues(body: unknown, customer_id: string | null): BodyValues {
  const found: [path: string, value: string][] = [];
  if (customer_id !== null) found.push([buyerPath, customer_id]);
  collect(body, "", found);
  if (found.length <= mostValues) return new Map(found);

  // Two requests may write their fields in another order.
  found.sort(([a], [b]) => (a < b ? -1 : 1));
  const rest = found.splice(mostValues - 1);
  return new Map([...found, [restPath, JSON.stringify(rest)]]);
}

/** The caller has bounded the depth of the body, since the function calls itself. */
function collect(value: unknown, path: string, found: [path: string, value: string][]): void {
  if (Array.isArray(value) && value.length > 0) {
    for (let index = 0; index < value.length; index += 1)
      collect(value[index], `${path}[${index}]`, found);
    return;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    found.push([path, canonicalJson(value)]);
    return;
  }

  const unknown: Record<string, unknown> = Object.create(null);
  let hasUnknown = false;
  for (const name of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, name);
    const rule = ruleOf(name);
    const at = pathTo(path, name);
    if (rule?.open) collect(inner, at, found);
    else if (rule) found.push([at, canonicalJson(inner)]);
    else {
      unknown[name] = inner;
      hasUnknown = true;
    }
  }
  if (hasUnknown) found.push([pathTo(path, "<unknown>"), canonicalJson(unknown)]);
}

/** A hash for each path, in place of the value. */
export type ValueHashes = Readonly<Record<string, string>>;

/**
 * Hashes each value under a secret, so that nobody without it can find a value by trying.
 * The salt names the request, so that equal values of two requests have other hashes. 64
 * bits of SHA-256 are kept: the end of the text cannot be continued from so few.
 */
export async function hashValues(
  values: BodyValues,
  { secret, salt }: { readonly secret: string; readonly salt: string },
): Promise<ValueHashes> {
  const names = [...values.keys()];
  const hashes = await Promise.all(
    names.map((path) => sha256(`${secret}\n${salt}\n${path}\n${values.get(path)}`, "base64url")),
  );
  return Object.fromEntries(
    names.map((path, at) => [path, hashes[at]?.slice(0, hashLength) ?? ""]),
  );
}

/** The paths whose values differ, or that one of the two requests lacks. */
export function differentPaths(before: ValueHashes, now: ValueHashes): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}
