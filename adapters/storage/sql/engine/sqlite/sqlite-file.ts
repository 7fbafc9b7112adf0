import { statSync } from "node:fs";
import type { SqliteDatabase } from "./sqlite-database.ts";

/**
 * Makes a check that throws when the path of the database no longer leads to the open file. SQLite
 * itself checks this only without a WAL. With a WAL, it keeps writing into a file that nobody can
 * open again, and gives no error.
 */
export function createFileCheck(database: SqliteDatabase): () => void {
  const databases = database.pragma("database_list") as readonly {
    readonly name: string;
    readonly file: string | null;
  }[];
  const path = databases.find(({ name }) => name === "main")?.file;
  const opened = path ? fileAt(path) : null;

  return () => {
    if (path && opened !== null && fileAt(path) !== opened)
      throw Object.assign(
        new Error(
          `The SQLite file ${path} was moved, replaced or deleted while it was open:` +
            " bring it back, or restart the process.",
        ),
        { code: "SQLITE_READONLY_DBMOVED" },
      );
  };
}

/** Names a file by its device and its number on it, as SQLite does. */
function fileAt(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
