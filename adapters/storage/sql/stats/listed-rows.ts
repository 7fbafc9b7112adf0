import { type RawBuilder, sql } from "kysely";
import type { SqlDialect } from "../schema/dialect.ts";

type Expression = RawBuilder<unknown>;

/** Gathers an array of values for each row into one JSON text. */
const gathered: Readonly<Record<SqlDialect["name"], (values: Expression) => Expression>> = {
  postgres: (values) => sql`cast(coalesce(json_agg(json_build_array(${values})), '[]') as text)`,
  sqlite: (values) => sql`json_group_array(json_array(${values}))`,
};

/**
 * Selects the rows of a query as one JSON text: an array with an array of these columns
 * for each row. One text is read three times as fast as hundreds of rows.
 */
export const listedRows = (
  database: SqlDialect["name"],
  rows: Expression,
  columns: readonly string[],
): RawBuilder<{ readonly listed: string }> => {
  const values = sql.join(columns.map((column) => sql.ref(column)));
  return sql`select ${gathered[database](values)} as listed from (${rows}) as found`;
};
