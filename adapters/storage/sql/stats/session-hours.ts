import { type RawBuilder, sql } from "kysely";
import { hourMs } from "../../../../src/rules/stats.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { listedFields } from "../schema/json-fields.ts";

/** When a session was created, and the hour of it: expressions over `checkout_sessions`. */
export function createdHour(database: SqlDialect["name"]): {
  readonly created_at: RawBuilder<number>;
  readonly hour: RawBuilder<number>;
} {
  const created_at = sql.raw<number>(listedFields(database).created_at);
  const length = sql.lit(hourMs);
  // Whole numbers are divided without a rest.
  return { created_at, hour: sql<number>`(${created_at} / ${length}) * ${length}` };
}
