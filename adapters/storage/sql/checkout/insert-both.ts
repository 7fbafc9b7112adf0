import { type CompiledQuery, sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { prepareRaw } from "../engine/queries.ts";
import { functionNames } from "../schema/function-names.ts";
import { type DraftValues, keyAndSessionInsert } from "./keys.ts";

/** Inserts key and session and gives a row, or does neither when the key is known. */
type InsertBoth = (values: DraftValues) => CompiledQuery;

export const bothInserter = (engine: SqlEngine): InsertBoth =>
  engine.dialect.isDistributed ? inserterOnCitus(engine) : keyAndSessionInsert(engine.db);

/** Citus does not plan a statement that writes two distributed tables: a function does it. */
function inserterOnCitus({ db }: SqlEngine): InsertBoth {
  const insert = prepareRaw(
    db,
    (param) => sql`
      select *
      from ${sql.table(functionNames.createSession)}(${param("store_id")}, ${param("row")})`,
  );
  return (values) => insert({ store_id: values.store_id, row: JSON.stringify(values) });
}
