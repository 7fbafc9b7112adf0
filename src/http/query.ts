import { fail } from "../contract/errors.ts";

export interface ParsedQuery {
  /** The first value of each name, without `key`. */
  readonly values: Readonly<Record<string, string>>;
  /** All values of `key`. */
  readonly keys: readonly string[];
  /** The first name that is given twice or holds a bracket; null when there is none. */
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

/** Refuses a repeated name: two programs on the way may each read another of its values. */
export function refuseRepeated({ repeated }: ParsedQuery): void {
  if (repeated !== null)
    fail("parameter_invalid", {
      param: repeated,
      message: `${repeated} must be given once, without brackets.`,
    });
}
