import { fail, isApiError } from "#core/contract/errors.ts";
import { minuteMs } from "#core/domain/durations.ts";
import { invalidOption, refuseUnknownOptions } from "#core/input/option-error.ts";
import type { Storage } from "#core/storage/types.ts";
import { isTransient } from "./sql/engine/failures.ts";
import { unavailableOr } from "./sql/engine/retry.ts";
import { blockUntilFree, longestQuietWaitMs, readWhenFree } from "./sql/engine/sqlite/busy-wait.ts";
import type { SqliteDatabase, SqliteStatement } from "./sql/engine/sqlite/sqlite-database.ts";
import { sqliteEngine } from "./sql/engine/sqlite/sqlite-engine.ts";
import { fromNodeSqlite, type NodeSqliteDatabase } from "./sql/engine/sqlite/sqlite-node.ts";
import { canIndexText } from "./sql/engine/sqlite/sqlite-text-index.ts";
import { findPending, migrate, readApplied } from "./sql/migrate/migrate.ts";
import { exportMigrations, type SqlMigration } from "./sql/migrate/migration-statements.ts";
import { explainRefusal } from "./sql/migrate/refused-write.ts";
import { sqlite } from "./sql/schema/dialect.sqlite.ts";
import type { Naming } from "./sql/schema/names.ts";
import { sqlStorage } from "./sql/storage.ts";
import { loadDriver } from "./sqlite-driver.ts";

export type { SqliteDatabase, SqliteStatement } from "./sql/engine/sqlite/sqlite-database.ts";
export type { NodeSqliteDatabase, NodeSqliteStatement } from "./sql/engine/sqlite/sqlite-node.ts";
export type { SqlMigration, SqlMigrationStep } from "./sql/migrate/migration-statements.ts";

/** The options of `sqliteStorage` besides the database. */
export interface SqliteOptions {
  /** Every table name begins with it, so that two instances can share a file. */
  readonly tablePrefix?: string | undefined;
}

/**
 * Opens storage in a SQLite file. For a path, it opens a handle of its own (WAL,
 * `synchronous=FULL`) that `close()` closes; the driver is the installed
 * better-sqlite3, else Node's own SQLite (22.16 and later). A handle of yours, of
 * better-sqlite3 or `node:sqlite`, is used as it is and stays yours. Call
 * `migrate()` before the first request. Throws `invalid_option` when neither driver
 * is there or the file cannot be opened.
 */
export function sqliteStorage(
  database: string | SqliteDatabase | NodeSqliteDatabase,
  options: SqliteOptions = {},
): Storage {
  refuseUnknownOptions(options, { tablePrefix: true });
  const { tablePrefix = "" } = options;
  const naming = readNaming(tablePrefix);
  const ownsHandle = typeof database === "string";
  const handle = ownsHandle ? openFile(database) : checkHandle(database);
  const engine = sqliteEngine(handle, { naming, ownsHandle });

  const rest = {
    migrate: () =>
      explainRefusal(
        retryWhileLocked(async () => {
          const indexesText = await readWhenFree(() => canIndexText(handle)).catch(unavailableOr);
          await engine.write(() => migrate(naming, sqlite, { indexesText }));
        }),
      ),
    // A plan for SQLite lists no statements. It only refuses the databases that migrate() refuses.
    planMigration: () =>
      engine.read(function* () {
        findPending((yield* readApplied(naming, sqlite)) ?? [], sqlite);
        return [];
      }),
    close: async () => {
      if (ownsHandle) handle.close();
    },
    ephemeral: database === ":memory:",
    dataVersion: createDataVersion(handle),
    clock: null,
    joinsTransactions: false,
  };
  return sqlStorage(engine, rest);
}

/**
 * Gives the migrations as SQL for a tool of your own. Run them in order, each in one
 * transaction. After that `migrate()` has nothing left to do.
 */
export const sqliteMigrations = ({
  tablePrefix = "",
}: SqliteOptions = {}): readonly SqlMigration[] =>
  exportMigrations(readNaming(tablePrefix), sqlite);

