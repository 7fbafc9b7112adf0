import pRetry from "p-retry";
import { fail, isApiError } from "#core/contract/errors.ts";
import {
  isQueryAborted,
  isSchemaMissing,
  isShardMoved,
  isStalePlan,
  isTransient,
  isUnavailable,
} from "./failures.ts";

/**
 * Retries a whole unit of writing work: it makes three tries with jitter, then
 * throws 503 and leaves nothing half-done. Work makes the same ids when it is
 * repeated.
 */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    return isTransient(error) ? retryAfter(error, run) : unavailableOr(error);
  }
}

/**
 * Runs the work again. The failed first call counts as try 1, so p-retry makes at
 * most two more.
 */
async function retryAfter<T>(failure: unknown, run: () => Promise<T>): Promise<T> {
  let tries = 0;
  const next = (): Promise<T> => {
    tries += 1;
    return tries === 1 ? Promise.reject(failure) : run();
  };

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

/**
 * Gives the error. p-retry 7 passes a context that holds it; later versions are
 * typed differently.
 */
const errorOf = (context: unknown): unknown =>
  typeof context === "object" && context !== null && "error" in context ? context.error : context;

/**
 * Runs a read once, or again when its prepared statement had become stale or its store was
 * moved to another node.
 */
export async function readWithFreshPlan<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run().catch((error: unknown) => {
      if (isStalePlan(error)) return run();
      if (isShardMoved(error)) return retryAfter(error, run);
      throw error;
    });
  } catch (error) {
    return unavailableOr(error);
  }
}

/** Throws 503 for a failure of the database, and anything else as it is, or explained. */
export function unavailableOr(error: unknown): never {
  if (isSchemaMissing(error))
    throw new Error("The database lacks tables of this version: call storefront.migrate() first.", {
      cause: error,
    });

  const isDatabaseFailure = isTransient(error) || isUnavailable(error) || isQueryAborted(error);
  if (!isApiError(error) && isDatabaseFailure)
    fail("service_unavailable", { retry_after: 1, cause: error });
  throw error;
}
