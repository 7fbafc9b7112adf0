import { createRequire } from "node:module";
import { fail } from "../../src/contract/errors.ts";
import type { SqliteDatabase } from "./sql/engine/sqlite-database.ts";

/**
 * Loads the installed better-sqlite3. Throws `invalid_option` with the command to run when none is
 * installed or the installed one does not work on this Node.
 */
export function loadDriver(): new (path: string) => SqliteDatabase {
  const require = createRequire(import.meta.url);
  try {
    const { version } = require("better-sqlite3/package.json");
    const { fault, warning } = judgeDriver(version, process.versions);
    if (fault) throw new Error(fault);
    if (warning) process.emitWarning(warning, { code: "VITRINE_SQLITE_DRIVER" });
    return require("better-sqlite3");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : "unknown reason";
    return fail("invalid_option", {
      param: "storage",
      message: `better-sqlite3 cannot be loaded (${reason}). Run: npm install better-sqlite3`,
      cause,
    });
  }
}

interface NodeVersions {
  readonly node: string;
  readonly napi?: string | undefined;
}

interface DriverVerdict {
  readonly fault?: string;
  readonly warning?: string;
}

/**
 * Tells whether a version of better-sqlite3 works on a version of Node. Version 13 needs N-API 10.
 * Version 12 frees statements in a way that Node 24.19 and later can answer with an abort.
 */
export function judgeDriver(version: string, { node, napi }: NodeVersions): DriverVerdict {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isBefore13 = Number.parseInt(version, 10) < 13;
  const abortsOnFree = major > 24 || (major === 24 && minor >= 19);

  if (!isBefore13 && Number(napi ?? 0) < 10)
    return {
      fault: `version ${version} needs Node 22 or later; install better-sqlite3@12 on this Node`,
    };
  if (isBefore13 && abortsOnFree)
    return {
      warning:
        `better-sqlite3 ${version}, when it was compiled for Node ${node}, can abort the process` +
        " as it frees a statement. Run: npm install better-sqlite3@13",
    };
  return {};
}