/**
 * Reads SQLite's `data_version`, which moves when another process has written. It
 * asks at most once in a turn of the event loop: a request that is read in this
 * turn was sent before it, so that it cannot know of a later write.
 */
function createDataVersion(handle: SqliteDatabase): () => number {
  let statement: SqliteStatement | undefined;
  let version: number | null = null;
  const forget = (): void => {
    version = null;
  };

  return () => {
    if (version !== null) return version;
    try {
      statement ??= handle.prepare("pragma data_version").pluck();
      version = Number(statement.get());
      setImmediate(forget);
      return version;
    } catch {
      // NaN equals nothing, so that no cache is used: the read that follows tells the error.
      return Number.NaN;
    }
  };
}

const migrationWaitMs = minuteMs;

/** Waits for another process that migrates, without holding the event loop. */
async function retryWhileLocked(run: () => Promise<void>): Promise<void> {
  const started = performance.now();
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const isLocked = isApiError(error) && isTransient(error.details.cause);
      if (!isLocked || performance.now() - started > migrationWaitMs) throw error;
    }
  }
}

function readNaming(tablePrefix: string): Naming {
  if (typeof tablePrefix !== "string" || !/^(?!sqlite_)[a-z_]{0,30}$/.test(tablePrefix))
    invalidOption("tablePrefix", "must be at most 30 of a-z and _, and not begin with sqlite_");
  return { schema: null, prefix: tablePrefix };
}

function openFile(path: string): SqliteDatabase {
  const open = loadDriver();
  try {
    const handle = open(path);
    // While it is opened, SQLite itself waits: better-sqlite3 begins with this time, node:sqlite
    // with none.
    handle.pragma("busy_timeout = 5000");
    // Processes that start at once turn WAL on one after another. Two that begin with it at the
    // same moment would wait for each other, so SQLite refuses one at once all the same.
    blockUntilFree(() => handle.pragma("journal_mode = WAL"));
    handle.pragma("synchronous = FULL");
    handle.pragma("foreign_keys = ON");
    // What is deleted is overwritten with zeros: an erased customer leaves nothing in the file.
    handle.pragma("secure_delete = ON");
    handle.pragma("cache_size = -16000"); // 16 MB is better-sqlite3's default; Node's is 2 MB.
    // 4,000 pages of log are 16 MB. The rarer the log is copied back, the less it costs: an index
    // page that was written often is copied once.
    handle.pragma("wal_autocheckpoint = 4000");
    // From here on the engine waits in SQLite's place, which would block the event loop.
    handle.pragma("busy_timeout = 0");
    return handle;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    return fail("invalid_option", {
      param: "storage",
      message: `The SQLite file ${path} cannot be opened: ${reason}.`,
      cause,
    });
  }
}

/**
 * Checks a handle of the host's. It keeps its settings. A handle that can block the
 * event loop gets a warning.
 */
function checkHandle(given: SqliteDatabase | NodeSqliteDatabase): SqliteDatabase {
  const handle = readHandle(given);
  const busyTimeoutMs = Number(handle.pragma("busy_timeout", { simple: true }));
  if (busyTimeoutMs > longestQuietWaitMs)
    process.emitWarning(
      `The SQLite handle's busy_timeout is ${busyTimeoutMs} ms (better-sqlite3 begins with 5000):` +
        " while another process writes, each write of this one stops the event loop for as long." +
        " Set database.pragma('busy_timeout = 0'): the storage waits and tries again by itself.",
      { code: "VITRINE_SQLITE_BUSY_TIMEOUT" },
    );
  return handle;
}

function readHandle(given: SqliteDatabase | NodeSqliteDatabase): SqliteDatabase {
  if (typeof given?.prepare === "function") {
    if ("pragma" in given) return given;
    if ("isTransaction" in given && "isOpen" in given) return fromNodeSqlite(given);
  }
  return fail("invalid_option", {
    param: "storage",
    message:
      "sqliteStorage takes a file's path, a better-sqlite3 database, or a DatabaseSync of" +
      " node:sqlite (Node 22.16 and later).",
  });
}
