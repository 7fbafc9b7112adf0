import type { Compilable, RawBuilder } from "kysely";
import { many, prepareEach, type QueryGenerator } from "./queries.ts";

/**
 * Gives the number of rows of the next insert. Only a few different numbers occur,
 * because a connection keeps a prepared statement for each of them.
 */
const rowsOfNext = (left: number): number => (left >= 64 ? 64 : Math.min(left, 16));

type RowParams<Row> = { readonly [Column in keyof Row]: RawBuilder<Row[Column]> };

/**
 * Prepares the insert of any number of rows as lists of values. Citus sends such an
 * insert to the shard as it is, if all rows are of one shard. It plans an insert that
 * selects at each run, and for each shard that the table has.
 */
export function rowsInserter<Row extends object>(
  columns: readonly (keyof Row & string)[],
  build: (rows: readonly RowParams<Row>[]) => Compilable,
): (rows: readonly Row[]) => QueryGenerator<void> {
  const insert = prepareEach(
    (count: number) => count,
    (count, param) =>
      build(
        Array.from(
          { length: count },
          (_, index) =>
            Object.fromEntries(
              columns.map((column) => [column, param(`${column}${index}`)]),
            ) as RowParams<Row>,
        ),
      ),
  );

  return function* insertRows(rows) {
    let start = 0;
    while (start < rows.length) {
      const part = rows.slice(start, start + rowsOfNext(rows.length - start));
      start += part.length;

      const values: Record<string, unknown> = {};
      for (const [index, row] of part.entries())
        for (const column of columns) values[`${column}${index}`] = row[column];
      yield* many(insert(part.length, values));
    }
  };
}
