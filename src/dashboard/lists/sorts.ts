import { ageSorts } from "../../owner/listing.ts";
import { samePage } from "../addresses.ts";
import type { Head } from "../frame/elements.ts";
import type { Visit } from "../screen.ts";
import type { Filters } from "./filters.ts";

/** The filter that says in which order a list is. */
export const sortFilter = "sort";

interface Sortable {
  readonly label: string;
  /** The order that a first press of the head chooses, and the one of a second. */
  readonly orders: readonly [first: string, second: string];
  /** Names the one that rises. */
  readonly ascending: string;
  /** The order of the list where the address names none. */
  readonly usual?: string;
}

/** Makes the head of a column by which the list is sorted. The filters stay as they are. */
export function sortHead(visit: Visit, filters: Filters, column: Sortable): Head {
  const { label, orders, ascending, usual } = column;
  const current = filters[sortFilter] ?? usual;
  const isSorted = orders.some((name) => name === current);
  const next = current === orders[0] ? orders[1] : orders[0];
  const way = current === ascending ? "ascending" : "descending";
  return {
    label,
    address: samePage(visit, { ...filters, [sortFilter]: next === usual ? null : next }),
    sorted: isSorted ? way : null,
  };
}

/** Reads the order of a list that begins with its newest row. */
export const ageSortOf = (filters: Filters) =>
  ageSorts.find((name) => name === filters[sortFilter]) ?? null;

/** Makes the head of the dates of such a list. */
export const dateHead = (visit: Visit, filters: Filters): Head =>
  sortHead(visit, filters, {
    label: visit.language.say("created_at"),
    orders: ["newest", "oldest"],
    ascending: "oldest",
    usual: "newest",
  });
