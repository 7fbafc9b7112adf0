import type { CompiledQuery } from "kysely";
import { fail } from "#core/contract/errors.ts";
import { invalidOption } from "#core/input/option-error.ts";
import type { SqlDialect } from "../../schema/dialect.ts";
import { type Naming, namesWith } from "../../schema/names.ts";
import type { MeasuredClock } from "../clock.ts";
import type { Db, SqlEngine } from "../engine.ts";
import { isLockRefused } from "../failures.ts";
import { many, type QueryGenerator, type TextRowQuery, type TextRows } from "../queries.ts";
import { readWithFreshPlan, retried } from "../retry.ts";
import { deadlines } from "./deadline.ts";
import { findPlacement, type Placement, placementCheck, unchecked } from "./placement.ts";
import { type PgPool, type PgQueryable, types, withoutQueryTimeout } from "./postgres-client.ts";
import { poolConnections } from "./postgres-connections.ts";
import { postgresQueries } from "./postgres-queries.ts";
import { type PostgresStatements, postgresStatements } from "./postgres-statements.ts";
import { sharedReads } from "./shared-reads.ts";

export interface PostgresEngineOptions {
  readonly dialect: SqlDialect;
  readonly naming: Naming;
  readonly preparedStatements: boolean;
  /** Milliseconds that the call waits for a connection before it is 503. */
  readonly acquireTimeoutMs: number;
  /** Milliseconds after which a read or write ends with 503. Null sets no limit. */
  readonly callTimeoutMs: number | null;
  readonly clock: MeasuredClock;
}

export interface PostgresEngine extends SqlEngine {
  /** Tells where the tables are, whatever the option says; null without tables. */
  findPlacement(): Promise<Placement | null>;
  /**
   * Gives an engine that writes inside the host's own transaction on this client:
   * it makes no begin, no commit and no retry.
   */
  within(client: PgQueryable): SqlEngine;
  /**
   * Runs a write that takes as long as it needs, whatever `query_timeout` the
   * host's pool has. It is not tried again when a lock was not granted: the caller
   * is told.
   */
  writeUnlessBlocked<T>(work: () => QueryGenerator<T>): Promise<UnblockedWrite<T>>;
  /**
   * Runs statements that refuse a transaction around them. Each takes as long as it needs,
   * and waits so long for a lock or for the end of older transactions.
   */
  runUnlessBlocked<T>(
    work: () => QueryGenerator<T>,
    lockWaitMs: number,
  ): Promise<UnblockedWrite<T>>;
}

/** `cause` is the database's error about the lock. */
export type UnblockedWrite<T> =
  | { readonly blocked: false; readonly value: T }
  | { readonly blocked: true; readonly cause: unknown };

/**
 * Runs on connections of the host's pool. It keeps no session state and listens to
 * nothing, so that a pooler in transaction mode may stand in between.
 */
