import type { z } from "zod";
import { fail } from "../contract/errors.ts";
import { isCleanText } from "../domain/plain.ts";

/**
 * Parses an owner's input or fails at the first fault. `root` is what the whole value is called in `param`: `products` gives `products[3].price`,
 * none gives the bare field name. Messages never hold the value.
 */
export function check<S extends z.ZodType>(schema: S, value: unknown, root = ""): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue) return fail("parameter_invalid");
  if (issue.code === "unrecognized_keys") {
    const param = pathOf([...issue.path, issue.keys[0] ?? ""], root);
    return fail("parameter_invalid", { param, message: `${param} is not a known field.` });
  }
  const param = pathOf(issue.path, root) || "input";
  if (isAbsent(value, issue.path))
    return fail("parameter_missing", { param, message: `${param} is required.` });
  return fail("parameter_invalid", { param, message: `${param} ${reasonOf(issue)}.` });
}

/** For rules over several fields, judged after each field is right by itself. */
export function refuse(param: string, reason: string): never {
  return fail("parameter_invalid", { param, message: `${param} ${reason}.` });
}

/** An id that came as an argument. What no id can look like is not looked up. */
export function checkId(param: string, value: unknown): string {
  if (value === undefined || value === null)
    return fail("parameter_missing", { param, message: `${param} is required.` });
  if (typeof value !== "string") return refuse(param, "must be text");
  if (value === "" || value.length > 255 || !isCleanText(value))
    return fail("resource_not_found", { param });
  return value;
}

/** The fields that were given: `undefined` leaves a stored field as it is, `null` empties it. */
export function given<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the keys' types; the filter above is exactly what the return type says.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function pathOf(path: readonly PropertyKey[], root: string): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    const name = cleanName(String(part));
    return text === "" ? name : `${text}.${name}`;
  }, root);
}

/** Names of unknown fields come from the caller: short and printable in an error. */
const cleanName = (name: string): string => name.slice(0, 60).replace(/[^\x21-\x7e]/g, "?");

function isAbsent(value: unknown, path: readonly PropertyKey[]): boolean {
  const at = path.reduce<unknown>(
    (inner, part) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  );
  return at === undefined || at === null;
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return boundReason(issue.origin, "at least", issue.minimum);
    case "too_big":
      return boundReason(issue.origin, "at most", issue.maximum);
    case "custom":
    case "invalid_format":
      return issue.message;
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
};

function boundReason(origin: string, words: string, bound: number | bigint): string {
  if (origin === "string") return `must have ${words} ${bound} characters`;
  if (origin === "array") return `must have ${words} ${bound} entries`;
  return `must be ${words} ${bound}`;
}
