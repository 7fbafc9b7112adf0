import { crc32 } from "../../domain/keys/crc32.ts";
import { base64url, fromBase64url } from "../../domain/keys/hash.ts";
import { readCookie, setCookie } from "../access/cookies.ts";
import type { Section, StoreVisit } from "../screen.ts";
import type { Filters } from "./filters.ts";

// A person's views are in a cookie of the browser. They are no record of the store: a search can
// hold a buyer's e-mail address, which an erasure would not find there.

/** The lists whose views can be kept, by their paths. */
export const viewLists = {
  orders: "orders",
  customers: "customers",
  subscriptions: "subscriptions",
  payments: "payments",
  refunds: "refunds",
  disputes: "disputes",
  "checkout-sessions": "checkout_sessions",
  products: "products",
  coupons: "coupons",
  deliveries: "deliveries",
  events: "events",
  requests: "requests",
  alerts: "alerts",
  audit: "audit",
} as const satisfies Readonly<Record<string, Section>>;
export type ViewList = keyof typeof viewLists;

export const isViewList = (name: string): name is ViewList => Object.hasOwn(viewLists, name);

/** A list with its filters and its order, by the name that a person has given it. */
export interface KeptView {
  readonly list: ViewList;
  readonly name: string;
  /** The query of the list's address. */
  readonly query: string;
}

/** The most views, of all stores and people, that the cookie of a browser holds. */
export const mostViews = 12;
export const longestViewName = 40;
/** The most characters of the value. Browsers take 4,096 bytes with the name and attributes. */
const longestCookie = 3_800;
/** Browsers keep no cookie longer. */
const keptSeconds = 400 * 24 * 3_600;

type Stored = readonly [who: string, store: string, list: string, name: string, query: string];

const isStored = (row: unknown): row is Stored =>
  Array.isArray(row) && row.length === 5 && row.every((part) => typeof part === "string");

function readStored({ request, settings }: StoreVisit): readonly Stored[] {
  const bytes = fromBase64url(readCookie(request, "views", settings) ?? "");
  if (bytes === null || bytes.length === 0) return [];
  try {
    const rows: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(rows) ? rows.filter(isStored).slice(0, mostViews) : [];
  } catch {
    return [];
  }
}

/** Tells the people of one browser apart, who do not see each other's views. */
const whoOf = ({ access }: StoreVisit): string => crc32(access.actor).toString(36);

const isOf = (visit: StoreVisit, [who, store]: Stored): boolean =>
  who === whoOf(visit) && store === visit.store.id;

/** Lists the views that the visitor has kept in this store. */
export const viewsOf = (visit: StoreVisit): readonly KeptView[] =>
  readStored(visit).flatMap((row) => {
    const [, , list, name, query] = row;
    return isOf(visit, row) && isViewList(list) ? [{ list, name, query: cleanQuery(query) }] : [];
  });

const passedOver: ReadonlySet<string> = new Set(["after", "done"]);

/** Writes a query anew, without what belongs to one page of a list. */
export function cleanQuery(text: string): string {
  const pairs = [...new URLSearchParams(text)];
  const kept = pairs.filter(([name, value]) => !passedOver.has(name) && value !== "");
  return new URLSearchParams(kept.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
}

export const queryOfFilters = (filters: Filters): string =>
  cleanQuery(new URLSearchParams(filters).toString());

const cookieOf = ({ settings }: StoreVisit, rows: readonly Stored[]): string | null => {
  const value = base64url(new TextEncoder().encode(JSON.stringify(rows)));
  if (value.length > longestCookie) return null;
  return setCookie("views", { value, maxAgeSeconds: keptSeconds }, settings);
};

const without = (visit: StoreVisit, list: string, name: string): readonly Stored[] =>
  readStored(visit).filter((row) => !(isOf(visit, row) && row[2] === list && row[3] === name));

/** Gives the `Set-Cookie` header that keeps a view. Null means that no more of them fit. */
export function keepView(visit: StoreVisit, { list, name, query }: KeptView): string | null {
  const others = without(visit, list, name);
  const own: Stored = [whoOf(visit), visit.store.id, list, name, cleanQuery(query)];
  return others.length >= mostViews ? null : cookieOf(visit, [...others, own]);
}

/** Gives the `Set-Cookie` header that forgets a view. */
export const forgetView = (visit: StoreVisit, list: string, name: string): string =>
  cookieOf(visit, without(visit, list, name)) ?? "";
