import { join } from "node:path";
import pg from "pg";
import type { TestContext } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../support/demo.ts";
import { postgresSocketUrl } from "../support/postgres-url.ts";

const databaseUrl = await postgresSocketUrl();

/** The databases that several processes share. `args` leads a worker to the one that is opened. */
export const databases: readonly (readonly [
  name: string,
  open: (context: TestContext) => { args: readonly string[]; storage: Storage },
])[] = [
  [
    "sqlite",
    () => {
      const file = join(freshFolder(), "shop.sqlite");
      return { args: ["sqlite", file, "-"], storage: sqliteStorage(file) };
    },
  ],
  [
    "postgres",
    ({ onTestFinished }) => {
      const schema = `c${process.pid}_${Math.floor(performance.now())}`;
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
      onTestFinished(() => pool.end());
      return {
        args: ["postgres", databaseUrl, schema],
        storage: postgresStorage(pool, { schema }),
      };
    },
  ],
];
