import pRetry from "p-retry";
import { fail, isApiError } from "../../../../src/contract/errors.ts";

const transientCodes = new Set([
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "25P03", // idle in a transaction for too long
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // lock not available
  "53300", // too many connections
  "57P01", // terminated by an administrator
  "57P02",
  "57P03", // starting up
  "57P05", // idle for too long
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "08P01", // a pooler without a server
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "VITRINE_BUSY",
  "VITRINE_GUARD",
]);
/** A database that is not there, or ends what takes too long, rather than busy: told as unavailable, never retried here. */
const unavailableCodes = new Set([
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_CANTOPEN",
  "SQLITE_READONLY",
  "SQLITE_PROTOCOL",
  "SQLITE_CORRUPT",
  "SQLITE_NOTADB",
  "SQLITE_NOMEM",
  "53000",
  "53100",
  "53200",
  "53400",
  "58030", // its disk
  "57014", // the host's statement_timeout
  "25P04", // and transaction_timeout
  "25006", // takes no writes: a standby, or a failover under way
]);
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Cannot use a pool after)/;
/** The host's query_timeout of pg, which leaves the query running; a handle that was closed. */
const gone = /^(Query read timeout|The database connection is not open)/;

/** Around whole write steps only: a step makes the same ids when it is repeated. Three tries with jitter, then 503 with nothing half-done. */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    return isTransient(error) ? again(run, error) : unavailableOr(error);
  }
}

/** What failed at first is the first of the tries: most steps never come here. */
async function again<T>(run: () => Promise<T>, failure: unknown): Promise<T> {
  let tries = 0;
  const next = (): Promise<T> => (tries++ === 0 ? Promise.reject(failure) : run());
  try {
    return await pRetry(next, {
      retries: 2,
      minTimeout: 20,
      maxTimeout: 200,
      factor: 3,
      randomize: true,
      shouldRetry: (context) => isTransient(errorOf(context)),
    });
  } catch (error) {
    return unavailableOr(error);
  }
}

/** For reads: once. */
export async function once<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    return unavailableOr(error);
  }
}

/** What the database is to blame for becomes 503. */
export function unavailableOr(error: unknown): never {
  if (
    !isApiError(error) &&
    (isTransient(error) || unavailableCodes.has(codeOf(error)) || isGone(error))
  )
    fail("service_unavailable", { retry_after: 1, cause: error });
  throw error;
}

export const isTransient = (error: unknown): boolean =>
  transientCodes.has(codeOf(error)) ||
  isStalePlan(error) ||
  (error instanceof Error && lostConnection.test(error.message));

/** Nothing more can be asked of this connection. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && gone.test(error.message);

/** A newer version added a column to what a prepared statement selects. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === "0A000" &&
  (error as { readonly routine?: unknown }).routine === "RevalidateCachedQuery";

/** Of SQLite the primary code: SQLITE_BUSY_RECOVERY is a SQLITE_BUSY. */
const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code.replace(/^(SQLITE_[A-Z]+)_.*/, "$1")
    : "";

/** p-retry 7 hands over a context that holds the error. */
const errorOf = (context: unknown): unknown =>
  typeof context === "object" && context !== null && "error" in context ? context.error : context;
