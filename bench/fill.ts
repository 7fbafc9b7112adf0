import Database from "better-sqlite3";
import pg from "pg";

/** A column of a table. Its type is `text`, or a type of numbers. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The database makes rows from a series of numbers, a hundred thousand of them in seconds. */
export interface Fill {
  exec(text: string): Promise<void>;
  /** Inserts many rows. PostgreSQL builds the indexes afterwards. */
  bulk(work: () => Promise<void>): Promise<void>;
  /** Gives a table expression with one column `n`, which counts from `from` to `to`. */
  series(from: number, to: number): string;
  /** Gives the columns of a table with their types. */
  columns(table: string): Promise<readonly Column[]>;
  /** Gives a number as text of `length` digits. */
  pad(expression: string, length: number): string;
  /** Collects the statistics that a database in use has. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

export async function postgresFill(url: string): Promise<Fill> {
  const client = new pg.Client(url);
  await client.connect();
  // The rows of the bench need not survive a crash.
  await client.query("set synchronous_commit = off");
  return {
    exec: async (text) => void (await client.query(text)),
    async bulk(work) {
      const { rows } = await client.query(
        `select indexname, indexdef from pg_indexes where schemaname = current_schema()
         and not exists (
           select 1 from pg_constraint c
           where c.conname = indexname and c.connamespace = current_schema()::regnamespace
         )`,
      );
      for (const { indexname } of rows) await client.query(`drop index "${indexname}"`);
      await work();
      for (const { indexdef } of rows) await client.query(indexdef);
    },
    async columns(table) {
      const { rows } = await client.query(
        `select column_name as name, data_type as type from information_schema.columns
         where table_schema = current_schema() and table_name = '${table}'`,
      );
      return rows;
    },
    series: (from, to) => `generate_series(${from}, ${to}) as n`,
    pad: (expression, length) => `lpad((${expression})::text, ${length}, '0')`,
    analyze: async () => void (await client.query("vacuum analyze")),
    close: () => client.end(),
  };
}

export function sqliteFill(file: string): Fill {
  const database = new Database(file);
  // Both hold for this handle alone. With a small cache, a bulk writes its pages again and again.
  database.pragma("synchronous = off");
  database.pragma("cache_size = -6000000");
  return {
    exec: async (text) => void database.exec(text),
    async bulk(work) {
      database.exec("begin");
      await work();
      database.exec("commit");
    },
    columns: async (table) =>
      database.prepare(`select name, type from pragma_table_info('${table}')`).all() as Column[],
    series: (from, to) =>
      `(with recursive s(n) as (
          select ${from} union all select n + 1 from s where n < ${to}
        ) select n from s) as s`,
    pad: (expression, length) => `printf('%0${length}d', ${expression})`,
    analyze: async () => void database.exec("analyze; pragma wal_checkpoint(truncate)"),
    close: async () => void database.close(),
  };
}
