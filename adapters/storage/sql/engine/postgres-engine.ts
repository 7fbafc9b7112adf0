import { createHash } from "node:crypto";
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { ApiError, fail } from "../../../../src/contract/errors.ts";
import { postgres } from "../schema/dialect.ts";
import { type Naming, namingPlugin } from "../schema/names.ts";
import type { MeasuredClock } from "./clock.ts";
import type { Db, SqlEngine } from "./engine.ts";
import { isGone, isStalePlan, isTransient, once, retried } from "./retry.ts";
import { type Lines, sharedReads } from "./shared-reads.ts";
import { type LineQuery, many, type Step } from "./step.ts";

interface PgQuery {
  readonly text: string;
  readonly values?: unknown[];
  /** Names a prepared statement of the connection. */
  readonly name?: string;
  readonly types?: { getTypeParser(oid: number): (value: string) => unknown };
}

/** The few methods of a `pg` client and pool that are called. */
export interface PgClient {
  query(
    query: PgQuery,
  ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
  release(error?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}
export interface PgPool {
  connect(callback: (error: Error | undefined, client: PgClient | undefined) => void): void;
}

export interface PostgresEngineOptions {
  readonly naming: Naming;
  readonly preparedStatements: boolean;
  /** Milliseconds to wait for a connection before the call is 503. */
  readonly acquireTimeoutMs: number;
  readonly clock: MeasuredClock;
}

export interface PostgresEngine extends SqlEngine {
  /** Writes inside the host's own transaction on this client: no begin, no commit, no retry. */
  within(client: Pick<PgClient, "query">): SqlEngine;
}

/** A connection keeps each named statement for good, and lists of values make a text for each length. */
const maxNamed = 1_000;

const int2 = 21;
const int4 = 23;
const int8 = 20;
/** Only text and whole numbers below 2^53 are ever selected: the host's own type parsers are left alone. */
const types = {
  getTypeParser: (oid: number) =>
    oid === int8 || oid === int4 || oid === int2 ? Number : (value: string) => value,
};

/** Keeps no session state and listens to nothing, so that a transaction pooler may stand in between. */
export function postgresEngine(pool: PgPool, options: PostgresEngineOptions): PostgresEngine {
  const db: Db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new PostgresIntrospector(instance),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [namingPlugin(options.naming)],
  });
  const names = new Map<string, string>();
  let generation = 0;
  const toQuery = ({ sql, parameters }: CompiledQuery): PgQuery => {
    const values = parameters as unknown[]; // pg changes none
    if (!options.preparedStatements) return { text: sql, values, types };
    let name = names.get(sql);
    if (name === undefined && names.size < maxNamed) {
      // By its text: another instance may prepare statements on the same connections.
      name = `vitrine_${createHash("sha256").update(sql).digest("base64url").slice(0, 32)}_${generation}`;
      names.set(sql, name);
    }
    return name === undefined ? { text: sql, values, types } : { name, text: sql, values, types };
  };

  const noticed = (error: unknown): unknown => {
    if (isStalePlan(error)) {
      generation += 1; // every connection prepares anew
      names.clear();
    }
    return error;
  };

  const withClient = async <T>(work: (client: PgClient) => Promise<T>): Promise<T> => {
    const client = await acquire(pool, options.acquireTimeoutMs);
    let broken = false;
    try {
      await options.clock.keep(() => askClock(client));
      return await work(client);
    } catch (error) {
      broken = isTransient(error) || isGone(error) || unclean.has(client);
      throw error;
    } finally {
      if (!broken) client.removeListener("error", ignoreError); // a broken one is thrown away with it: the event may come later
      client.release(broken);
    }
  };
  const runSteps = async <T>(client: Pick<PgClient, "query">, step: Step<T>): Promise<T> => {
    let turn = step.next([]);
    try {
      while (!turn.done) {
        const { rows, rowCount } = await client.query(toQuery(turn.value));
        turn = step.next(rows.length === 0 && rowCount ? [{ changes: rowCount }] : rows);
      }
    } catch (error) {
      throw noticed(error);
    }
    return turn.value;
  };
  const inTransaction = <T>(work: (client: PgClient) => Promise<T>): Promise<T> =>
    withClient(async (client) => {
      await client.query({ text: "begin isolation level read committed" });
      try {
        const value = await work(client);
        await client.query({ text: "commit" });
        return value;
      } catch (error) {
        await client.query({ text: "rollback" }).catch(() => void unclean.add(client)); // a lost connection has rolled back by itself
        throw error;
      }
    });

