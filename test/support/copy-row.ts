import type pg from "pg";

interface Copied {
  /** With its schema. */
  readonly table: string;
  /** Selects the row that is copied. */
  readonly where: string;
  /**
   * What is otherwise in each copy: names and values of `jsonb_build_object`. The copy's number is
   * `n`, from 1, and the row is `$1`.
   */
  readonly fields: string;
  readonly count: number;
}

/** Fills a table of PostgreSQL, or a distributed one, with copies of one of its rows. */
export async function copyRow(
  client: pg.Client | pg.Pool,
  { table, where, fields, count }: Copied,
): Promise<void> {
  const { rows } = await client.query(
    `select to_jsonb(o) as row from ${table} as o where ${where} limit 1`,
  );
  await client.query(
    `insert into ${table} select (jsonb_populate_record(
       null::${table}, $1::jsonb || jsonb_build_object(${fields}))).*
     from generate_series(1, ${count}) as n`,
    [JSON.stringify(rows[0].row)],
  );
}
