import pRetry from "p-retry";
import { fail, isApiError } from "../../../src/contract/errors.ts";

const transientCodes = new Set([
  "SQLITE_BUSY",
  "SQLITE_BUSY_SNAPSHOT",
  "SQLITE_LOCKED",
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // lock not available
  "53300", // too many connections
  "57P01", // terminated by an administrator
  "57P02",
  "57P03", // starting up
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "VITRINE_BUSY",
  "VITRINE_GUARD",
]);
/** A database that is not there rather than busy: told as unavailable, never retried here. */
const unavailableCodes = new Set(["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY", "53100", "53200"]);
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool after)/;

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

/** For reads: once, and what the database is to blame for becomes 503. */
export async function once<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    return unavailableOr(error);
  }
}

function unavailableOr(error: unknown): never {
  if (!isApiError(error) && (isTransient(error) || unavailableCodes.has(codeOf(error))))
    fail("service_unavailable", { retry_after: 1, cause: error });
  throw error;
}

export const isTransient = (error: unknown): boolean =>
  transientCodes.has(codeOf(error)) || (error instanceof Error && lostConnection.test(error.message));

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "";

/** p-retry 7 hands over a context that holds the error. */
const errorOf = (context: unknown): unknown =>
  typeof context === "object" && context !== null && "error" in context ? context.error : context;
