import type { SqliteDatabase, SqliteStatement } from "./sqlite-database.ts";

/** The methods of a statement of `node:sqlite` that the storage calls. */
export interface NodeSqliteStatement {
  columns(): readonly unknown[];
  setReadBigInts(on: boolean): unknown;
  setReturnArrays(on: boolean): unknown;
  all(...parameters: never[]): unknown[];
  get(...parameters: never[]): unknown;
  run(...parameters: never[]): { readonly changes: number | bigint };
}

/** The storage calls these methods of a `DatabaseSync` of `node:sqlite` (Node 22.16 and later). */
export interface NodeSqliteDatabase {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): NodeSqliteStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

/** Gives a database of `node:sqlite` the methods of better-sqlite3. */
export function fromNodeSqlite(database: NodeSqliteDatabase): SqliteDatabase {
  const prepare = (sql: string): SqliteStatement => fromNodeStatement(database.prepare(sql));

  return {
    // A closed database throws when it is asked for its transaction.
    get inTransaction() {
      return database.isOpen && database.isTransaction;
    },
    prepare,
    exec: (sql) => database.exec(sql),
    pragma(source, { simple = false } = {}) {
      const statement = prepare(`pragma ${source}`);
      return simple ? statement.pluck().get() : statement.all();
    },
    close: () => database.close(),
  };
}

function fromNodeStatement(statement: NodeSqliteStatement): SqliteStatement {
  let isPlucked = false;
  const firstColumn = (row: unknown): unknown => (Array.isArray(row) ? row[0] : undefined);

  return {
    reader: statement.columns().length > 0,
    all(...parameters) {
      const rows = statement.all(...(parameters as never[]));
      return isPlucked ? rows.map(firstColumn) : rows;
    },
    get(...parameters) {
      const row = statement.get(...(parameters as never[]));
      return isPlucked ? firstColumn(row) : row;
    },
    run(...parameters) {
      const { changes } = statement.run(...(parameters as never[]));
      return { changes: Number(changes) };
    },
    pluck() {
      isPlucked = true;
      statement.setReturnArrays(true);
      return this;
    },
    safeIntegers: (on) => statement.setReadBigInts(on),
  };
}
