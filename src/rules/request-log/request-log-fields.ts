import { paths } from "../../contract/paths.ts";
import type {
  CheckoutRequestInput,
  CouponRequestInput,
  LicenseActivationInput,
  LicenseDeactivationInput,
  LicenseRequestInput,
} from "../../contract/request-bodies.ts";
import type { Route } from "../../contract/route.ts";
import { routes } from "../../contract/routes.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { nearestName } from "../../domain/text/nearest.ts";

/**
 * A rule that tells what the request log keeps of a field of a body. The name and
 * the type are always kept.
 */
export interface FieldRule {
  /**
   * True means that the fields inside this field are looked at. Otherwise nothing
   * inside it is kept.
   */
  readonly open?: true;
  /**
   * Gives what is kept of the value. It is null when the value is not what the
   * field should hold.
   */
  readonly keep?: (value: unknown) => string | number | null;
  /** True means that the value is kept only when this field is the parameter in error. */
  readonly inError?: true;
}

type FieldOf<T> = T extends readonly (infer Item)[]
  ? FieldOf<Item>
  : T extends object
    ? string extends keyof T
      ? never
      : { [K in keyof T]-?: K | FieldOf<NonNullable<T[K]>> }[keyof T]
    : never;

/**
 * Names every field of every body of the API. A new field does not compile
 * without a line below.
 */
type BodyField = FieldOf<
  | CheckoutRequestInput
  | CouponRequestInput
  | LicenseActivationInput
  | LicenseDeactivationInput
  | LicenseRequestInput
>;

const opened: FieldRule = { open: true };
/** The rule for personal data, secrets and the client's own text: only the type is kept. */
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
  trial: typeAlone,
  code: typeAlone,
  license_key: typeAlone,
  instance_id: typeAlone,
  instance_name: typeAlone,
  metadata: typeAlone,
};

const fields: ReadonlyMap<string, FieldRule> = new Map(Object.entries(fieldTable));
const fieldNames: readonly string[] = Object.keys(fieldTable);

/** Gives the rule of a field. It is undefined for a name that no body of the API has. */
export const ruleOf = (name: string): FieldRule | undefined => fields.get(name);

const ownId = /^prod_[A-Za-z0-9_-]{1,59}$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Keeps a value that has the form of a product's id, ours or a UUID. A client may send
 * anything in its place, and any other form may be a name or a number of a person.
 */
function keptId(value: unknown): string | null {
  const isId = typeof value === "string" && (ownId.test(value) || uuid.test(value));
  return isId ? value : null;
}

const digitsOf = (text: string): number => text.replace(/\D/g, "").length;

/** Keeps a number of at most nine digits. It may also be written as text. */
function keptNumber(value: unknown): string | number | null {
  if (typeof value === "number") return Math.abs(value) < 1e9 ? Number(value.toFixed(3)) : null;
  return typeof value === "string" && /^-?\d{1,9}$/.test(value) ? value : null;
}

/**
 * Gives the origin of an address. Its path and query may name a person, and its
 * host may contain a tax id.
 */
function originOf(value: unknown): string | null {
  const url = typeof value === "string" ? parseUrl(value) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.origin.length <= 100 && digitsOf(url.hostname) < 11 ? url.origin : null;
}

/** Gives the path to a field of an object, in the form that errors use. */
export const pathTo = (path: string, name: string): string =>
  path === "" ? name : `${path}.${name}`;

/** An error of ours gives these other names as `param`. */
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
 * Gives the label that is kept in place of a name that no body has, because that
 * name is the client's own text. When the name looks misspelt, the label gives the
 * name that was meant.
 */
export function labelOf(name: string): string {
  const meant = name.length > longestGuess ? null : nearestName(name, fieldNames);
  return meant === null ? "<unknown>" : `<like ${meant}>`;
}

const mostParts = 8;

/**
 * Gives the parameter in error as the log keeps it, with names of the API and
 * places in lists. It ends where the client's own text begins.
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
