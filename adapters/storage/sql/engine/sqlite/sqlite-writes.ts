import { ApiError } from "#core/contract/errors.ts";
import { isTransient } from "../failures.ts";
import type { QueryGenerator } from "../queries.ts";
import { busyPauseMs, lockWaitMs } from "./busy-wait.ts";
import { commitTogether, type Job, type SqliteConnection, transactionMs } from "./sqlite-commit.ts";
import type { Execute, SqliteDatabase, SqliteStatement } from "./sqlite-database.ts";
import { createFileCheck } from "./sqlite-file.ts";

export interface SqliteWrites {
  /** Runs the work and resolves after the commit, which waits for the disk. */
  write<T>(work: () => QueryGenerator<T>): Promise<T>;
  /**
   * Runs the work. The commit does not wait for the disk: a power cut may undo it,
   * the process's end does not.
   */
  writeRelaxed<T>(work: () => QueryGenerator<T>): Promise<T>;
}

export interface SqliteWritesOptions {
  readonly database: SqliteDatabase;
  readonly execute: Execute;
  /** The handle is used by this engine alone, so that its settings may be changed. */
  readonly ownsHandle: boolean;
}

/**
 * Milliseconds that the engine waits for the host to end its own transaction on the
 * handle.
 */
const hostWaitMs = 100;

/**
 * Commits together what arrives in one turn and fits into one; when a job fails, it
 * alone is rolled back.
 */
export function sqliteWrites(options: SqliteWritesOptions): SqliteWrites {
  const { database, ownsHandle } = options;
  const connection: SqliteConnection = { ...options, run: createRun(database) };
  const setCommitWaits = createCommitWaits(database);
  const checkFile = createFileCheck(database);

  const jobs = createJobQueues();
  let scheduled = false;
  const precedence = createPrecedence(jobs);
  // It is true after a job has failed: the jobs that ran with it begin anew, each in a savepoint.
  let withSavepoints = false;

  // It waits one turn more than needed: jobs of the next turn join the same wait for the disk.
  const flushSoon = (): void =>
    void setImmediate(() => setImmediate(() => flush(performance.now())));
  const flushNext = (): void => void setImmediate(() => flush(performance.now()));
  const flushAgain = (since: number, ms: number): void => void setTimeout(() => flush(since), ms);

  const rejectAll = (error: unknown): void => {
    scheduled = false;
    withSavepoints = false;
    for (const job of [...jobs.take(true), ...jobs.take(false)]) job.reject(error);
  };

  const begin = (commitWaits: boolean, since: number): boolean => {
    try {
      checkFile();
      setCommitWaits(commitWaits);
      connection.run("begin immediate");
      return true;
    } catch (error) {
      const waitedMs = performance.now() - since;
      if (!isTransient(error)) rejectAll(error);
      else if (waitedMs < lockWaitMs) flushAgain(since, busyPauseMs(waitedMs));
      else rejectAll(new ApiError("service_unavailable", { retry_after: 1, cause: error }));
      return false;
    }
  };

  const flush = (since: number): void => {
    if (database.inTransaction) {
      // The host's own transaction on the handle is awaited and never joined.
      if (performance.now() < since + hostWaitMs) flushAgain(since, 5);
      else rejectAll(hostIsBusy());
      return;
    }

    const relaxed = precedence.isRelaxedNext();
    if (!begin(!relaxed, since)) return;

    const begunAt = performance.now();
    const taken = jobs.take(relaxed);
    const done = commitTogether(connection, taken, withSavepoints);
    jobs.putBack(relaxed, taken.slice(done));
    withSavepoints = done === 0;
    if (withSavepoints) {
      // The rollback has freed the lock, so that the jobs may have to wait for it once more.
      flush(performance.now());
      return;
    }

    if (precedence.postponesStrict(relaxed)) flushSoon();
    else if (!jobs.has(true) && !jobs.has(false)) scheduled = false;
    else if (done < taken.length || performance.now() - begunAt >= transactionMs) flushNext();
    else flush(performance.now());
  };

  const enqueue = <T>(relaxed: boolean, work: () => QueryGenerator<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      jobs.add(relaxed, { work, resolve: resolve as (value: unknown) => void, reject });
      if (scheduled) return;
      scheduled = true;
      flushSoon();
    });

  return {
    write: (work) => enqueue(false, work),
    writeRelaxed: (work) => enqueue(ownsHandle, work),
  };
}

/**
 * Keeps the jobs that wait, in two queues: the commit of relaxed ones does not wait
 * for the disk.
 */
function createJobQueues() {
  let strictJobs: Job[] = [];
  let relaxedJobs: Job[] = [];
  const set = (relaxed: boolean, jobs: Job[]): void => {
    if (relaxed) relaxedJobs = jobs;
    else strictJobs = jobs;
  };
  const get = (relaxed: boolean): Job[] => (relaxed ? relaxedJobs : strictJobs);

  return {
    has: (relaxed: boolean): boolean => get(relaxed).length > 0,
    add(relaxed: boolean, job: Job): void {
      get(relaxed).push(job);
    },
    take(relaxed: boolean): readonly Job[] {
      const taken = get(relaxed);
      set(relaxed, []);
      return taken;
    },
    /** Puts jobs that were taken at the front again. */
    putBack(relaxed: boolean, jobs: readonly Job[]): void {
      set(relaxed, [...jobs, ...get(relaxed)]);
    },
  };
}

/** Decides whether relaxed or strict jobs are next. */
function createPrecedence(jobs: ReturnType<typeof createJobQueues>) {
  let postponed = false;
  let strictFirst = false;

  return {
    /** Relaxed jobs are next, but not again and again while strict ones wait. */
    isRelaxedNext: (): boolean => jobs.has(true) && !(strictFirst && jobs.has(false)),
    /**
     * Says, after a commit, whether strict jobs wait for one more turn. They do so
     * only once: meanwhile the callers of the finished jobs can add their next
     * writes, and one wait for the disk serves all of them.
     */
    postponesStrict(wasRelaxed: boolean): boolean {
      postponed = wasRelaxed && !postponed && jobs.has(false);
      strictFirst = wasRelaxed && !postponed;
      return postponed;
    },
  };
}

const hostIsBusy = (): Error => {
  const error = new Error("The database handle is in a transaction of the host's.");
  return Object.assign(error, { code: "VITRINE_BUSY" });
};

/**
 * Sets whether commits wait for the disk. It throws rather than let a strict commit
 * go without the wait: the setting is made before the commit relies on it, whatever
 * became of the one before.
 */
function createCommitWaits(database: SqliteDatabase): (wanted: boolean) => void {
  let waits = true; // The handle was opened with `synchronous = FULL`.
  return (wanted) => {
    if (waits === wanted) return;
    database.exec(`pragma synchronous = ${wanted ? "full" : "normal"}`);
    waits = wanted;
  };
}

/**
 * Prepares `begin`, `commit` and the like once each: `exec` would parse them at
 * every call.
 */
function createRun(database: SqliteDatabase): (sql: string) => void {
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
