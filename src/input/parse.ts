import type { z } from "zod";
import type { ErrorDetails } from "../contract/errors.ts";

export type ParsedInput =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: "parameter_missing" | "parameter_invalid";
      readonly details: ErrorDetails;
    };

/** The first issue's path becomes `param`; the message never holds the value (CONTRACT 8). */
export function parse(schema: z.ZodType, value: unknown): ParsedInput {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = firstIssue(parsed.error.issues);
  const param =
    issue.path.reduce<string>(
      (path, part) => joinPath(path, typeof part === "symbol" ? String(part) : part),
      "",
    ) || "body";
  const missing = issue.code === "invalid_type" && isAbsent(value, issue.path);
  const reason = missing
    ? "is required"
    : issue.code === "custom" || !/^Invalid|^Too|^Unrecognized/.test(issue.message)
      ? issue.message
      : reasonOf(issue);
  return {
    ok: false,
    code: missing ? "parameter_missing" : "parameter_invalid",
    details: { param, message: `${param} ${reason}.` },
  };
}

function firstIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [issue] = issues;
  if (!issue) throw new Error("A failed parse without an issue.");
  return issue;
}

function isAbsent(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const part of path)
    at = typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined;
  return at === undefined || at === null;
}

const reasonOf = (issue: z.core.$ZodIssue): string =>
  issue.code === "invalid_type"
    ? `must be of type ${issue.expected}`
    : "has a value that is not accepted";

/** `items` and `0` give `items[0]`; names are cut, for they come from the caller. */
export const joinPath = (path: string, part: string | number): string => {
  if (typeof part === "number") return `${path}[${part}]`;
  return path === "" ? part.slice(0, 100) : `${path}.${part.slice(0, 100)}`;
};
