import { ApiError } from "../../../../src/contract/errors.ts";
import { busyPauseMs, lockWaitMs } from "./busy-wait.ts";
import { isTransient } from "./failures.ts";
import type { QueryGenerator } from "./queries.ts";
import { commitTogether, type Job, type SqliteConnection } from "./sqlite-commit.ts";
import type { Execute, SqliteDatabase, SqliteStatement } from "./sqlite-database.ts";

export interface SqliteWrites {
  /** Resolves after the commit, which waits for the disk. */
  write<T>(work: () => QueryGenerator<T>): Promise<T>;
  /** The commit does not wait for the disk: a power cut may undo it, the process's end does not. */
  writeRelaxed<T>(work: () => QueryGenerator<T>): Promise<T>;
}

export interface SqliteWritesOptions {
  readonly database: SqliteDatabase;
  readonly execute: Execute;
  /** The handle is used by this engine alone, so that its settings may be changed. */
  readonly ownsHandle: boolean;
}

/** How long to wait for the host to end its own transaction on the handle. */
const hostWaitMs = 100;

/** Commits together what arrives in one turn; when a job fails, it alone is rolled back. */
export function sqliteWrites(options: SqliteWritesOptions): SqliteWrites {
  const { database, ownsHandle } = options;
  const connection: SqliteConnection = { ...options, run: createRun(database) };
  const setCommitWaits = createCommitWaits(database);

  let strictJobs: Job[] = [];
  let relaxedJobs: Job[] = [];
  let scheduled = false;
  let postponed = false;
  // True after a job has failed: the jobs that ran with it begin anew, each in a savepoint.
  let withSavepoints = false;

  // Waits one turn more than needed: jobs of the next turn join the same wait for the disk.
  const flushSoon = (): void =>
    void setImmediate(() => setImmediate(() => flush(performance.now())));
  const flushAgain = (since: number, ms: number): void => void setTimeout(() => flush(since), ms);

  const rejectAll = (error: unknown): void => {
    scheduled = false;
    withSavepoints = false;
    for (const job of [...relaxedJobs.splice(0), ...strictJobs.splice(0)]) job.reject(error);
  };

  /** The host's handle may be in the host's own transaction: it is awaited and never joined. */
  const waitForHost = (since: number): void => {
    if (performance.now() < since + hostWaitMs) flushAgain(since, 5);
    else rejectAll(hostIsBusy());
  };

  const begin = (commitWaits: boolean, since: number): boolean => {
    try {
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
      waitForHost(since);
      return;
    }

    const relaxed = relaxedJobs.length > 0;
    if (!begin(!relaxed, since)) return;

    const jobs = relaxed ? relaxedJobs : strictJobs;
    if (relaxed) relaxedJobs = [];
    else strictJobs = [];

    withSavepoints = !commitTogether(connection, jobs, withSavepoints);
    if (withSavepoints) {
      // The rollback has freed the lock, so that the jobs may have to wait for it once more.
      if (relaxed) relaxedJobs = [...jobs, ...relaxedJobs];
      else strictJobs = [...jobs, ...strictJobs];
      flush(performance.now());
      return;
    }

    if (strictJobs.length === 0) {
      scheduled = false;
      postponed = false;
    } else if (relaxed && !postponed) {
      // Postponed once: what the relaxed jobs' callers write next joins the same wait for the disk.
      postponed = true;
      flushSoon();
    } else {
      postponed = false;
      flush(performance.now());
    }
  };

  const enqueue = <T>(jobs: () => Job[], work: () => QueryGenerator<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      jobs().push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (scheduled) return;
      scheduled = true;
      flushSoon();
    });

  return {
    write: (work) => enqueue(() => strictJobs, work),
    writeRelaxed: (work) => enqueue(() => (ownsHandle ? relaxedJobs : strictJobs), work),
  };
}

const hostIsBusy = (): Error => {
  const error = new Error("The database handle is in a transaction of the host's.");
  return Object.assign(error, { code: "VITRINE_BUSY" });
};

/**
 * Sets whether commits wait for the disk. It throws rather than let a strict commit go without:
 * the setting is made before the commit relies on it, whatever became of the one before.
 */
function createCommitWaits(database: SqliteDatabase): (wanted: boolean) => void {
  let waits = true; // the handle was opened with `synchronous = FULL`
  return (wanted) => {
    if (waits === wanted) return;
    database.exec(`pragma synchronous = ${wanted ? "full" : "normal"}`);
    waits = wanted;
  };
}

/** Prepares `begin`, `commit` and the like once each: `exec` would parse them at every call. */
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
