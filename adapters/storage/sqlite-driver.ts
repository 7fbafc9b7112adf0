import { createRequire } from "node:module";
import { fail } from "#core/contract/errors.ts";
import type { SqliteDatabase } from "./sql/engine/sqlite/sqlite-database.ts";
import { fromNodeSqlite, type NodeSqliteDatabase } from "./sql/engine/sqlite/sqlite-node.ts";

/** Opens a file, or a database in memory for `:memory:`. */
export type OpenSqlite = (path: string) => SqliteDatabase;

/**
 * Chooses the driver. It is the installed better-sqlite3, else Node's own SQLite.
 * Throws `invalid_option` with the command to run when neither works here.
 */
export function loadDriver(): OpenSqlite {
  const installed = loadBetterSqlite();
  if (installed.open) return installed.open;

  // Node prints a warning when its SQLite is loaded, so it is loaded only when it is used.
  const builtIn = loadNodeSqlite();
  if (builtIn) return builtIn;

  const { version, fault, cause } = installed;
  return fail("invalid_option", {
    param: "storage",
    message:
      `SQLite needs better-sqlite3, or Node 22.16 or later (${fault}).` +
      ` Run: ${remedyFor(version, process.versions)}`,
    cause,
  });
}

type InstalledDriver =
  | { readonly open: OpenSqlite }
  | {
      readonly open: null;
      /** Null means that it is not installed. */
      readonly version: string | null;
      readonly fault: string;
      readonly cause: unknown;
    };

function loadBetterSqlite(): InstalledDriver {
  const require = createRequire(import.meta.url);
  let version: string | null = null;
  try {
    ({ version } = require("better-sqlite3/package.json") as { version: string });
    const fault = judgeDriver(version, process.versions);
    if (fault !== null) throw new Error(fault);

    const Database: new (path: string) => SqliteDatabase = require("better-sqlite3");
    new Database(":memory:").close(); // The first database loads the compiled file.
    return { open: (path) => new Database(path) };
  } catch (cause) {
    const [reason = ""] = cause instanceof Error ? cause.message.split("\n") : [];
    return { open: null, version, fault: version === null ? "it is not installed" : reason, cause };
  }
}

interface NodeSqliteModule {
  readonly DatabaseSync: new (path: string) => NodeSqliteDatabase;
  readonly StatementSync: { readonly prototype: object };
}

/**
 * Gives null on a Node before 22.16, where `node:sqlite` is missing or lacks what
 * is needed.
 */
function loadNodeSqlite(): OpenSqlite | null {
  const module: unknown = process.getBuiltinModule?.("node:sqlite");
  if (!module) return null;

  const { DatabaseSync, StatementSync } = module as NodeSqliteModule;
  if (!("setReturnArrays" in StatementSync.prototype)) return null;
  return (path) => fromNodeSqlite(new DatabaseSync(path));
}

interface NodeVersions {
  readonly node: string;
  readonly napi?: string | undefined;
}

const supportsVersion13 = ({ napi }: NodeVersions): boolean => Number(napi ?? 0) >= 10;

/**
 * Tells why a version of better-sqlite3 must not be used on a version of Node. It
 * gives null when it may be used. Version 13 needs N-API 10. Version 12 frees
 * statements in a way that Node 24.19 and later can answer with an abort.
 */
export function judgeDriver(version: string, versions: NodeVersions): string | null {
  const [major = 0, minor = 0] = versions.node.split(".").map(Number);
  const isBefore13 = Number.parseInt(version, 10) < 13;
  const abortsOnFree = major > 24 || (major === 24 && minor >= 19);

  if (!isBefore13 && !supportsVersion13(versions))
    return `better-sqlite3 ${version} needs Node 22 or later`;
  if (isBefore13 && abortsOnFree)
    return `better-sqlite3 ${version} can abort the process on Node ${versions.node}`;
  return null;
}

/**
 * Gives the command that mends a better-sqlite3 which cannot be loaded. A version
 * that is right for this Node lacks its compiled file, or has that of another Node,
 * so that to install it again would change nothing.
 */
export function remedyFor(version: string | null, versions: NodeVersions): string {
  if (version !== null && judgeDriver(version, versions) === null)
    return "npm rebuild better-sqlite3";

  return `npm install better-sqlite3${supportsVersion13(versions) ? "" : "@12"}`;
}
