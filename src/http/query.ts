import { fail } from "../contract/errors.ts";
import type { Route } from "../contract/route.ts";
import { nearestName } from "../domain/text/nearest.ts";
import { joinParam } from "../input/check.ts";

export interface ParsedQuery {
  /** The first value of each name, without `key`. */
  readonly values: Readonly<Record<string, string>>;
  /** Has all values of `key`. */
  readonly keys: readonly string[];
  /**
   * The first name that is given twice or holds a bracket. It is null when
   * there is none.
   */
  readonly repeated: string | null;
}

const emptyQuery: ParsedQuery = { values: {}, keys: [], repeated: null };
const maxNameLength = 100;

export function parseQuery(query: string): ParsedQuery {
  if (query === "") return emptyQuery;

  // The object has no prototype, so that `__proto__` is a name like any other.
  const values: Record<string, string> = Object.create(null);
  const keys: string[] = [];
  let repeated: string | null = null;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "key") keys.push(value);
    else if (name in values || name.includes("[")) repeated ??= name.slice(0, maxNameLength);
    else values[name] = value;
  }
  return { values, keys, repeated };
}

/**
 * Refuses a repeated name, because two programs on the way may each read another of
 * its values.
 */
export function refuseRepeated({ repeated }: ParsedQuery): void {
  if (repeated !== null)
    fail("parameter_invalid", {
      param: repeated,
      message: `${repeated} must be given once, without brackets.`,
    });
}

/** Analytics and caches add these names to any address. `_` is jQuery's. */
const foreignNames = /^(?:utm_.*|fbclid|gclid|_)$/;

/**
 * Refuses a name that the route does not know: a misspelt filter would answer with
 * everything.
 */
export function refuseUnknown({ values }: ParsedQuery, route: Route): void {
  const known = Object.keys(route.query?.shape ?? {});
  for (const name in values) {
    if (known.includes(name) || foreignNames.test(name)) continue;

    const param = joinParam("", name);
    const nearest = nearestName(name, known);
    const hint = nearest === null ? listOf(known) : `Did you mean ${nearest}?`;
    fail("parameter_unknown", {
      param,
      message: `${param} is not a query parameter of this route. ${hint}`,
    });
  }
}

const listOf = (known: readonly string[]): string =>
  known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}.`;
