import { ApiError } from "#core/contract/errors.ts";
import type { PgQueryable } from "./postgres-client.ts";

/** The time by which a call of the storage has to end. */
export interface Deadline {
  leftMs(): number;
  /** Makes a client that waits for each answer until the deadline, and then gives up. */
  limit(client: PgQueryable): PgQueryable;
}

/** The `query_timeout` of the host's pool, where it has one. */
export type HostTimeout = number | undefined;

const noDeadline: Deadline = { leftMs: () => Number.POSITIVE_INFINITY, limit: (client) => client };

/**
 * Starts a deadline at each call. `pg` gives up on a late answer by `query_timeout`: the
 * connection is then closed, because the answer would be taken for that of the next query.
 */
export function deadlines(timeoutMs: number | null, hostTimeout: HostTimeout): () => Deadline {
  if (timeoutMs === null) return () => noDeadline;

  return () => {
    const until = performance.now() + timeoutMs;
    const leftMs = (): number => Math.ceil(until - performance.now());
    return {
      leftMs,
      limit: (client) => ({
        query(query) {
          const left = leftMs();
          if (left <= 0) return Promise.reject(tooLate());
          const query_timeout = hostTimeout ? Math.min(left, hostTimeout) : left;
          return client.query({ ...query, query_timeout });
        },
      }),
    };
  };
}

/** What was sent before may have been done. So the caller is told to repeat the request. */
const tooLate = (): ApiError =>
  new ApiError("service_unavailable", {
    retry_after: 1,
    cause: new Error("The database did not answer by the deadline of the request."),
  });
