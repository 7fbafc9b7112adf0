import { join } from "node:path";
import pg from "pg";
import type { onTestFinished } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../demo.ts";
import { postgresSocketUrl } from "../postgres-url.ts";
import type { CrashJob } from "./job.ts";

export interface CrashDatabase extends Pick<CrashJob, "database" | "schema"> {
  readonly storage: Storage;
}

type Finish = Parameters<typeof onTestFinished>[0];

/** The databases that several processes can open. `finish` takes what runs after the test. */
export const crashDatabases: readonly (readonly [
  name: string,
  open: (finish: (work: Finish) => void) => Promise<CrashDatabase>,
])[] = [
  [
    "sqlite",
    async () => {
      const database = join(freshFolder(), "shop.sqlite");
      return { database, schema: "", storage: sqliteStorage(database) };
    },
  ],
  [
    "postgres",
    async (finish) => {
      const database = await postgresSocketUrl();
      const schema = `crash_${process.pid}_${Math.floor(performance.now())}`;
      const pool = new pg.Pool({ connectionString: database, max: 4 });
      finish(() => pool.end());
      return {
        database,
        schema,
        storage: postgresStorage(pool, { schema, acquireTimeoutMs: 60_000 }),
      };
    },
  ],
];
