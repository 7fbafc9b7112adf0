import type { SqliteDatabase } from "./sqlite/sqlite-database.ts";

/** Removes the bytes of erased rows that the write-ahead log still has. */
export interface ErasedBytes {
  /** Notes that rows were erased, so that the log holds earlier forms of them. */
  note(): void;
  /**
   * Copies the log into the file and cuts it to nothing. Gives false while a reader of another
   * connection keeps erased rows in it.
   */
  remove(): Promise<boolean>;
}

const tries = 10;
const pauseMs = 50;

/**
 * SQLite overwrites what is deleted in the file where `secure_delete` is on. Its log keeps the
 * pages as earlier commits wrote them until it is begun anew.
 */
export function createErasedBytes(database: SqliteDatabase): ErasedBytes {
  let isPending = false;

  const cutLog = (): boolean => {
    // A transaction of the host's own runs on this handle.
    if (database.inTransaction) return false;

    const [row] = database.pragma("wal_checkpoint(TRUNCATE)") as readonly { busy: number }[];
    return row?.busy === 0;
  };
  const tryCut = (): boolean => {
    try {
      return cutLog();
    } catch {
      // Another process writes at this moment.
      return false;
    }
  };

  return {
    note() {
      isPending = true;
    },
    async remove() {
      for (let count = 0; count < tries; count += 1) {
        if (tryCut()) {
          isPending = false;
          return true;
        }
        // Without an erasure nothing hurries: the next run comes by again.
        if (!isPending) return true;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      return false;
    },
  };
}
