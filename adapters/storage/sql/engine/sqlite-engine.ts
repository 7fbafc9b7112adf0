import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { sqlite } from "../schema/dialect.ts";
import { type Naming, namingPlugin } from "../schema/names.ts";
import type { Db, SqlEngine } from "./engine.ts";
import { retried, unavailableOr } from "./retry.ts";
import { type Lines, sharedReads } from "./shared-reads.ts";
import { runSync, sqliteWrites } from "./sqlite-writes.ts";
import type { LineQuery, Step } from "./step.ts";

export interface SqliteStatement {
  /** True when it gives rows. */
  readonly reader: boolean;
  all(...parameters: unknown[]): unknown[];
  get(...parameters: unknown[]): unknown;
  /** Gives the first column alone. */
  pluck(): SqliteStatement;
  safeIntegers?(on: boolean): unknown;
  run(...parameters: unknown[]): { readonly changes: number };
}

/** The few methods of better-sqlite3 that are called. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(source: string, options?: { simple?: boolean }): unknown;
  close(): unknown;
}

const maxStatements = 1_000;

/** Runs each step in one synchronous turn, so that nothing can get between its statements. `own`: the handle is nobody else's. */
export function sqliteEngine(
  database: SqliteDatabase,
  naming: Naming,
  own: boolean,
): SqlEngine & { execute: Execute } {
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
  const writes = sqliteWrites(database, execute, own);
  const lines = async (query: LineQuery): Promise<Lines> => {
    try {
      return execute(query) as Lines; // the statement gives its first column alone
    } catch (error) {
      return unavailableOr(error);
    }
  };

  return {
    db,
    dialect: sqlite,
    execute,
    write: (step) => retried(() => writes.write(step)),
    writeLoosely: (step) => retried(() => writes.writeLoosely(step)),
    lines,
    sharedLines: sharedReads((query, begins) => {
      begins();
      return lines(query);
    }),
    async read<T>(step: () => Step<T>) {
      try {
        return runSync(execute, step());
      } catch (error) {
        return unavailableOr(error);
      }
    },
  };
}

export type Execute = (query: CompiledQuery) => readonly unknown[];

/** Prepared statements are kept, the least recently made go first. */
function createExecute(database: SqliteDatabase): Execute {
  const statements = new Map<string, SqliteStatement>();
  return (query) => {
    let statement = statements.get(query.sql);
    if (!statement) {
      statement = database.prepare(query.sql);
      statement.safeIntegers?.(false); // whatever the host's handle gives by default
      if ("lines" in query) statement.pluck();
      statements.set(query.sql, statement);
      if (statements.size > maxStatements)
        for (const oldest of statements.keys()) if (statements.delete(oldest)) break;
    }
    if (statement.reader) return statement.all(...query.parameters);
    const { changes } = statement.run(...query.parameters);
    return changes > 0 ? [{ changes }] : [];
  };
}
