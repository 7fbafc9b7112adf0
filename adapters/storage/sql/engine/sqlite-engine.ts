import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { sqlite } from "../schema/dialect.sqlite.ts";
import { type Naming, namingPlugin } from "../schema/names.ts";
import type { Db, SqlEngine } from "./engine.ts";
import type { TextRowQuery, TextRows } from "./queries.ts";
import { retried, unavailableOr } from "./retry.ts";
import { sharedReads } from "./shared-reads.ts";
import { createExecute, runSync, type SqliteDatabase } from "./sqlite-database.ts";
import { sqliteWrites } from "./sqlite-writes.ts";

export interface SqliteEngineOptions {
  readonly naming: Naming;
  /** The handle is used by this engine alone, so that its settings may be changed. */
  readonly ownsHandle: boolean;
}

/** Runs each unit of work in one synchronous turn: nothing can come between its statements. */
export function sqliteEngine(
  database: SqliteDatabase,
  { naming, ownsHandle }: SqliteEngineOptions,
): SqlEngine {
  const db: Db = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new SqliteIntrospector(instance),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [namingPlugin(naming)],
  });
  const execute = createExecute(database);
  const writes = sqliteWrites({ database, execute, ownsHandle });

  const readTextRows = async (query: TextRowQuery): Promise<TextRows> => {
    try {
      return execute(query) as TextRows; // the statement gives its first column alone
    } catch (error) {
      return unavailableOr(error);
    }
  };

  return {
    db,
    dialect: sqlite,
    write: (work) => retried(() => writes.write(work)),
    writeRelaxed: (work) => retried(() => writes.writeRelaxed(work)),
    readTextRows,
    readSharedTextRows: sharedReads((query, onBegin) => {
      onBegin();
      return readTextRows(query);
    }),
    async read(work) {
      try {
        return runSync(execute, work());
      } catch (error) {
        return unavailableOr(error);
      }
    },
  };
}
