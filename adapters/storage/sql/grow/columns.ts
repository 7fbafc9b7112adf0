import type { QueryGenerator } from "../engine/queries.ts";
import { run } from "../migrate/migrate.ts";

export interface TableColumns {
  /** Every column, quoted. */
  readonly all: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly keys: readonly { readonly name: string; readonly type: string }[];
}

/** Reads the columns of a table, as SQL names it. */
export function* readColumns(table: string): QueryGenerator<TableColumns> {
  const rows = yield* run<{ readonly name: string; readonly type: string; readonly place: string }>(
    `select quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
        coalesce(array_position(i.indkey::int2[], a.attnum), -1)::text as place
      from pg_attribute as a
      join pg_index as i on i.indrelid = a.attrelid and i.indisprimary
      where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
      order by a.attnum`,
    [table],
  );
  const keys = rows
    .filter(({ place }) => Number(place) >= 0)
    .sort((a, b) => Number(a.place) - Number(b.place));
  return { all: rows.map(({ name }) => name), keys };
}
