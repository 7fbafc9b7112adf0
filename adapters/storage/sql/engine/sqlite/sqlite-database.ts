import type { CompiledQuery } from "kysely";
import type { QueryGenerator } from "../queries.ts";

/** The parts of a prepared statement of better-sqlite3 that the storage calls. */
export interface SqliteStatement {
  /** True when the statement gives rows. */
  readonly reader: boolean;
  all(...parameters: unknown[]): unknown[];
  get(...parameters: unknown[]): unknown;
  /** Makes the statement give its first column alone. */
  pluck(): SqliteStatement;
  safeIntegers?(on: boolean): unknown;
  run(...parameters: unknown[]): { readonly changes: number };
}

/** The methods of better-sqlite3 that the storage calls. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(source: string, options?: { simple?: boolean }): unknown;
  close(): unknown;
}

/** Executes one compiled query and gives its rows. */
export type Execute = (query: CompiledQuery) => readonly unknown[];

const maxStatements = 1_000;

/** Keeps prepared statements; beyond `maxStatements`, the oldest one is dropped. */
export function createExecute(database: SqliteDatabase): Execute {
  const statements = new Map<string, SqliteStatement>();

  const prepare = (query: CompiledQuery): SqliteStatement => {
    const statement = database.prepare(query.sql);
    statement.safeIntegers?.(false); // The host's handle may give BigInts by default.
    if ("textRows" in query) statement.pluck();
    statements.set(query.sql, statement);

    if (statements.size > maxStatements) {
      const [oldest = query.sql] = statements.keys();
      statements.delete(oldest);
    }
    return statement;
  };

  return (query) => {
    const statement = statements.get(query.sql) ?? prepare(query);
    if (statement.reader) return statement.all(...query.parameters);

    const { changes } = statement.run(...query.parameters);
    return changes > 0 ? [{ changes }] : [];
  };
}

/** Runs a unit of work within this turn of the event loop. */
export function runSync<T>(execute: Execute, work: QueryGenerator<T>): T {
  let turn = work.next([]);
  while (!turn.done) turn = work.next(execute(turn.value));
  return turn.value;
}
