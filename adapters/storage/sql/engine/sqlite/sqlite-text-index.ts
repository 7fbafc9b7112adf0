import { textIndex, textIndexTable } from "../../schema/migrations/0001-0010/0002-search-index.ts";
import type { Naming } from "../../schema/names.ts";
import { isSqlRefused } from "../failures.ts";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-database.ts";

/**
 * Tells whether this SQLite can keep the index of product search: it makes such an
 * index among the temporary tables and drops it. A SQLite that is built into the
 * system can be too old, or lack FTS5. It throws an error that is no answer, such
 * as a lock.
 */
export function canIndexText(database: SqliteDatabase): boolean {
  try {
    database.exec(`create virtual table temp.text_index_trial using ${textIndex}`);
  } catch (error) {
    if (isSqlRefused(error)) return false;
    throw error;
  }

  database.exec("drop table temp.text_index_trial");
  return true;
}

/**
 * Tells whether a database has the index. A database keeps what its first `migrate()`
 * chose, so that the index is looked for until it is found and never again.
 */
export function lookForTextIndex(database: SqliteDatabase, { prefix }: Naming): () => boolean {
  let statement: SqliteStatement | undefined;
  let isFound = false;

  return () => {
    if (isFound) return true;
    statement ??= database.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
    isFound = statement.get(prefix + textIndexTable) !== undefined;
    return isFound;
  };
}
