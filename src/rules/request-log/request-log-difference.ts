import { normalizeCode } from "../../domain/coupon.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { pathTo, ruleOf } from "./request-log-fields.ts";
import type { SentRequest } from "./sent-request.ts";

const mostPaths = 100;

/**
 * Lists the paths at which two requests differ, such as `items[0].quantity`. There
 * are at most 100, and never a name that a client made up. `<unknown>` is the only
 * path when the difference is in what the API does not read: in another field, or
 * in how a value is written.
 */
export function differentPaths(before: SentRequest, now: SentRequest): readonly string[] {
  const [earlier, later] = [valuesOf(before), valuesOf(now)];

  const paths = new Set([...earlier.keys(), ...later.keys()]);
  const different = [...paths].filter((path) => earlier.get(path) !== later.get(path));
  return different.length === 0 ? ["<unknown>"] : different.sort().slice(0, mostPaths);
}

function valuesOf({ body, customer_id }: SentRequest): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (customer_id !== null) values.set("X-Service-Customer-Token", customer_id);
  collect(body, "", values);
  return values;
}

/**
 * Collects the values by their paths. The function may call itself, because the
 * depth of the body is bounded.
 */
function collect(value: unknown, path: string, values: Map<string, string>): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, `${path}[${index}]`, values);
    return;
  }
  if (!isObject(value)) {
    setValue(path, value, values);
    return;
  }

  for (const [name, inner] of Object.entries(value)) {
    const rule = ruleOf(name);
    if (rule?.open) collect(inner, pathTo(path, name), values);
    else if (rule) setValue(pathTo(path, name), normalOf(name, inner), values);
  }
}

/**
 * Sets a value. A field that is null or empty has the same meaning as one that is
 * left out, so it is not set.
 */
function setValue(path: string, value: unknown, values: Map<string, string>): void {
  const isEmpty = value === null || (isObject(value) && Object.keys(value).length === 0);
  if (!isEmpty) values.set(path, canonicalJson(value));
}

/** Gives the value in the form in which the session keeps it, so that the two can be compared. */
function normalOf(name: string, value: unknown): unknown {
  if (name === "variables" && isObject(value)) return givenVariables(value);
  if (typeof value !== "string") return value;
  if (name === "coupon_code") return normalizeCode(value);
  return name.endsWith("_url") ? (parseUrl(value)?.href ?? value) : value;
}

const givenVariables = (variables: object): object =>
  Object.fromEntries(
    Object.entries(variables)
      .filter(([, value]) => value !== null && value !== "")
      .map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
  );

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
