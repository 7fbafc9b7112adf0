import { isStorefrontError } from "#core/client/error.ts";
import { type ErrorCode, isApiError } from "#core/contract/errors.ts";
import {
  codeOf,
  isSchemaMissing,
  isTransient,
  isUnavailable,
} from "../../storage/sql/engine/failures.ts";
import { CommandError, type ExitName } from "./exit.ts";

/** What went wrong, as a command tells it: the fields of the API's errors. */
interface Failure {
  readonly type: string;
  /** The code of the API's error, or the name of the exit code. */
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly docs_url?: string;
  /** The place of a fault that nobody foresaw: the report of it needs that. */
  readonly stack?: string;
}

/** An error of one of these codes says that an option, a field or the configuration is wrong. */
const usageCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "parameter_missing",
  "parameter_invalid",
  "parameter_unknown",
  "parameter_conflict",
  "invalid_cursor",
  "cursor_expired",
  "invalid_origin",
  "invalid_return_url",
  "endpoint_url_not_allowed",
  "invalid_option",
]);

const awayCodes: ReadonlySet<string> = new Set([
  "service_unavailable",
  "connection_error",
  "timeout",
]);

/** Gives the name of the exit code of an error. */
export function exitOf(given: unknown): ExitName {
  const error = refusalIn(given);
  if (error instanceof CommandError) return error.exit;
  if (isApiError(error) || isStorefrontError(error)) {
    if (usageCodes.has(error.code)) return "usage";
    return awayCodes.has(error.code) ? "unreachable" : "failed";
  }
  return isTransient(error) || isUnavailable(error) ? "unreachable" : "failed";
}

/** Says an error in a sentence, with what the database said where that is the cause. */
export function sentenceOf(given: unknown): string {
  const error = refusalIn(given);
  if (lacksTables(error)) return "The database lacks tables of this version. Run: vitrine migrate";
  const text = textOf(error);
  const mend = mendOf(error);
  if (mend !== undefined) return `The database said: ${text}. ${mend}`;
  const cause = isApiError(error) && error.cause !== undefined ? causeOf(error.cause) : text;
  return text.includes(cause) ? text : `${text} (${cause})`;
}

/** What mends a refusal by PostgreSQL, by its SQLSTATE. */
const mends: Readonly<Record<string, string>> = {
  "28000": "Correct the user in the database's address.",
  "28P01": "Correct the user or the password in the database's address.",
  "3D000": "Create the database, or correct its name in the address.",
  "42501": "Grant its role the rights: docs/operations.md#rights lists them.",
};

const mendOf = (error: unknown): string | undefined => mends[codeOf(error)];

/** Gives the refusal by PostgreSQL that a call of the library explains, else the error itself. */
const refusalIn = (error: unknown): unknown =>
  isApiError(error) && mendOf(error.cause) !== undefined ? error.cause : error;

/** The storage explains it by a call of its own, which nobody writes at the prompt. */
const lacksTables = (error: unknown): boolean =>
  isSchemaMissing(error) || (error instanceof Error && isSchemaMissing(error.cause));

/** Several addresses of one host give an error without a text, which holds one for each. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : textOf(error);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return error instanceof AggregateError ? causeOf(error) : error.name;
}

function failureOf(given: unknown, nameOf: Naming): Failure {
  const error = refusalIn(given);
  const exit = exitOf(error);
  const message = sentenceOf(error);
  const said = { message, param: null };
  if (isStorefrontError(error)) {
    const { type, docs_url } = error;
    const shown = { type: type ?? familyOf(exit), ...namesOf(error, message, nameOf) };
    return docs_url === null ? shown : { ...shown, docs_url };
  }
  if (isApiError(error)) return { type: familyOf(exit), ...namesOf(error, message, nameOf) };

  const isForeseen =
    error instanceof CommandError ||
    exit === "unreachable" ||
    lacksTables(error) ||
    isOfSystem(error) ||
    mendOf(error) !== undefined;
  const known = { ...said, type: familyOf(exit), code: exit };
  return isForeseen || !(error instanceof Error && error.stack)
    ? known
    : { ...known, stack: error.stack };
}

/** The system's own refusals, such as a full disk, say what they refused and of which file. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && "errno" in error;

const familyOf = (exit: ExitName): string =>
  exit === "usage" || exit === "refused" ? "invalid_request_error" : "api_error";

/** Gives what was typed for a parameter of a call. */
type Naming = (param: string) => string;

interface Names {
  readonly code: string;
  readonly param: string | null;
}

/** Names what was typed in place of the parameter, also where the message begins with it. */
function namesOf({ code, param }: Names, message: string, nameOf: Naming) {
  if (param === null) return { code, param, message };
  const typed = nameOf(param);
  const told = message.startsWith(`${param} `) ? typed + message.slice(param.length) : message;
  return { code, param: typed, message: told };
}

interface Telling {
  readonly json: boolean;
  paint(text: string): string;
  /** Without it a parameter keeps its name. */
  readonly nameOf?: Naming;
}

/** Gives the lines that tell an error: one object of JSON with `--json`. */
export function failureLines(
  error: unknown,
  { json, paint, nameOf = (param) => param }: Telling,
): readonly string[] {
  const failure = failureOf(error, nameOf);
  if (json) return [JSON.stringify({ error: failure })];

  const { message, param, docs_url, stack } = failure;
  return [
    paint(`Error: ${message}`),
    ...(param === null ? [] : [`Parameter: ${param}`]),
    ...(docs_url === undefined ? [] : [`See ${docs_url}`]),
    ...(stack === undefined ? [] : [stack]),
  ];
}
