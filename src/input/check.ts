import type { z } from "zod";
import { ApiError, type ErrorDetails, fail } from "../contract/errors.ts";
import { isCleanText } from "../domain/text/plain.ts";

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ApiError };

/**
 * Reads a value by its schema. The error names the first fault; its message never
 * holds the value. `root` is the name of the whole value: with `products` a fault
 * is at `products[3].price`, and without a root at the bare field name.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  root = "",
): Validated<z.output<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };

  const [issue] = parsed.error.issues;
  return { ok: false, error: issue ? faultOf(issue, value, root) : invalid({}) };
}

/** Reads a value by its schema, or throws the error of `validate`. */
export function check<S extends z.ZodType>(schema: S, value: unknown, root = ""): z.output<S> {
  const read = validate(schema, value, root);
  if (!read.ok) throw read.error;
  return read.value;
}

/**
 * Fails for a rule over several fields, which is judged after each field is right
 * by itself.
 */
export function refuse(param: string, reason: string): never {
  throw invalid({ param, message: `${param} ${reason}.` });
}

/**
 * Reads an id that came as an argument. Text that can be no id is not found,
 * without a look-up.
 */
export function checkId(param: string, value: unknown): string {
  if (value === undefined || value === null) throw missing(param);
  if (typeof value !== "string") return refuse(param, "must be text");
  if (value === "" || value.length > 255 || !isCleanText(value))
    return fail("resource_not_found", { param });
  return value;
}

/**
 * Keeps the fields that were given: `undefined` leaves a stored field as it is,
 * `null` empties it.
 */
export function given<T extends object>(changes: T): Given<T> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the keys' types; the filter above makes exactly the declared type.
  return Object.fromEntries(entries) as Given<T>;
}

/** A field that may be undefined may be missing. */
type Given<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

type Fields = Readonly<Record<string, z.ZodType>>;

/** Gives null for each field that may be null: a new record has it where none was given. */
export function emptyFields<Shape extends Fields>(fields: Shape): EmptyFields<Shape> {
  const names = Object.keys(fields).filter((name) => fields[name]?.safeParse(null).success);
  // Object.fromEntries forgets the keys' types; the filter above makes exactly the declared type.
  return Object.fromEntries(names.map((name) => [name, null])) as EmptyFields<Shape>;
}

type EmptyFields<Shape extends Fields> = {
  [K in keyof Shape as null extends z.output<Shape[K]> ? K : never]: null;
};

const maxNameLength = 100;

/**
 * Joins a path and its next part: `items` and `0` give `items[0]`, then `quantity`
 * gives `items[0].quantity`. Names of unknown fields come from the caller, so they
 * are cut short and their spaces and control characters become `?`.
 */
export function joinParam(path: string, part: PropertyKey): string {
  if (typeof part === "number") return `${path}[${part}]`;
  const name = String(part)
    .slice(0, maxNameLength)
    .replace(/[\p{C}\p{Z}]/gu, "?");
  return path === "" ? name : `${path}.${name}`;
}

const invalid = (details: ErrorDetails): ApiError => new ApiError("parameter_invalid", details);

export const missing = (param: string): ApiError =>
  new ApiError("parameter_missing", { param, message: `${param} is required.` });

function faultOf(issue: z.core.$ZodIssue, value: unknown, root: string): ApiError {
  const at = issue.path.reduce<string>(joinParam, root);
  if (issue.code === "unrecognized_keys") {
    const param = joinParam(at, issue.keys[0] ?? "");
    return invalid({ param, message: `${param} is not a known field.` });
  }

  const param = at || "input";
  return isMissing(issue, value)
    ? missing(param)
    : invalid({ param, message: `${param} ${reasonOf(issue)}.` });
}

/** A union with a message of its own says what it takes: null is then a wrong value. */
function isMissing(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code === "invalid_union" && hasOwnMessage(issue)) return false;

  let found = value;
  for (const part of issue.path)
    found = typeof found === "object" && found !== null ? Reflect.get(found, part) : undefined;
  return found === undefined || found === null;
}

/**
 * Says whether the schema gave the message: zod's own messages all begin with one
 * of these words.
 */
const hasOwnMessage = ({ message }: z.core.$ZodIssue): boolean =>
  !/^Invalid|^Too|^Unrecognized/.test(message);

function reasonOf(issue: z.core.$ZodIssue): string {
  if (hasOwnMessage(issue)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return boundReason(issue.origin, "at least", issue.minimum);
    case "too_big":
      return boundReason(issue.origin, "at most", issue.maximum);
    default:
      return "has a value that is not accepted";
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function boundReason(origin: string, words: string, bound: number | bigint): string {
  if (origin === "string") return `must have ${words} ${bound} characters`;
  if (origin === "array") return `must have ${words} ${bound} entries`;
  return `must be ${words} ${bound}`;
}
