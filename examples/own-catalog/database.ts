/** A statement whose rows are of the type `Row`. */
export interface Statement<Row> {
  get(...values: unknown[]): Row | undefined;
  all(...values: unknown[]): Row[];
  run(...values: unknown[]): unknown;
}

/** The shop calls this of its database. better-sqlite3 and `node:sqlite` both have it. */
export interface Database {
  exec(sql: string): unknown;
  prepare<Row>(sql: string): Statement<Row>;
}

type Open = new (path: string) => Database;

/** Opens the shop's own database: Node's SQLite, or better-sqlite3 on a Node without it. */
export async function openDatabase(path: string): Promise<Database> {
  const builtIn = process.getBuiltinModule?.("node:sqlite" as string);
  if (builtIn) return new (builtIn as { readonly DatabaseSync: Open }).DatabaseSync(path);

  const { default: BetterSqlite } = await import("better-sqlite3");
  return new (BetterSqlite as unknown as Open)(path);
}

/** Runs `work` in one transaction, which `work` undoes when it throws. */
export function inTransaction(database: Database, work: () => void): void {
  database.exec("begin immediate");
  try {
    work();
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}
