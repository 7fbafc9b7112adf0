import { type CompiledQuery, sql } from "kysely";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { prepareRaw } from "../engine/queries.ts";
import type { Database } from "../schema/dialect.ts";
import { functionNames } from "../schema/function-names.ts";
import { keyAndSessionInsert, type RowValues } from "./keys.ts";

/** Inserts key and session and gives a row, or does neither when the key is known. */
type InsertBoth = (values: RowValues) => CompiledQuery;

export const bothInserter = (engine: SqlEngine): InsertBoth =>
  algorithms[engine.dialect.database](engine.db);

/** Citus does not plan a statement that writes two distributed tables: a function does it. */
function inserterOnCitus(db: Db): InsertBoth {
  const insert = prepareRaw(
    db,
    (param) => sql`
      select *
      from ${sql.table(functionNames.createSession)}(${param("store_id")}, ${param("row")})`,
  );
  return (values) => insert({ store_id: values.store_id, row: JSON.stringify(values) });
}

const algorithms = {
  sqlite: keyAndSessionInsert,
  postgres: keyAndSessionInsert,
  citus: inserterOnCitus,
} as const satisfies Record<Database, (db: Db) => InsertBoth>;
