import type { Html } from "../../../../contract/html.ts";
import { inStore, samePage, withPlace } from "../../../addresses.ts";
import { hidden } from "../../../frame/elements.ts";
import type { StoreVisit } from "../../../screen.ts";

// The list of products from which some were chosen: its query goes along in the address of each
// step, so that every way out leads back to it.

/** The part of the address that holds the query of the list. */
const name = "list";

/** A longer query would make an address that a proxy refuses, beside what an undo puts back. */
const longest = 800;

/** Gives the query of the list, as the address of a step holds it. */
export function queryLeft({ query }: StoreVisit): string {
  const text = query.get(name) ?? "";
  return text.length > longest ? "" : new URLSearchParams(text).toString();
}

/** Gives the part of an address that hands the query of the list on. */
export const listLeft = (visit: StoreVisit): Readonly<Record<string, string>> => ({
  [name]: queryLeft(visit),
});

/** Hands the query of the list on to the step to which a form leads. */
export const listField = (query: string): Html | null =>
  query === "" ? null : hidden(name, query);

/** Gives the address of the list as it was left. */
export const listOf = (visit: StoreVisit): string =>
  withPlace(inStore(visit, ["products"]), queryLeft(visit));

/** Gives the address of the visited step, with more in its query. */
export const thisStep = (
  visit: StoreVisit,
  more: Readonly<Record<string, string | null>> = {},
): string => samePage(visit, { ...more, ...listLeft(visit) });
