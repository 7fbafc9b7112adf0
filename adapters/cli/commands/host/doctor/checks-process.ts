import { statfs } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { judgeDriver, remedyFor } from "../../../../storage/sqlite-driver.ts";
import { type Check, found } from "./check.ts";

/** The clocks may differ by this much. */
const mostSkewMs = 1_000;

const needsFile = "is for SQLite: it needs the path of the file as `database` of the configuration";

/** Looks at this process, its packages, the clock and the disk. */
export const processChecks: readonly Check[] = [
  {
    name: "node",
    async run() {
      const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
      const isOld = major < 20 || (major === 20 && minor < 19);
      return found(isOld, `Node ${process.version} is too old.`, "Use Node 22 or later.");
    },
  },
  {
    name: "driver",
    async run({ host }) {
      if (!isPath(host.database)) return needsFile;
      const version = installedVersion(host.file, "better-sqlite3");
      const fault = version === null ? null : judgeDriver(version, process.versions);
      return found(fault !== null, `${fault}.`, `Run: ${remedyFor(version, process.versions)}`);
    },
  },
  {
    name: "schema",
    async run({ host }) {
      const { schema } = await host.parts.storage.gauges.readiness();
      if (!schema) return "needs a storage that has a schema";
      const { found: at, known } = schema;
      return found(
        at < known,
        `The schema is at migration ${at}, and this version needs ${known}.`,
        "Run: vitrine migrate",
      );
    },
  },
  {
    name: "clock",
    async run({ host, now }) {
      const { clock } = await host.parts.storage.gauges.readiness();
      const skew = Math.round(host.parts.now() - (clock ?? now()));
      const other = clock === null ? "this machine's" : "the database's";
      return found(
        Math.abs(skew) > mostSkewMs,
        `The host's clock differs by ${skew} ms from ${other}.`,
        "Let both machines take their time from NTP, and leave the option `now` to tests.",
      );
    },
  },
  {
    name: "settings",
    async run({ host }) {
      const { findRisks } = host.parts.storage;
      if (!findRisks) return "needs PostgreSQL: the other storages have no such settings";
      const mend =
        "Set it for the role or the database, or by an option of the pool or the storage:" +
        " docs/operations.md has the table.";
      return (await findRisks()).map((fault) => ({ fault, mend }));
    },
  },
  {
    name: "disk",
    async run({ host, leastFreeMib }) {
      if (!isPath(host.database)) return needsFile;
      const folder = dirname(resolve(dirname(host.file), host.database));
      const { bavail, bsize } = await statfs(folder);
      const free = Math.floor((bavail * bsize) / 1_048_576);
      return found(
        free < leastFreeMib,
        `${folder} has ${free} MiB left.`,
        "Make room: SQLite refuses every write on a full disk.",
      );
    },
  },
];

const isPath = (database: unknown): database is string =>
  typeof database === "string" && database !== ":memory:";

function installedVersion(file: string, name: string): string | null {
  try {
    const { version } = createRequire(file)(`${name}/package.json`) as { version: string };
    return version;
  } catch {
    return null;
  }
}
