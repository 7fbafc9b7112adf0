import { invalidOption, type OptionNames, refuseUnknownOptions } from "./option-error.ts";

/**
 * What an option must be: a type of JavaScript, an object with these functions, or an
 * object with options of its own. `true` leaves the check to the option's reader.
 */
export type OptionKind =
  | true
  | keyof typeof types
  | readonly string[]
  | { readonly [name: string]: OptionKind };

const types = {
  boolean: "true or false",
  function: "a function",
  list: "a list",
  object: "an object",
  string: "a text",
} as const;

/** Refuses options that nothing reads, and those of the wrong kind. */
export function refuseWrongOptions<Options extends object>(
  given: Options | null | undefined,
  known: OptionNames<Options, OptionKind>,
  parent = "",
): void {
  refuseUnknownOptions(given, known, parent);

  const kinds: { readonly [name: string]: OptionKind } = known;
  for (const [name, value] of Object.entries(given ?? {}))
    checkKind(parent === "" ? name : `${parent}.${name}`, value, kinds[name] ?? true);
}

/** Refuses an option of another kind. `undefined` counts as not given. */
export function checkKind(name: string, value: unknown, kind: OptionKind): void {
  if (kind === true || value === undefined) return;

  if (isNames(kind)) {
    requireFunctions(name, value, kind);
    return;
  }

  const type = typeof kind === "string" ? kind : "object";
  const given = type === "list" && Array.isArray(value) ? type : typeof value;
  if (value === null || given !== type) invalidOption(name, `must be ${types[type]}`);
  if (typeof kind !== "string") refuseWrongOptions<object>(value, kind, name);
}

/** Refuses an option without one of the functions that it must have. */
export function requireFunctions(name: string, value: unknown, functions: readonly string[]): void {
  const parts = value as { readonly [part: string]: unknown } | null;
  const lacking = functions.find((part) => typeof parts?.[part] !== "function");
  if (lacking)
    invalidOption(name, `has no function ${lacking}: give the object, no maker or promise of it`);
}

const isNames = (kind: OptionKind): kind is readonly string[] => Array.isArray(kind);
