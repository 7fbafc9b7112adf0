import type { OrderRecord } from "../../../../src/rules/records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { insertOrderOnCitus } from "./insert-order.citus.ts";
import { insertOrderOnPostgres } from "./insert-order.postgres.ts";
import { insertOrderOnSqlite } from "./insert-order.sqlite.ts";

const algorithms = { postgres: insertOrderOnPostgres, sqlite: insertOrderOnSqlite } as const;

/** Writes a new order with the terms that find it. */
export const insertOrderStep = (
  engine: SqlEngine,
): ((order: OrderRecord) => QueryGenerator<void>) =>
  engine.dialect.isDistributed
    ? insertOrderOnCitus(engine)
    : algorithms[engine.dialect.name](engine);