  const linesOn = async (client: Pick<PgClient, "query">, query: LineQuery): Promise<Lines> => {
    try {
      const { rows } = await client.query(toQuery(query));
      return (rows as readonly { readonly line: string | null }[]).map(({ line }) => line);
    } catch (error) {
      throw noticed(error);
    }
  };
  const onceMore = <T>(run: () => Promise<T>): Promise<T> =>
    once(() =>
      run().catch((error: unknown) => (isStalePlan(error) ? run() : Promise.reject(error))),
    );

  const lines = (query: LineQuery, begins?: () => void): Promise<Lines> =>
    onceMore(() =>
      withClient((client) => {
        begins?.();
        return linesOn(client, query);
      }),
    ).finally(begins); // without a connection it never began
  const write = <T>(step: () => Step<T>): Promise<T> =>
    retried(() => inTransaction((client) => runSteps(client, step())));
  const writeWithin = async <T>(
    client: Pick<PgClient, "query">,
    step: () => Step<T>,
  ): Promise<T> => {
    await requireTransaction(client);
    return runSteps(client, step());
  };

  return {
    db,
    dialect: postgres,
    within: (client) => ({
      db,
      dialect: postgres,
      lines: (query) => linesOn(client, query),
      sharedLines: (query) => linesOn(client, query),
      write: (step) => writeWithin(client, step),
      writeLoosely: (step) => writeWithin(client, step),
      read: (step) => runSteps(client, step()),
    }),
    write,
    writeLoosely: write,
    writeOne: (query) => retried(() => withClient((client) => runSteps(client, many(query())))),
    lines: (query) => lines(query),
    sharedLines: sharedReads(lines),
    read: (step) => onceMore(() => withClient((client) => runSteps(client, step()))),
  };
}

async function askClock(client: PgClient): Promise<number> {
  const { rows } = await client.query({ text: `select ${postgres.nowMs} as now`, types });
  const [row] = rows as readonly { readonly now: number }[];
  return row?.now ?? Number.NaN;
}

/** A savepoint exists in a transaction only; at another isolation level our guards would see old rows. */
async function requireTransaction(client: Pick<PgClient, "query">): Promise<void> {
  const wrong = (message: string, cause?: unknown): never =>
    fail("invalid_option", { param: "client", message, cause });
  try {
    await client.query({ text: "savepoint vitrine" });
  } catch (error) {
    if ((error as { code?: unknown }).code === "25P01")
      wrong(
        "Option client must be inside a transaction of yours: send `begin` on it before.",
        error,
      );
    throw error;
  }
  const { rows } = await client.query({
    text: "select current_setting('transaction_isolation') as level",
    types,
  });
  const [row] = rows as readonly { readonly level: string }[];
  if (row?.level !== "read committed")
    wrong(`Option client must be in a READ COMMITTED transaction, not ${row?.level}.`);
}

/** Clients that may still be in a transaction: they do not go back to the pool. */
const unclean = new WeakSet<PgClient>();

// A connection that dies tells its query, then says it again as an event: without a listener that would end the host's process.
const ignoreError = (): void => {};

/**
 * A pool without a free connection is told as 503 instead of a hang; a connection that comes late goes back. By callback, for the listener must be
 * there before the next packet is read; a promise would come a turn too late.
 */
const acquire = (pool: PgPool, timeoutMs: number): Promise<PgClient> =>
  new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(
        new ApiError("service_unavailable", {
          retry_after: 1,
          cause: new Error("no connection in time"),
        }),
      );
    }, timeoutMs);
    pool.connect((error, client) => {
      if (late) return client?.release();
      clearTimeout(timer);
      if (!client) return reject(error ?? new Error("The pool gave no connection."));
      client.on("error", ignoreError);
      resolve(client);
    });
  });
