import { fail, isApiError } from "../../src/contract/errors.ts";
import type { Storage } from "../../src/storage/types.ts";
import { isTransient } from "./sql/engine/retry.ts";
import {
  type SqliteDatabase,
  type SqliteStatement,
  sqliteEngine,
} from "./sql/engine/sqlite-engine.ts";
import { exportMigrations, migrateStep, type SqlMigration } from "./sql/migrate.ts";
import { sqlite } from "./sql/schema/dialect.ts";
import type { Naming } from "./sql/schema/names.ts";
import { sqlStorage } from "./sql/storage.ts";
import { loadDriver } from "./sqlite-driver.ts";

export type { SqliteDatabase, SqliteStatement } from "./sql/engine/sqlite-engine.ts";
export type { SqlMigration } from "./sql/migrate.ts";

export interface SqliteOptions {
  /** Put before every table name, so that two instances can share a file. */
  readonly tablePrefix?: string;
}

/**
 * Storage in a SQLite file. A path opens a handle of its own (WAL, `synchronous=FULL`) that `close()` closes; a better-sqlite3 handle of yours
 * is used as it is and stays yours. Call `migrate()` before the first request. Throws `invalid_option` when better-sqlite3 is missing or the
 * file cannot be opened.
 */
export function sqliteStorage(
  database: string | SqliteDatabase,
  { tablePrefix = "" }: SqliteOptions = {},
): Storage {
  const naming = readNaming(tablePrefix);
  const owned = typeof database === "string";
  const handle = owned ? open(database) : checked(database);
  const engine = sqliteEngine(handle, naming, owned);
  let ask: SqliteStatement | undefined; // prepared once: it is asked at every request
  let version: number | null = null;
  // Asked once a turn: a request read in this one was sent before it, so that it knows of no later write of another process.
  const forget = (): void => {
    version = null;
  };
  return sqlStorage(engine, {
    migrate: () => patiently(() => engine.write(() => migrateStep(naming, sqlite))),
    close: async () => {
      if (owned) handle.close();
    },
    ephemeral: database === ":memory:",
    dataVersion() {
      if (version !== null) return version;
      try {
        ask ??= handle.prepare("pragma data_version").pluck();
        version = Number(ask.get());
        setImmediate(forget);
        return version;
      } catch {
        return Number.NaN; // equal to nothing: the read that comes next says what is wrong
      }
    },
    clock: null,
  });
}

/** The migrations as SQL for a tool of your own; run them in order, each in one transaction. `migrate()` then finds nothing to do. */
export const sqliteMigrations = ({
  tablePrefix = "",
}: SqliteOptions = {}): readonly SqlMigration[] =>
  exportMigrations(readNaming(tablePrefix), sqlite);

/** Waits for another process that migrates, a minute at most, without holding the event loop for longer than `busy_timeout`. */
async function patiently(run: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === 150 || !isApiError(error) || !isTransient(error.details.cause)) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

function readNaming(tablePrefix: string): Naming {
  if (!/^[a-z_]{0,30}$/.test(tablePrefix))
    fail("invalid_option", {
      param: "tablePrefix",
      message: "Option tablePrefix must be at most 30 of a-z and _.",
    });
  return { schema: null, prefix: tablePrefix };
}

function open(path: string): SqliteDatabase {
  const Database = loadDriver();
  try {
    const handle = new Database(path);
    handle.pragma("journal_mode = WAL");
    handle.pragma("synchronous = FULL");
    handle.pragma("foreign_keys = ON");
    // Pages of the log, 16 MB: what it is copied back by costs less the rarer it is, and an index page that was written often is copied once.
    handle.pragma("wal_autocheckpoint = 4000");
    // It blocks the event loop while it waits: the rest of the waiting is a retry's.
    handle.pragma("busy_timeout = 100");
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

/** A handle of the host's keeps its settings; what would lose data or hang is told. */
function checked(handle: SqliteDatabase): SqliteDatabase {
  if (typeof handle?.prepare !== "function" || typeof handle.pragma !== "function") {
    fail("invalid_option", {
      param: "storage",
      message: "sqliteStorage takes a file's path or a better-sqlite3 database.",
    });
  }
  if (Number(handle.pragma("busy_timeout", { simple: true })) > 1_000) {
    fail("invalid_option", {
      param: "storage",
      message:
        "The handle's busy_timeout is over 1 s (better-sqlite3 begins with 5) and would block the event loop as long: set database.pragma('busy_timeout = 100').",
    });
  }
  return handle;
}
