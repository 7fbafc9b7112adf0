import { ApiError, fail } from "../contract/errors.ts";
import type { Route } from "../contract/route.ts";
import { decodePercent } from "../domain/text/percent.ts";
import { isCleanText } from "../domain/text/plain.ts";
import { refuse, validate } from "../input/check.ts";
import type { RequestState } from "./request-state.ts";

const maxIdLength = 255;

/**
 * Reads the path parameters. A bad percent-encoding is answered with 400, and text
 * that can be no id with 404 without a look-up.
 */
export function readParams(state: RequestState): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, encoded] of Object.entries(state.match?.params ?? {})) {
    const value = decodePercent(encoded);
    if (value === null) return refuse(name, "has a bad percent-encoding");
    if (value.length > maxIdLength || !isCleanText(value))
      return fail("resource_not_found", { param: "id" });
    params[name] = value;
  }
  return params;
}

/**
 * A cursor whose form is not ours counts as an unknown one, in whatever way it is
 * wrong.
 */
const cursor = "starting_after";

/**
 * Reads the query by the route's schema, which drops the names that it does not
 * have.
 */
export function readQuery({ query }: RequestState, route: Route): unknown {
  if (!route.query) return undefined;

  for (const [name, value] of Object.entries(query.values))
    if (name in route.query.shape && !isCleanText(value)) refuseUnclean(name);

  const read = validate(route.query, query.values);
  if (read.ok) return read.value;
  throw read.error.param === cursor ? new ApiError("invalid_cursor") : read.error;
}

function refuseUnclean(name: string): never {
  if (name === cursor) return fail("invalid_cursor");
  return refuse(name, "holds a character that is not accepted");
}
