import { type RawBuilder, sql } from "kysely";
import { hourMs } from "#core/domain/durations.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { listedFields } from "../schema/json-fields.ts";

/** Gives expressions over `checkout_sessions` for the time of creation and for its hour. */
export function createdHour(database: SqlDialect["name"]): {
  readonly created_at: RawBuilder<number>;
  readonly hour: RawBuilder<number>;
} {
  const created_at = sql.raw<number>(listedFields(database).created_at);
  const length = sql.lit(hourMs);
  // A division of whole numbers drops the remainder.
  return { created_at, hour: sql<number>`(${created_at} / ${length}) * ${length}` };
}
