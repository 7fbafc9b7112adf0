import type { SqliteDatabase } from "../../adapters/storage/sql/engine/sqlite-database.ts";
import { loadDriver } from "../../adapters/storage/sqlite-driver.ts";

/** Opens a database with the driver that `sqliteStorage(path)` uses on this machine. */
export function openSqlite(path: string): SqliteDatabase {
  const database = loadDriver()(path);
  database.pragma("busy_timeout = 100");
  return database;
}
