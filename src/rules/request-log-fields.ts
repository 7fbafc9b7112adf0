import { paths } from "../contract/paths.ts";
import type { CheckoutRequestInput, CouponRequestInput } from "../contract/request-bodies.ts";
import { type Route, routes } from "../contract/routes.ts";
import { nearestName } from "../domain/nearest.ts";
import { parseUrl } from "../domain/parse-url.ts";

/** What the request log keeps of a field of a body. Its name and type are kept always. */
export interface FieldRule {
  /** True: what is inside the field is looked at. Otherwise nothing of it is kept. */
  readonly open?: true;
  /** What is kept of the value; null when the value is not what the field should hold. */
  readonly keep?: (value: unknown) => string | number | null;
  /** True: the value is kept only where this field is the parameter in error. */
  readonly inError?: true;
}

type FieldOf<T> = T extends readonly (infer Item)[]
  ? FieldOf<Item>
  : T extends object
    ? string extends keyof T
      ? never
      : { [K in keyof T]-?: K | FieldOf<NonNullable<T[K]>> }[keyof T]
    : never;

/** Every field of every body of the API: a new one does not compile without a line below. */
type BodyField = FieldOf<CheckoutRequestInput> | FieldOf<CouponRequestInput>;

const opened: FieldRule = { open: true };
/** For what is personal, or is text of the client's own. */
const typeAlone: FieldRule = {};
const returnUrl: FieldRule = { keep: originOf, inError: true };

const fieldTable: Readonly<Record<BodyField, FieldRule>> = {
  items: opened,
  product_id: { keep: keptId },
  quantity: { keep: keptNumber },
  variables: typeAlone,
  success_url: returnUrl,
  cancel_url: returnUrl,
  customer: opened,
  email: typeAlone,
  discord_id: typeAlone,
  coupon_code: typeAlone,
  code: typeAlone,
  metadata: typeAlone,
};

const fields: ReadonlyMap<string, FieldRule> = new Map(Object.entries(fieldTable));
const fieldNames: readonly string[] = Object.keys(fieldTable);

/** The rule of a field; undefined for a name that no body of the API has. */
export const ruleOf = (name: string): FieldRule | undefined => fields.get(name);

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Keeps what looks like the id of a product. A client may send anything in its place:
 * an e-mail address, a tax id, a phone or card number and a key have another form.
 */
function keptId(value: unknown): string | null {
  if (typeof value !== "string") return null;
  if (/^prod_[A-Za-z0-9_-]{1,59}$/.test(value) || uuid.test(value)) return value;

  const isShort = /^[A-Za-z0-9_-]{1,24}$/.test(value);
  const isSecret = /^(?:hk_|whsec_|ey[Jj])/.test(value);
  return isShort && !isSecret && digitsOf(value) < 10 ? value : null;
}

const digitsOf = (text: string): number => text.replace(/\D/g, "").length;

/** Keeps a number, also one that is written as text, of at most nine digits. */
function keptNumber(value: unknown): string | number | null {
  if (typeof value === "number") return Math.abs(value) < 1e9 ? Number(value.toFixed(3)) : null;
  return typeof value === "string" && /^-?\d{1,9}$/.test(value) ? value : null;
}

/** Path and query of an address may name a person; a host may be made of a tax id. */
function originOf(value: unknown): string | null {
  const url = typeof value === "string" ? parseUrl(value) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.origin.length <= 100 && digitsOf(url.hostname) < 11 ? url.origin : null;
}

/** The path to a field of an object, as errors write it. */
export const pathTo = (path: string, name: string): string =>
  path === "" ? name : `${path}.${name}`;

/** The other names that an error of ours gives as `param`. */
const otherParams: ReadonlySet<string> = new Set([
  "key",
  "body",
  "input",
  "Idempotency-Key",
  "X-Service-Customer-Token",
  "Content-Type",
  "Content-Encoding",
  ...Object.values<Route>(routes).flatMap((route) => Object.keys(route.query?.shape ?? {})),
  ...Object.values(paths).flatMap((path) => path.match(/(?<=\{)\w+/g) ?? []),
]);

const isKnown = (name: string): boolean => fields.has(name) || otherParams.has(name);

const longestGuess = 40;

/**
 * What is kept in place of a name that no body has: it is text of the client's own.
 * Where it looks misspelt, the label gives the name that was meant.
 */
export function labelOf(name: string): string {
  const meant = name.length > longestGuess ? null : nearestName(name, fieldNames);
  return meant === null ? "<unknown>" : `<like ${meant}>`;
}

const mostParts = 8;

/**
 * The parameter in error as the log keeps it: names of the API and places in lists.
 * It ends where text of the client's own begins.
 */
export function loggedParam(param: string): string {
  const parts = param.match(/[^.[\]]+|\[\d{1,4}\]/g) ?? [];
  let logged = "";
  for (const part of parts.slice(0, mostParts)) {
    if (part.startsWith("[")) {
      logged += part;
      continue;
    }

    if (!isKnown(part)) return pathTo(logged, labelOf(part));
    logged = pathTo(logged, part);
    if (!ruleOf(part)?.open) return logged;
  }
  return logged;
}
