import { expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);

// Both databases share the statement. The storage in memory keeps ids of notifications for ever.
test.each([
  ["gateway_notifications", "created_at", 30 * day],
  ["rate_buckets", "updated_at", day],
])("a purge deletes rows of %s by their %s after %d ms, and not before", async (...row) => {
  const [table, column, lifetimeMs] = row;
  const database = openSqlite(":memory:");
  const storage = sqliteStorage(database);
  await storage.migrate();

  const common =
    table === "rate_buckets"
      ? { bucket: "b", hits: "[]" }
      : { store_id: "str_a", livemode: 1, gateway: "g", notification_id: "n" };
  const values = { ...common, [column]: now };
  const names = Object.keys(values);
  database
    .prepare(`insert into ${table} (${names.join()}) values (${names.map(() => "?").join()})`)
    .run(...Object.values(values));

  expect(await storage.purge(now + lifetimeMs - 1, 100)).toBe(0);
  expect(await storage.purge(now + lifetimeMs, 100)).toBe(1);
  expect(await storage.purge(now + lifetimeMs, 100)).toBe(0);
});
