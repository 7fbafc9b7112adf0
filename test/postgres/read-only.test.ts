import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";
import { postgresUrl } from "../support/postgres-url.ts";

describe("migrate() on an empty database that takes no writes says how to mend it", () => {
  const refused = {
    code: "invalid_option",
    details: { param: "storage" },
    message: expect.stringContaining("The database is read-only, and migrate() has to write"),
  };

  test("on SQLite", async () => {
    const handle = openSqlite(":memory:");
    onTestFinished(() => void handle.close());
    handle.pragma("query_only = on");
    await expect(sqliteStorage(handle).migrate()).rejects.toMatchObject(refused);
  });

  test("on PostgreSQL", async () => {
    const pool = new pg.Pool({
      connectionString: await postgresUrl(),
      options: "-c default_transaction_read_only=on",
    });
    onTestFinished(() => pool.end());
    const storage = postgresStorage(pool, { schema: "read_only_schema" });
    await expect(storage.migrate()).rejects.toMatchObject(refused);
  });
});
