import { type CompiledQuery, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { ApiError } from "../../../src/contract/errors.ts";
import { sqlite } from "./dialect.ts";
import type { Db, SqlEngine } from "./engine.ts";
import { type Naming, namingPlugin } from "./names.ts";
import { isTransient, retried, unavailableOr } from "./retry.ts";
import type { Step } from "./step.ts";

export interface SqliteStatement {
  /** True when it gives rows. */
  readonly reader: boolean;
  all(...parameters: unknown[]): unknown[];
  get(...parameters: unknown[]): unknown;
  /** Gives the first column alone. */
  pluck(): SqliteStatement;
  safeIntegers?(on: boolean): unknown;
  run(...parameters: unknown[]): unknown;
}

/** The few methods of better-sqlite3 that are called. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(source: string, options?: { simple?: boolean }): unknown;
  close(): unknown;
}

interface Job {
  readonly step: () => Step<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
type Settled = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

const maxStatements = 1_000;
const hostWaitMs = 100;
/** Another process may hold the write lock again and again: the wait is asynchronous, so that this one goes on answering reads. */
const lockWaitMs = 5_000;

/**
 * Runs each step in one synchronous turn, so that nothing can get between its statements. Write steps that arrive in one turn are committed
 * together, each in a savepoint: a failing one alone is rolled back, and each is answered only after the commit.
 */
export function sqliteEngine(database: SqliteDatabase, naming: Naming): SqlEngine & { execute: Execute } {
  const db: Db = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new SqliteIntrospector(instance),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [namingPlugin(naming)],
  });
  const execute = createExecute(database);
  let queue: Job[] = [];

  const schedule = (): void => void setImmediate(() => flush(Date.now()));
  const refuse = (error: unknown): void => {
    for (const job of queue.splice(0)) job.reject(error);
  };
  const flush = (since: number): void => {
    // A handle of the host's may be in its own transaction: we wait, and never join it.
    if (database.inTransaction) {
      if (Date.now() < since + hostWaitMs) return void setTimeout(() => flush(since), 5);
      return void refuse(Object.assign(new Error("The database handle is in a transaction of the host's."), { code: "VITRINE_BUSY" }));
    }
    try {
      database.exec("begin immediate");
    } catch (error) {
      if (!isTransient(error)) return void refuse(error);
      if (Date.now() < since + lockWaitMs) return void setTimeout(() => flush(since), 5 + Math.random() * 20);
      return void refuse(new ApiError("service_unavailable", { retry_after: 1, cause: error }));
    }
    const jobs = queue;
    queue = [];
    commitTogether(database, execute, jobs);
  };

  return {
    db,
    dialect: sqlite,
    execute,
    write: <T>(step: () => Step<T>) =>
      retried(
        () =>
          new Promise<T>((resolve, reject) => {
            if (queue.length === 0) schedule();
            queue.push({ step, resolve: resolve as (value: unknown) => void, reject });
          }),
      ),
    async lines(query) {
      try {
        return execute(query) as readonly (string | null)[]; // the statement gives its first column alone
      } catch (error) {
        return unavailableOr(error);
      }
    },
    async read<T>(step: () => Step<T>) {
      try {
        return runSync(execute, step());
      } catch (error) {
        return unavailableOr(error);
      }
    },
  };
}

export type Execute = (query: CompiledQuery) => readonly unknown[];

/** Prepared statements are kept, the least recently made go first. */
function createExecute(database: SqliteDatabase): Execute {
  const statements = new Map<string, SqliteStatement>();
  return (query) => {
    let statement = statements.get(query.sql);
    if (!statement) {
      statement = database.prepare(query.sql);
      statement.safeIntegers?.(false); // whatever the host's handle gives by default
      if ("lines" in query) statement.pluck();
      statements.set(query.sql, statement);
      if (statements.size > maxStatements) for (const oldest of statements.keys()) if (statements.delete(oldest)) break;
    }
    if (statement.reader) return statement.all(...query.parameters);
    statement.run(...query.parameters);
    return [];
  };
}

function runSync<T>(execute: Execute, step: Step<T>): T {
  let turn = step.next([]);
  while (!turn.done) turn = step.next(execute(turn.value));
  return turn.value;
}

/** Of a transaction that has begun. */
function commitTogether(database: SqliteDatabase, execute: Execute, jobs: readonly Job[]): void {
  const settled: Settled[] = [];
  try {
    for (const job of jobs) settled.push(inSavepoint(database, execute, job, jobs.length === 1));
    database.exec("commit");
  } catch (error) {
    if (database.inTransaction) database.exec("rollback");
    for (const job of jobs) job.reject(error);
    return;
  }
  for (const [index, job] of jobs.entries()) {
    const result = settled[index];
    if (result?.ok) job.resolve(result.value);
    else job.reject(result?.error);
  }
}

function inSavepoint(database: SqliteDatabase, execute: Execute, job: Job, alone: boolean): Settled {
  database.exec("savepoint step");
  try {
    const value = runSync(execute, job.step());
    if (!alone) database.exec("release step");
    return { ok: true, value };
  } catch (error) {
    // A full disk ends the whole transaction: nobody's work was kept.
    if (!database.inTransaction) throw error;
    database.exec("rollback to step");
    database.exec("release step");
    return { ok: false, error };
  }
}
