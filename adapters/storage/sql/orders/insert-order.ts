import type { OrderRecord } from "../../../../src/rules/records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { insertOrderOnCitus } from "./insert-order.citus.ts";
import { insertOrderOnSqlite } from "./insert-order.sqlite.ts";

/**
 * Writes a new order with the terms that find it, one table after the other. Plain
 * PostgreSQL writes both in the statement of `writeRowsTogether`.
 */
export const insertOrderStep = (
  engine: SqlEngine,
): ((order: OrderRecord) => QueryGenerator<void>) =>
  engine.dialect.isDistributed ? insertOrderOnCitus(engine) : insertOrderOnSqlite(engine);
