import { ApiError } from "../../../../src/contract/errors.ts";
import { isTransient } from "./retry.ts";
import type { Execute, SqliteDatabase, SqliteStatement } from "./sqlite-engine.ts";
import type { Step } from "./step.ts";

interface Job {
  readonly step: () => Step<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
type Settled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

export interface SqliteWrites {
  /** Answered after the commit. */
  write<T>(step: () => Step<T>): Promise<T>;
  /** The same, but the commit does not wait for the disk: a power cut may take it back, the end of the process does not. */
  writeLoosely<T>(step: () => Step<T>): Promise<T>;
}

const hostWaitMs = 100;
/** Another process may hold the write lock again and again: the wait is asynchronous, so that this one goes on answering reads. */
const lockWaitMs = 5_000;

/** Steps that arrive in one turn are committed together; a failing one alone is rolled back. `own`: the handle is nobody else's. */
export function sqliteWrites(
  database: SqliteDatabase,
  execute: Execute,
  own: boolean,
): SqliteWrites {
  const run = statements(database);
  let firm: Job[] = [];
  let loose: Job[] = [];
  let scheduled = false;
  let postponed = false;
  let waits = true; // for the disk, as the handle was opened
  /** Throws rather than let a firm commit go without: it is set before it is relied on, whatever became of the one before. */
  const waitForDisk = (wanted: boolean): void => {
    if (waits === wanted) return;
    database.exec(`pragma synchronous = ${wanted ? "full" : "normal"}`);
    waits = wanted;
  };

  // A turn later: what the next one brings joins the same wait for the disk.
  const soon = (): void => void setImmediate(() => setImmediate(() => flush(Date.now())));
  const later = (since: number, ms: number): void => void setTimeout(() => flush(since), ms);
  const refuse = (error: unknown): void => {
    scheduled = false;
    for (const job of [...loose.splice(0), ...firm.splice(0)]) job.reject(error);
  };

  const flush = (since: number): void => {
    // A handle of the host's may be in its own transaction: we wait, and never join it.
    if (database.inTransaction) {
      if (Date.now() < since + hostWaitMs) return void later(since, 5);
      return void refuse(
        Object.assign(new Error("The database handle is in a transaction of the host's."), {
          code: "VITRINE_BUSY",
        }),
      );
    }
    const light = loose.length > 0;
    try {
      waitForDisk(!light);
      run("begin immediate");
    } catch (error) {
      if (!isTransient(error)) return void refuse(error);
      if (Date.now() < since + lockWaitMs) return void later(since, 5 + Math.random() * 20);
      return void refuse(new ApiError("service_unavailable", { retry_after: 1, cause: error }));
    }
    const jobs = light ? loose : firm;
    if (light) loose = [];
    else firm = [];
    commitTogether(database, run, execute, jobs);
    if (firm.length === 0) {
      scheduled = false;
      postponed = false;
    } else if (light && !postponed) {
      postponed = true; // once: what the light ones go on with joins the same wait for the disk
      soon();
    } else {
      postponed = false;
      flush(Date.now());
    }
  };
  const queued = <T>(jobs: () => Job[], step: () => Step<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      jobs().push({ step, resolve: resolve as (value: unknown) => void, reject });
      if (scheduled) return;
      scheduled = true;
      soon();
    });

  return {
    write: (step) => queued(() => firm, step),
    writeLoosely: (step) => queued(() => (own ? loose : firm), step),
  };
}

/** What frames the steps, prepared once each: `exec` would parse it anew. */
function statements(database: SqliteDatabase): (sql: string) => void {
  const known = new Map<string, SqliteStatement>();
  return (sql) => {
    let statement = known.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      known.set(sql, statement);
    }
    statement.run();
  };
}

type Run = (sql: string) => void;

/** Of a transaction that has begun. */
function commitTogether(
  database: SqliteDatabase,
  run: Run,
  execute: Execute,
  jobs: readonly Job[],
): void {
  let settled: readonly Settled[];
  try {
    settled = together(database, run, execute, jobs);
    run("commit");
  } catch (error) {
    for (const job of jobs) job.reject(error);
    try {
      if (database.inTransaction) run("rollback");
    } catch {
      // The handle stays in its transaction, which refuses all that comes.
    }
    return;
  }
  for (const [index, job] of jobs.entries()) {
    const result = settled[index];
    if (result?.ok) job.resolve(result.value);
    else job.reject(result?.error);
  }
}

/** Savepoints copy each page that a step changes, and hardly a step fails: when one does, all begin anew, each in its own. */
function together(
  database: SqliteDatabase,
  run: Run,
  execute: Execute,
  jobs: readonly Job[],
): readonly Settled[] {
  try {
    return jobs.map((job) => ({ ok: true, value: runSync(execute, job.step()) }));
  } catch (error) {
    // A full disk ends the whole transaction: nobody's work was kept.
    if (!database.inTransaction || jobs.length === 1) throw error;
    run("rollback");
  }
  run("begin immediate");
  return jobs.map((job) => inSavepoint(database, run, execute, job));
}

function inSavepoint(database: SqliteDatabase, run: Run, execute: Execute, job: Job): Settled {
  run("savepoint step");
  try {
    const value = runSync(execute, job.step());
    run("release step");
    return { ok: true, value };
  } catch (error) {
    if (!database.inTransaction) throw error;
    run("rollback to step");
    run("release step");
    return { ok: false, error };
  }
}

export function runSync<T>(execute: Execute, step: Step<T>): T {
  let turn = step.next([]);
  while (!turn.done) turn = step.next(execute(turn.value));
  return turn.value;
}
