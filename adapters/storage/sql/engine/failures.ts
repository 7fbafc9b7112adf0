const transientCodes = new Set([
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "25P03", // idle in a transaction for too long
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // lock not available
  "53300", // too many connections
  "57P01", // terminated by an administrator
  "57P02", // crash shutdown
  "57P03", // starting up
  "57P05", // idle for too long
  "08000", // connection exception
  "08001", // connection refused by the client side
  "08003", // connection does not exist
  "08004", // connection rejected by the server
  "08006", // connection failure
  "08P01", // protocol violation: a pooler without a server
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "VITRINE_BUSY", // the host's own transaction holds the SQLite handle
  "VITRINE_GUARD", // the condition of a guarded update no longer held
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
  "53000", // insufficient resources
  "53100", // disk full
  "53200", // out of memory
  "53400", // configuration limit exceeded
  "58030", // I/O error
  "57014", // the host's statement_timeout ended the query
  "25P04", // the host's transaction_timeout ended the transaction
  "25006", // the server takes no writes: a standby, or a failover is under way
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
 * Matches what Citus says, with the code XX000, when the node of a shard is lost.
 * The later alternatives are texts of libpq, by which Citus connects to the node.
 */
const lostShard = new RegExp(
  `^(?:${[
    "could not commit transaction for shard \\d+ on at least one active node",
    "failure on connection marked as essential",
    "server closed the connection unexpectedly",
    "could not (?:send data to|receive data from) server",
    "no connection to the server",
    "connection not open",
    "SSL (?:SYSCALL )?error",
  ].join("|")})`,
);

/**
 * pg's query_timeout leaves the query running; a closed SQLite handle says one of
 * the others.
 */
const queryAborted = new RegExp(
  `^(${[
    "Query read timeout",
    "The database connection is not open", // better-sqlite3
    "database is not open", // node:sqlite
    "statement has been finalized", // node:sqlite
  ].join("|")})`,
);

/** SQLite's numbers of its codes: node:sqlite gives the number alone. */
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

/** A failure that a later try may not meet. */
export const isTransient = (error: unknown): boolean =>
  transientCodes.has(codeOf(error)) ||
  isStalePlan(error) ||
  (error instanceof Error && lostConnection.test(error.message)) ||
  (codeOf(error) === "XX000" && error instanceof Error && lostShard.test(error.message));

/** A lock was not granted in time, or waiting for it would never have ended. */
export const isLockRefused = (error: unknown): boolean =>
  codeOf(error) === "55P03" || codeOf(error) === "40P01";

export const isUnavailable = (error: unknown): boolean => unavailableCodes.has(codeOf(error));

/** SQLite understood no such statement, for example because it lacks a module. */
export const isSqlRefused = (error: unknown): boolean => codeOf(error) === "SQLITE_ERROR";

/** After this error, the connection can answer nothing more. */
export const isQueryAborted = (error: unknown): boolean =>
  error instanceof Error && queryAborted.test(error.message);

/**
 * A newer version of this library added a column to a table that a prepared
 * statement selects.
 */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === "0A000" &&
  (error as { readonly routine?: unknown }).routine === "RevalidateCachedQuery";

/**
 * SQLite's extended codes are cut to their primary code: SQLITE_BUSY_RECOVERY is
 * SQLITE_BUSY.
 */
function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";

  const { code } = error;
  if (code === "ERR_SQLITE_ERROR" && "errcode" in error && typeof error.errcode === "number")
    return sqliteCodes[error.errcode & 0xff] ?? ""; // the low byte is the primary code
  return typeof code === "string" ? code.replace(/^(SQLITE_[A-Z]+)_.*/, "$1") : "";
}
