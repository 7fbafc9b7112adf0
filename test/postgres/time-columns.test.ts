import { expect, test } from "vitest";
import { timeColumns } from "../../adapters/storage/sql/schema/time-columns.ts";
import { openPostgresOn } from "../support/storages.ts";

/** Names of columns that hold a time, wherever they stand. */
const isTime = (column: string): boolean =>
  /(_at|_until|_since|_due|_start|_before)$/.test(column) ||
  ["day", "hour", "until"].includes(column);

test("every column of a time says by which clock it goes", async () => {
  const { pool, schema } = await openPostgresOn({ max: 2 });
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
      where table_schema = $1 and data_type = 'bigint' order by 1, 2`,
    [schema],
  );
  const own = rows.filter(({ table_name }) => !/^migration/.test(table_name));
  const found = own
    .filter(({ column_name }) => isTime(column_name))
    .map(({ table_name, column_name }) => `${table_name}.${column_name}`);
  const listed = Object.entries(timeColumns).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  expect(listed.toSorted()).toEqual(found.toSorted());
});

test("the database refuses a clock that goes back, or beyond 400 days", async () => {
  const { pool, schema } = await openPostgresOn({ max: 2 });
  const put = (offset: number) =>
    pool.query(
      `insert into "${schema}".stores
        (id, slug, catalog_version, record, origins, return_urls, test_offset)
        values ('s', 's', 1, '{}', '[]', '[]', $1)`,
      [offset],
    );
  await expect(put(-1)).rejects.toThrow("check");
  await expect(put(400 * 86_400_000 + 1)).rejects.toThrow("check");
});
