import { sqlite } from "../../schema/dialect.sqlite.ts";
import { type Naming, namesWith } from "../../schema/names.ts";
import type { SqlEngine } from "../engine.ts";
import { isTransient } from "../failures.ts";
import { sharedReads } from "../postgres/shared-reads.ts";
import type { TextRowQuery, TextRows } from "../queries.ts";
import { retried, unavailableOr } from "../retry.ts";
import { createErasedBytes } from "../sqlite-erased.ts";
import { readWhenFree } from "./busy-wait.ts";
import { createExecute, runSync, type SqliteDatabase } from "./sqlite-database.ts";
import { sqliteQueries } from "./sqlite-queries.ts";
import { lookForTextIndex } from "./sqlite-text-index.ts";
import { sqliteWrites } from "./sqlite-writes.ts";

export interface SqliteEngineOptions {
  readonly naming: Naming;
  /** The handle is used by this engine alone, so that its settings may be changed. */
  readonly ownsHandle: boolean;
}

/**
 * Runs each unit of work in one synchronous turn: nothing can come between its
 * statements.
 */
export function sqliteEngine(
  database: SqliteDatabase,
  { naming, ownsHandle }: SqliteEngineOptions,
): SqlEngine {
  const db = sqliteQueries(namesWith(naming));
  const execute = createExecute(database);
  const writes = sqliteWrites({ database, execute, ownsHandle });

  // The first try costs no promise of its own: there is hardly ever a second one.
  const read = async <T>(run: () => T): Promise<T> => {
    try {
      return run();
    } catch (error) {
      if (!isTransient(error)) return unavailableOr(error);
      return readWhenFree(run).catch(unavailableOr);
    }
  };
  const readTextRows = (query: TextRowQuery): Promise<TextRows> =>
    read(() => execute(query) as TextRows); // The statement gives its first column alone.

  return {
    db,
    dialect: sqlite,
    indexesText: lookForTextIndex(database, naming),
    erasedBytes: createErasedBytes(database),
    write: (work) => retried(() => writes.write(work)),
    writeRelaxed: (work) => retried(() => writes.writeRelaxed(work)),
    readTextRows,
    readSharedTextRows: sharedReads((query, onBegin) => {
      onBegin();
      return readTextRows(query);
    }),
    read: (work) => read(() => runSync(execute, work())),
  };
}
