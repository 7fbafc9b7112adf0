import type { DashboardSettings } from "./options.ts";
import type { StoreVisit, Visit } from "./screen.ts";

type Query = Readonly<Record<string, string | null | undefined>>;

/** The overview has hundreds of addresses, for which `URLSearchParams` would be slow. */
const withQuery = (path: string, query: Query): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value ? [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] : [],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
};

/** Gives the address of something below the dashboard, as the browser sees it. */
export const below = ({ publicPath }: DashboardSettings, ...parts: readonly string[]): string =>
  [publicPath, ...parts.map(encodeURIComponent)].join("/") || "/";

/** Gives an address in the visited store and mode. `parts` are the segments of its path. */
export const inStore = (
  { settings, store, livemode }: StoreVisit,
  parts: readonly string[] = [],
  query: Query = {},
): string => withQuery(below(settings, store.id, livemode ? "live" : "test", ...parts), query);

/** Gives the address of the visited page itself with another query. */
export const samePage = ({ path }: Visit, query: Query = {}): string => withQuery(path, query);

/** Gives the query of the visited page, without the message of a form. */
export const placeQuery = ({ query }: Visit): string =>
  new URLSearchParams([...query].filter(([name]) => name !== "done")).toString();

/** Gives the address of the visited page as it is filtered, without the message of a form. */
export const samePlace = (visit: Visit): string => withPlace(visit.path, placeQuery(visit));

/** Gives the address of a list as it was left, by the text of its query. */
export const withPlace = (path: string, query: string): string =>
  query === "" ? path : `${path}?${query}`;
