import pg from "pg";
import { afterAll } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "./open-sqlite.ts";
import { postgresSocketUrl } from "./postgres-url.ts";

interface Database {
  readonly storage: Storage;
  /** Runs a statement of the test's own. */
  run(text: string): Promise<void>;
}

/**
 * Opens SQLite and PostgreSQL so that a test file can change what is stored, as an older
 * version would have left it. The schema is dropped when the tests of the file end.
 */
export async function databasesBySql(name: string) {
  const schema = `${name}_${process.pid}`;
  const pool = new pg.Pool({
    connectionString: await postgresSocketUrl(),
    max: 8,
    options: `-c search_path=${schema},public`,
  });
  afterAll(async () => {
    await pool.query(`drop schema if exists "${schema}" cascade`);
    await pool.end();
  });

  const open = {
    sqlite(): Database {
      const database = openSqlite(":memory:");
      return {
        storage: sqliteStorage(database),
        run: async (text) => void database.exec(text),
      };
    },
    postgres: (): Database => ({
      storage: postgresStorage(pool, { schema }),
      run: async (text) => void (await pool.query(text)),
    }),
  };
  return { schema, pool, open };
}
