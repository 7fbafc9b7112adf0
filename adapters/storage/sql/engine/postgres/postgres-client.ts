import { ApiError } from "#core/contract/errors.ts";

/** A query as the package `pg` takes it. */
export interface PgQuery {
  readonly text: string;
  readonly values?: unknown[];
  /** Names a prepared statement of the connection. */
  readonly name?: string;
  readonly types?: { getTypeParser(oid: number): (value: string) => unknown };
  /**
   * Milliseconds after which `pg` stops waiting for the answer. Used instead of the setting of the
   * client.
   */
  readonly query_timeout?: number;
}

/** The methods of a `pg` client that the engine calls. */
export interface PgClient {
  query(
    query: PgQuery,
  ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
  release(error?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** The engine calls this method of a `pg` pool, and reads two of its settings. */
export interface PgPool {
  readonly options?: {
    readonly query_timeout?: number | undefined;
    readonly max?: number | undefined;
  };
  connect(callback: (error: Error | undefined, client: PgClient | undefined) => void): void;
}

/** A client that only runs queries: it may be the host's, inside the host's transaction. */
export type PgQueryable = Pick<PgClient, "query">;

/** A timer takes no longer time than this: 24 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Makes a client whose queries may take as long as they need. */
export const withoutQueryTimeout = (client: PgQueryable): PgQueryable => ({
  query: (query) => client.query({ ...query, query_timeout: longestTimerMs }),
});

const int2 = 21;
const int4 = 23;
const int8 = 20;

/**
 * Only text and whole numbers below 2^53 are ever selected. Each query brings these
 * parsers along, so that the host's own type parsers neither apply nor change.
 */
export const types = {
  getTypeParser: (oid: number) =>
    oid === int8 || oid === int4 || oid === int2 ? Number : (value: string) => value,
};

/**
 * Takes a connection from the pool. When none is free in time, it rejects with 503
 * instead of hanging, and the connection that comes late goes back. It uses the
 * callback of `connect`: the error listener must be there before the next packet is
 * read, and a promise resolves too late.
 */
export const acquire = (pool: PgPool, timeoutMs: number): Promise<PgClient> =>
  new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      const cause = new Error("The pool gave no connection within acquireTimeoutMs.");
      reject(new ApiError("service_unavailable", { retry_after: 1, cause }));
    }, timeoutMs);

    pool.connect((error, client) => {
      if (timedOut) return client?.release();
      clearTimeout(timer);

      if (!client) return reject(error ?? new Error("The pool gave no connection."));
      client.on("error", ignoreError);
      resolve(client);
    });
  });

/** Gives a client back to its pool. The pool closes a broken one. */
export function release(client: PgClient, broken: boolean): void {
  // A broken client keeps its listener: its error event may still come.
  if (!broken) client.removeListener("error", ignoreError);
  client.release(broken);
}

/**
 * Ignores the error event. A connection that dies rejects its query and then emits
 * the error as an event too. Without a listener, that event would end the host's
 * process.
 */
const ignoreError = (): void => {};
