import { isApiError } from "../../contract/errors.ts";
import { may } from "../access/access.ts";
import { inStore } from "../addresses.ts";
import { amountText } from "../format.ts";
import { menu } from "../frame/menu.ts";
import { partitionOf, type Section, type StoreVisit } from "../screen.ts";
import { buyerName } from "../screens/sales/customer-parts.ts";
import { orderName } from "../screens/sales/order-parts.ts";
import { findById, kindOfId } from "./by-id.ts";
import type { Found, Hit } from "./hit.ts";

/** The number of records that each place shows of those it finds. Its own list shows the others. */
const perPlace = 5;
/** The codes of this many coupons are compared. */
const couponsRead = 100;

type Finder = (visit: StoreVisit, text: string) => Promise<readonly Hit[]>;

const includes = (whole: string, part: string): boolean =>
  whole.toLowerCase().includes(part.toLowerCase());

async function findOrders(visit: StoreVisit, search: string): Promise<readonly Hit[]> {
  const query = { ...partitionOf(visit), search, limit: perPlace };
  const { data } = await visit.parts.owner.orders.list(query);
  return data.map((order) => ({
    label: `${orderName(order)} · ${buyerName(visit, order.customer)}`,
    note: `${amountText(visit, order.amount_total, order.currency)} · ${visit.language.say(
      `order_${order.status}`,
    )}`,
    path: ["orders", order.id],
  }));
}

async function findCustomers(visit: StoreVisit, search: string): Promise<readonly Hit[]> {
  const query = { ...partitionOf(visit), search, limit: perPlace };
  const { data } = await visit.parts.owner.customers.list(query);
  return data.map((customer) => ({
    label: buyerName(visit, customer),
    note: customer.email,
    path: ["customers", customer.id],
  }));
}

async function findProducts(visit: StoreVisit, text: string): Promise<readonly Hit[]> {
  const query = { search: text.slice(0, 100), limit: perPlace };
  const { data } = await visit.parts.owner.products.list(visit.store.id, query);
  return data.map(({ id, name, price, currency }) => ({
    label: name,
    note: amountText(visit, price, currency),
    path: ["products", id],
  }));
}

async function findCoupons({ parts, store }: StoreVisit, text: string): Promise<readonly Hit[]> {
  const { data } = await parts.owner.coupons.list(store.id, { limit: couponsRead });
  const fitting = data.filter(({ code }) => includes(code, text)).slice(0, perPlace);
  return fitting.map(({ id, code }) => ({ label: code, note: null, path: ["coupons", id] }));
}

/** A store has few endpoints, so all are read. */
async function findEndpoints(visit: StoreVisit, text: string): Promise<readonly Hit[]> {
  const all = await visit.parts.owner.endpoints.list(partitionOf(visit));
  const fitting = all.filter(
    ({ url, description }) => includes(url, text) || includes(description ?? "", text),
  );
  return fitting
    .slice(0, perPlace)
    .map(({ id, url, description }) => ({ label: url, note: description, path: ["webhooks", id] }));
}

interface Place {
  readonly section: Section;
  readonly find: Finder;
  /** Gives the address of the list that takes the same search. */
  all?(visit: StoreVisit, text: string): string;
  /** True when it finds ids too. */
  readonly findsIds?: boolean;
}

const places: readonly Place[] = [
  {
    section: "orders",
    find: findOrders,
    all: (visit, search) => inStore(visit, ["orders"], { search }),
    findsIds: true,
  },
  { section: "customers", find: findCustomers, findsIds: true },
  {
    section: "products",
    find: findProducts,
    all: (visit, search) => inStore(visit, ["products"], { search }),
  },
  { section: "coupons", find: findCoupons },
  { section: "webhooks", find: findEndpoints },
];

/** Finds the places of the menu that this person may see, by their names. */
function findPlaces({ access, language }: StoreVisit, text: string): Found {
  const hits = menu
    .flatMap(({ entries }) => entries)
    .filter(({ action = null }) => may(access, action))
    .map(({ section, path }) => ({
      label: language.say(`section_${section}`),
      note: null,
      path: path === "" ? [] : [path],
    }))
    .filter(({ label }) => includes(label, text));
  return { title: "search_places", hits: hits.slice(0, perPlace), all: null };
}

/** Finds the record of an id. A request is found by those alone who may read them. */
async function findId(visit: StoreVisit, text: string): Promise<Found> {
  const kind = kindOfId(text);
  const none = { title: "search_id", hits: [], all: null } as const;
  if (kind === null || (kind === "req" && !may(visit.access, "requests.read"))) return none;
  try {
    const found = await findById(visit, kind, text);
    return found === null ? none : { ...none, hits: [found] };
  } catch (error) {
    if (isApiError(error) && error.code === "resource_not_found") return none;
    throw error;
  }
}

/**
 * Searches all places of a store at the same time. Each read is bounded, by an index or by the
 * limit of the list of its place. A place without a hit is left out.
 */
export async function findEverything(visit: StoreVisit, text: string): Promise<readonly Found[]> {
  const isId = kindOfId(text) !== null;
  const asked = places.filter(({ findsIds = false }) => findsIds || !isId);
  const found = await Promise.all([
    findId(visit, text),
    ...asked.map(async ({ section, find, all }): Promise<Found> => {
      const hits = await find(visit, text);
      const isFull = hits.length === perPlace;
      return {
        title: `section_${section}`,
        hits,
        all: isFull ? (all?.(visit, text) ?? null) : null,
      };
    }),
  ]);
  return [...found, findPlaces(visit, text)].filter(({ hits }) => hits.length > 0);
}
