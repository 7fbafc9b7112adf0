import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { fail } from "../../../../src/contract/errors.ts";
import { postgres } from "../schema/dialect.postgres.ts";
import { type Naming, namingPlugin } from "../schema/names.ts";
import type { MeasuredClock } from "./clock.ts";
import type { Db, SqlEngine } from "./engine.ts";
import { isQueryAborted, isTransient } from "./failures.ts";
import {
  acquire,
  type PgClient,
  type PgPool,
  type PgQueryable,
  release,
  types,
} from "./postgres-client.ts";
import { type PostgresStatements, postgresStatements } from "./postgres-statements.ts";
import { many, type QueryGenerator, type TextRowQuery, type TextRows } from "./queries.ts";
import { readWithFreshPlan, retried } from "./retry.ts";
import { sharedReads } from "./shared-reads.ts";

export interface PostgresEngineOptions {
  readonly naming: Naming;
  readonly preparedStatements: boolean;
  /** Milliseconds to wait for a connection before the call is 503. */
  readonly acquireTimeoutMs: number;
  readonly clock: MeasuredClock;
}

export interface PostgresEngine extends SqlEngine {
  /** Writes inside the host's own transaction on this client: no begin, no commit, no retry. */
  within(client: PgQueryable): SqlEngine;
}

/**
 * Runs on connections of the host's pool. It keeps no session state and listens to nothing, so
 * that a pooler in transaction mode may stand in between.
 */
export function postgresEngine(pool: PgPool, options: PostgresEngineOptions): PostgresEngine {
  const db = queryBuilder(options.naming);
  const statements = postgresStatements(options.preparedStatements);
  const connections = poolConnections(pool, options);

  const write = <T>(work: () => QueryGenerator<T>): Promise<T> =>
    retried(() => connections.inTransaction((client) => statements.run(client, work())));

  const readTextRows = (query: TextRowQuery, onBegin?: () => void): Promise<TextRows> =>
    readWithFreshPlan(() =>
      connections.withClient((client) => {
        onBegin?.();
        return statements.readTextRows(client, query);
      }),
    ).finally(onBegin); // called here for a read that got no connection and never began

  return {
    db,
    dialect: postgres,
    within: (client) => engineWithin(client, db, statements),
    write,
    writeRelaxed: write,
    writeOne: (query) =>
      retried(() => connections.withClient((client) => statements.run(client, many(query())))),
    readTextRows: (query) => readTextRows(query),
    readSharedTextRows: sharedReads(readTextRows),
    read: (work) =>
      readWithFreshPlan(() => connections.withClient((client) => statements.run(client, work()))),
  };
}

/** An engine that runs everything on one client of the host's, inside the host's transaction. */
function engineWithin(client: PgQueryable, db: Db, statements: PostgresStatements): SqlEngine {
  const write = async <T>(work: () => QueryGenerator<T>): Promise<T> => {
    await requireTransaction(client);
    return statements.run(client, work());
  };
  const readTextRows = (query: TextRowQuery) => statements.readTextRows(client, query);

  return {
    db,
    dialect: postgres,
    readTextRows,
    readSharedTextRows: readTextRows,
    write,
    writeRelaxed: write,
    read: (work) => statements.run(client, work()),
  };
}

const queryBuilder = (naming: Naming): Db =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new PostgresIntrospector(instance),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [namingPlugin(naming)],
  });

interface Connections {
  withClient<T>(work: (client: PgClient) => Promise<T>): Promise<T>;
  inTransaction<T>(work: (client: PgClient) => Promise<T>): Promise<T>;
}

function poolConnections(
  pool: PgPool,
  { acquireTimeoutMs, clock }: PostgresEngineOptions,
): Connections {
  /** Clients whose rollback failed may still be in a transaction: the pool must close them. */
  const maybeInTransaction = new WeakSet<PgClient>();

  const withClient = async <T>(work: (client: PgClient) => Promise<T>): Promise<T> => {
    const client = await acquire(pool, acquireTimeoutMs);
    let broken = false;
    try {
      await clock.refresh(() => databaseNow(client));
      return await work(client);
    } catch (error) {
      broken = isTransient(error) || isQueryAborted(error) || maybeInTransaction.has(client);
      throw error;
    } finally {
      release(client, broken);
    }
  };

  const inTransaction = <T>(work: (client: PgClient) => Promise<T>): Promise<T> =>
    withClient(async (client) => {
      await client.query({ text: "begin isolation level read committed" });
      try {
        const value = await work(client);
        await client.query({ text: "commit" });
        return value;
      } catch (error) {
        // The rollback of a lost connection fails: the server has rolled back by itself.
        await client.query({ text: "rollback" }).catch(() => {
          maybeInTransaction.add(client);
        });
        throw error;
      }
    });

  return { withClient, inTransaction };
}

async function databaseNow(client: PgClient): Promise<number> {
  const { rows } = await client.query({ text: `select ${postgres.nowMs} as now`, types });
  const [row] = rows as readonly { readonly now: number }[];
  return row?.now ?? Number.NaN;
}

/**
 * Refuses a client that is not in a READ COMMITTED transaction: a savepoint exists in a
 * transaction only, and at another isolation level guarded updates would see old rows.
 */
async function requireTransaction(client: PgQueryable): Promise<void> {
  const refuse = (message: string, cause?: unknown): never =>
    fail("invalid_option", { param: "client", message, cause });

  try {
    await client.query({ text: "savepoint vitrine" });
  } catch (error) {
    const noActiveTransaction = (error as { code?: unknown }).code === "25P01";
    if (noActiveTransaction)
      refuse(
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
    refuse(`Option client must be in a READ COMMITTED transaction, not ${row?.level}.`);
}
