import { statfs } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { isApiError } from "#core/contract/errors.ts";
import type { WriteRefusal } from "#core/storage/reads/gauges-store.ts";
import { judgeDriver, remedyFor } from "../../../../storage/sqlite-driver.ts";
import { type Check, type Finding, found } from "./check.ts";

/** The clocks may differ by this much. */
const mostSkewMs = 1_000;

const needsFile = "is for SQLite: it needs the path of the file as `database` of the configuration";

const refusals: Readonly<Record<WriteRefusal, Finding>> = {
  read_only: {
    fault: "The database takes no writes: it is read-only.",
    mend:
      "Connect to the primary, not to a replica, and take default_transaction_read_only off. On" +
      " SQLite, let the folder be written, and start the host again after the file was replaced.",
  },
  disk_full: {
    fault: "The database takes no writes: its disk is full.",
    mend: "Make room: sales go on by themselves then.",
  },
};

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
      const { schema, misplaced } = await host.parts.storage.gauges.readiness();
      if (misplaced)
        return found(
          true,
          `The tables are ${misplaced.replace("_", " ")}, and the storage's options differ.`,
          'Give postgresStorage `distribute: "citus"` for distributed tables, for others nothing.',
        );
      if (!schema) return "needs a storage that has a schema";
      // The plan refuses what a host is refused at its start.
      const refusal = await host.storefront.migrate({ dryRun: true }).then(
        () => null,
        (error: unknown) => {
          if (isApiError(error) && error.code === "invalid_option") return error.message;
          throw error;
        },
      );
      if (refusal !== null)
        return found(
          true,
          refusal,
          "The host does not start so: docs/operations.md#rights and docs/upgrading.md say why.",
        );
      const { found: at, known } = schema;
      return found(
        at < known,
        `The schema is at migration ${at}, and this version needs ${known}.`,
        "Run: vitrine migrate",
      );
    },
  },
  {
    name: "writes",
    async run({ host }) {
      const { write_refusal: refusal } = await host.parts.storage.gauges.readiness();
      return refusal === null ? [] : [refusals[refusal]];
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
