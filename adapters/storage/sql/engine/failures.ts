import type { WriteRefusal } from "#core/storage/reads/gauges-store.ts";

const transientCodes = new Set([
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "25P03", // The session was idle in a transaction for too long.
  "40001", // The transaction could not be serialized.
  "40P01", // The database found a deadlock.
  "55P03", // The lock is not available.
  "53300", // There are too many connections.
  "57P01", // An administrator ended the connection.
  "57P02", // The server is shutting down after a crash.
  "57P03", // The server is starting up.
  "57P05", // The session was idle for too long.
  "08000", // The connection failed.
  "08001", // The client side could not connect.
  "08003", // The connection does not exist.
  "08004", // The server rejected the connection.
  "08006", // The connection broke.
  "08P01", // The protocol was violated: a pooler has no server.
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "VITRINE_BUSY", // The host's own transaction holds the SQLite handle.
  "VITRINE_GUARD", // The condition of a guarded update no longer held.
]);

/**
 * The database is missing, full or read-only, or ended a slow query: a retry would
 * not help.
 */
const unavailableCodes = new Set([
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_CANTOPEN",
  "SQLITE_READONLY",
  "SQLITE_PROTOCOL",
  "SQLITE_CORRUPT",
  "SQLITE_NOTADB",
  "SQLITE_NOMEM",
  "53000", // The resources do not suffice.
  "53100", // The disk is full.
  "53200", // The memory is full.
  "53400", // A limit of the configuration was exceeded.
  "58030", // Input or output failed.
  "57014", // The host's statement_timeout ended the query.
  "25P04", // The host's transaction_timeout ended the transaction.
  "25006", // The server takes no writes: it is a standby, or a failover is under way.
]);

const lostConnection = new RegExp(
  `^(${[
    "Connection terminated",
    "Client has encountered a connection error",
    "Client was closed",
    "timeout exceeded when trying to connect",
    "Cannot use a pool after",
  ].join("|")})`,
);

/**
 * Matches what Citus says, with the code XX000, when the node of a shard is lost, or when
 * the coordinator's first process was killed under a statement. The later alternatives
 * are texts of libpq, by which Citus connects to the node.
 */
const lostShard = new RegExp(
  `^(?:${[
    "could not commit transaction for shard \\d+ on at least one active node",
    "failure on connection marked as essential",
    "postmaster was shut down",
    "server closed the connection unexpectedly",
    "could not (?:send data to|receive data from) server",
    "no connection to the server",
    "connection not open",
    "SSL (?:SYSCALL )?error",
  ].join("|")})`,
);

/**
 * Matches errors after which a query may still run or no query can. pg's
 * query_timeout leaves the query running; a closed SQLite handle says one of the
 * others.
 */
const queryAborted = new RegExp(
  `^(${[
    "Query read timeout",
    "The database connection is not open", // better-sqlite3 says this.
    "database is not open", // node:sqlite says this.
    "statement has been finalized", // node:sqlite says this.
  ].join("|")})`,
);

/** Names SQLite's codes by their numbers: node:sqlite gives the number alone. */
const sqliteCodes: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  26: "SQLITE_NOTADB",
};

/**
 * Citus says this, with the code XX000, when a node got the call of a function but no
 * longer holds the store: its shard was moved meanwhile, and the coordinator was not told
 * yet. The node has changed nothing.
 */
const movedShard = "cannot execute a distributed query from a query on a shard";

export const isShardMoved = (error: unknown): boolean =>
  codeOf(error) === "XX000" && error instanceof Error && error.message === movedShard;

/** Tells whether an error may be Citus's word about a statement that it cannot distribute. */
export const isRefusedByCitus = (error: unknown): boolean =>
  codeOf(error) === "0A000" || codeOf(error) === "XX000";

/** Tells whether a later try may not meet the failure. */
export const isTransient = (error: unknown): boolean =>
  transientCodes.has(codeOf(error)) ||
  isStalePlan(error) ||
  isShardMoved(error) ||
  (error instanceof Error && lostConnection.test(error.message)) ||
  (codeOf(error) === "XX000" && error instanceof Error && lostShard.test(error.message));

/** Tells whether a lock was not granted in time, or waiting for it would never have ended. */
export const isLockRefused = (error: unknown): boolean =>
  codeOf(error) === "55P03" || codeOf(error) === "40P01";

/** Tells whether the role of the connection lacks a right. */
export const isForbidden = (error: unknown): error is Error => codeOf(error) === "42501";

/** Names the failures after which a database still answers reads, and takes no writes. */
const refusals: Readonly<Record<string, WriteRefusal>> = {
  SQLITE_FULL: "disk_full",
  "53100": "disk_full",
  SQLITE_READONLY: "read_only",
  "25006": "read_only",
};

/** Says why the database took no write, or gives null where it failed in another way. */
export const refusalOf = (error: unknown): WriteRefusal | null => refusals[codeOf(error)] ?? null;

export const isUnavailable = (error: unknown): boolean => unavailableCodes.has(codeOf(error));

/** Tells whether a table or a column is not there: the schema was not migrated. */
export const isSchemaMissing = (error: unknown): boolean =>
  codeOf(error) === "42P01" ||
  codeOf(error) === "42703" ||
  (isSqlRefused(error) && /^no such (table|column)/.test((error as Error).message));

/** Tells whether SQLite understood no such statement, for example because it lacks a module. */
export const isSqlRefused = (error: unknown): boolean => codeOf(error) === "SQLITE_ERROR";

/** Tells whether the connection can answer nothing more after this error. */
export const isQueryAborted = (error: unknown): boolean =>
  error instanceof Error && queryAborted.test(error.message);

/**
 * Tells whether a newer version of this library added a column to a table that a
 * prepared statement selects.
 */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === "0A000" &&
  (error as { readonly routine?: unknown }).routine === "RevalidateCachedQuery";

/**
 * Gives the error's code. SQLite's extended codes are cut to their primary code:
 * SQLITE_BUSY_RECOVERY is SQLITE_BUSY.
 */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";

  const { code } = error;
  if (code === "ERR_SQLITE_ERROR" && "errcode" in error && typeof error.errcode === "number")
    return sqliteCodes[error.errcode & 0xff] ?? ""; // The low byte is the primary code.
  return typeof code === "string" ? code.replace(/^(SQLITE_[A-Z]+)_.*/, "$1") : "";
}
