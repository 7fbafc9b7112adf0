import type { SqlEngine } from "../engine/engine.ts";
import type { WriteRows } from "./step-rows.ts";
import { writeRowsOnPostgres } from "./write-rows.postgres.ts";
import { writeRowsOnSqlite } from "./write-rows.sqlite.ts";

const algorithms = { postgres: writeRowsOnPostgres, sqlite: writeRowsOnSqlite } as const;

export const writeRowsStep = (engine: SqlEngine): WriteRows =>
  algorithms[engine.dialect.name](engine);
