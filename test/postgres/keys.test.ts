import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { postgresUrl } from "../support/postgres-url.ts";

const databaseUrl = await postgresUrl();

/** Tables and keys that span stores on purpose. */
const global: Readonly<Record<string, string>> = {
  stores: "is the list of stores",
  rate_buckets: "a bucket's name holds its store",
  migrations: "belongs to the database",
  migration_steps: "belongs to the database",
};
const spanning: Readonly<Record<string, string>> = {
  api_keys_pkey: "a key's hash is looked up before its store is known",
};

describe("the schema can be distributed by store", () => {
  const schema = `keys${process.pid}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  beforeAll(() => postgresStorage(pool, { schema }).migrate());
  afterAll(async () => {
    await pool.query(`drop schema ${schema} cascade`);
    await pool.end();
  });
  const keys = async (): Promise<
    readonly { table: string; key: string; columns: readonly string[] }[]
  > => {
    const { rows } = await pool.query(
      `select c.relname as "table", i.relname as key, array(
         select a.attname::text from unnest(x.indkey) with ordinality as k(attnum, place) join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum order by k.place
       ) as columns
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and (x.indisprimary or x.indisunique) order by 1, 2`,
      [schema],
    );
    return rows;
  };

  test("every primary and unique key of a partitioned table begins with store_id", async () => {
    const found = await keys();
    expect(found.length).toBeGreaterThan(20);
    const odd = found.filter(
      ({ table, key, columns }) =>
        !(table in global) && !(key in spanning) && columns[0] !== "store_id",
    );
    expect(odd).toEqual([]);
    const exceptions = found
      .filter(({ table, key }) => table in global || key in spanning)
      .map(({ key }) => key);
    // An exception that no key needs must be removed.
    expect(Object.keys(spanning).filter((key) => !exceptions.includes(key))).toEqual([]);
  });

  test("every table but the list of stores, the buckets and the migrations has a store_id and a primary key", async () => {
    const { rows } = await pool.query(
      `select t.table_name as "table", exists (select 1 from information_schema.columns c where c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'store_id' and c.is_nullable = 'NO') as partitioned
       from information_schema.tables t where t.table_schema = $1 and t.table_type = 'BASE TABLE'`,
      [schema],
    );
    expect(rows.filter(({ table, partitioned }) => partitioned !== !(table in global))).toEqual([]);
    const { rows: keyless } = await pool.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'
       and not exists (select 1 from pg_index x where x.indrelid = c.oid and x.indisprimary)`,
      [schema],
    );
    expect(keyless).toEqual([]);
  });

  test("no foreign key, trigger or sequence ties rows of two stores together", async () => {
    const { rows } = await pool.query(
      `select conname from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname = $1 and contype = 'f'
       union all select sequence_name from information_schema.sequences where sequence_schema = $1
       union all select trigger_name from information_schema.triggers where trigger_schema = $1`,
      [schema],
    );
    expect(rows).toEqual([]);
  });

  test("ids and slugs sort by bytes whatever the database's collation", async () => {
    const { rows } = await pool.query(
      `select table_name, column_name from information_schema.columns where table_schema = $1 and data_type = 'text' and collation_name is distinct from 'C'
       and (column_name in ('id', 'slug', 'store_id', 'event_id', 'endpoint_id', 'product_id', 'category_id', 'customer_id', 'order_id'))`,
      [schema],
    );
    expect(rows).toEqual([]);
  });
});
