import { createRequire } from "node:module";
import { fail } from "../../src/contract/errors.ts";
import type { SqliteDatabase } from "./sql/engine/sqlite-engine.ts";

interface Versions {
  readonly node: string;
  readonly napi?: string | undefined;
}

/** The better-sqlite3 that is installed. Throws `invalid_option` with the command to run when none that works here is. */
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

/** How a version of better-sqlite3 goes with a Node: 13 needs N-API 10, and what is freed by 12 has to be known to Node since 24.19. */
export function judgeDriver(
  version: string,
  { node, napi }: Versions,
): { readonly fault?: string; readonly warning?: string } {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isOld = Number.parseInt(version, 10) < 13;
  if (!isOld && Number(napi ?? 0) < 10)
    return {
      fault: `version ${version} needs Node 22 or later; install better-sqlite3@12 on this Node`,
    };
  if (isOld && (major > 24 || (major === 24 && minor >= 19)))
    return {
      warning: `better-sqlite3 ${version}, when it was compiled for Node ${node}, can abort the process as it frees a statement. Run: npm install better-sqlite3@13`,
    };
  return {};
}
