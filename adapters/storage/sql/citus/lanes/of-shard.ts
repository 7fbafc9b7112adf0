import { type RawBuilder, sql } from "kysely";
import type { Param } from "../../engine/queries.ts";

/**
 * Ends a condition on a `store_id`. The parameter `stores` names stores of one
 * shard, so that the statement is one task of Citus. Every table of a statement
 * needs this condition.
 */
export const isOfShard = (param: Param): RawBuilder<unknown> =>
  sql`= any(cast(${param("stores")} as text[]))`;