export function postgresEngine(pool: PgPool, options: PostgresEngineOptions): PostgresEngine {
  const db = postgresQueries(namesWith(options.naming));
  const statements = postgresStatements(options.preparedStatements);
  const connections = poolConnections(pool, { ...options, placement: placementCheck(options) });
  // Migrations do not check the tables, because they may have to distribute them first.
  const anyTables = poolConnections(pool, { ...options, placement: unchecked });
  const startDeadline = deadlines(options.callTimeoutMs, pool.options?.query_timeout);
  const unlimited = deadlines(null, undefined)();

  const within = (client: PgQueryable) =>
    engineWithin(client, { db, dialect: options.dialect, statements });
  const write = <T>(work: () => QueryGenerator<T>, client?: unknown): Promise<T> => {
    if (client !== undefined) return within(checkClient(client)).write(work);

    const deadline = startDeadline();
    return retried(() => connections.inTransaction(deadline, (own) => statements.run(own, work())));
  };

  const read = <T>(work: () => QueryGenerator<T>, client?: unknown): Promise<T> => {
    if (client !== undefined) return within(checkClient(client)).read(work);

    const deadline = startDeadline();
    return readWithFreshPlan(() =>
      connections.atReadCommitted(deadline, (own) => statements.run(own, work())),
    );
  };

  const readTextRows = (query: TextRowQuery, onBegin?: () => void): Promise<TextRows> => {
    const deadline = startDeadline();
    return readWithFreshPlan(() =>
      connections.atReadCommitted(deadline, (client) => {
        onBegin?.();
        return statements.readTextRows(client, query);
      }),
    ).finally(onBegin); // It is called here for a read that got no connection and never began.
  };

  const writeOne = <T>(query: () => CompiledQuery<T>): Promise<readonly T[]> => {
    const deadline = startDeadline();
    return retried(() =>
      connections.atReadCommitted(deadline, (client) => statements.run(client, many(query()))),
    );
  };

  return {
    db,
    dialect: options.dialect,
    indexesText: () => true,
    findPlacement: () =>
      readWithFreshPlan(() =>
        anyTables.outsideTransaction(startDeadline(), (client) => findPlacement(client, options)),
      ),
    within,
    write,
    writeRelaxed: write,
    writeOne,
    readTextRows: (query) => readTextRows(query),
    readSharedTextRows: sharedReads(readTextRows),
    read,
    runUnlessBlocked: (work, lockWaitMs) =>
      unlessBlocked(() =>
        anyTables.outsideTransaction(unlimited, (client) =>
          withSessionTimeouts(client, lockWaitMs, () =>
            statements.run(withoutQueryTimeout(client), work()),
          ),
        ),
      ),
    writeUnlessBlocked: (work) =>
      retried(() =>
        unlessBlocked(() =>
          anyTables.inTransaction(unlimited, (client) =>
            statements.run(withoutQueryTimeout(client), work()),
          ),
        ),
      ),
  };
}

/** Sets the session's time-outs for some statements, and gives back those of the host. */
async function withSessionTimeouts<T>(
  client: PgQueryable,
  lockWaitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const set = (values: readonly string[]) =>
    client.query({
      text: `select set_config('statement_timeout', $1, false),
        set_config('lock_timeout', $2, false)`,
      values: [...values],
      types,
    });
  const { rows } = await client.query({
    text: `select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock`,
    types,
  });
  const [host] = rows as readonly { readonly statement: string; readonly lock: string }[];

  await set(["0", `${lockWaitMs}ms`]);
  try {
    return await work();
  } finally {
    // A lost connection has no settings to give back.
    await set([host?.statement ?? "0", host?.lock ?? "0"]).catch(() => {});
  }
}

async function unlessBlocked<T>(write: () => Promise<T>): Promise<UnblockedWrite<T>> {
  try {
    return { blocked: false, value: await write() };
  } catch (cause) {
    if (isLockRefused(cause)) return { blocked: true, cause };
    throw cause;
  }
}

interface EngineParts {
  readonly db: Db;
  readonly dialect: SqlDialect;
  readonly statements: PostgresStatements;
}

/** Throws `invalid_option` for what is no client of `pg`. */
function checkClient(client: unknown): PgQueryable {
  if (typeof (client as PgQueryable | null)?.query !== "function")
    invalidOption("client", "must be a pg client that your transaction runs on");
  return client as PgQueryable;
}

/**
 * Makes an engine that runs everything on one client of the host's, inside the
 * host's transaction.
 */
function engineWithin(client: PgQueryable, { db, dialect, statements }: EngineParts): SqlEngine {
  const write = async <T>(work: () => QueryGenerator<T>): Promise<T> => {
    await requireTransaction(client);
    return statements.run(client, work());
  };
  const readTextRows = (query: TextRowQuery) => statements.readTextRows(client, query);

  return {
    db,
    dialect,
    indexesText: () => true,
    readTextRows,
    readSharedTextRows: readTextRows,
    write,
    writeRelaxed: write,
    read: (work) => statements.run(client, work()),
  };
}

/**
 * Refuses a client that is not in a READ COMMITTED transaction: a savepoint exists
 * in a transaction only, and at another isolation level guarded updates would see
 * old rows.
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
