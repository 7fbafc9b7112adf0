import type { QueryGenerator } from "../queries.ts";
import { type Execute, runSync, type SqliteDatabase } from "./sqlite-database.ts";

/**
 * Milliseconds after which a transaction takes up no further job. Each commit waits for the disk,
 * so that it is worth a longer turn than other work: sixteen buyers at once fit into one.
 */
export const transactionMs = 40;

/** One unit of work whose caller waits for the commit. */
export interface Job {
  readonly work: () => QueryGenerator<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface SqliteConnection {
  readonly database: SqliteDatabase;
  readonly execute: Execute;
  /** Runs a statement without parameters, such as `commit`. */
  readonly run: (sql: string) => void;
}

type JobResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/**
 * Runs as many of the jobs as `transactionMs` has time for in the transaction that has
 * begun, and at least one. Commits, settles their promises, and gives their number.
 * Gives 0 when a job failed among others: everything is rolled back, and the jobs
 * have to be run anew, each in a savepoint.
 *
 * They run without savepoints first, because a savepoint copies each page that a
 * job changes and a job hardly ever fails.
 */
export function commitTogether(
  connection: SqliteConnection,
  jobs: readonly Job[],
  withSavepoints: boolean,
): number {
  let results: readonly JobResult[] | null;
  try {
    results = withSavepoints ? runInSavepoints(connection, jobs) : runPlainly(connection, jobs);
    if (results === null) return 0;
    connection.run("commit");
  } catch (error) {
    for (const job of jobs) job.reject(error);
    rollBack(connection);
    return jobs.length;
  }

  for (const [index, result] of results.entries()) {
    const job = jobs[index];
    if (result.ok) job?.resolve(result.value);
    else job?.reject(result.error);
  }
  return results.length;
}

function rollBack({ database, run }: SqliteConnection): void {
  try {
    if (database.inTransaction) run("rollback");
  } catch {
    // The handle stays in its transaction, and every later write is refused.
  }
}

/**
 * Runs the jobs without savepoints. It gives null when a job failed among others,
 * after the rollback.
 */
function runPlainly(
  { database, execute, run }: SqliteConnection,
  jobs: readonly Job[],
): readonly JobResult[] | null {
  try {
    return runInTime(jobs, (job) => ({ ok: true, value: runSync(execute, job.work()) }));
  } catch (error) {
    // SQLite ends the whole transaction on a full disk: no job's work was kept.
    if (!database.inTransaction || jobs.length === 1) throw error;
    run("rollback");
    return null;
  }
}

const runInSavepoints = (connection: SqliteConnection, jobs: readonly Job[]) =>
  runInTime(jobs, (job) => runInSavepoint(connection, job));

/** Runs the first job, and each further one that begins within `transactionMs`. */
function runInTime(jobs: readonly Job[], run: (job: Job) => JobResult): readonly JobResult[] {
  const startedAt = performance.now();
  const results: JobResult[] = [];
  for (const job of jobs) {
    if (results.length > 0 && performance.now() - startedAt >= transactionMs) break;
    results.push(run(job));
  }
  return results;
}

function runInSavepoint({ database, execute, run }: SqliteConnection, job: Job): JobResult {
  run("savepoint job");
  try {
    const value = runSync(execute, job.work());
    run("release job");
    return { ok: true, value };
  } catch (error) {
    if (!database.inTransaction) throw error;
    run("rollback to job");
    run("release job");
    return { ok: false, error };
  }
}
