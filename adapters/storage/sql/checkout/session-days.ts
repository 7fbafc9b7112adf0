import { startOfDay } from "#core/rules/checkout/session-day.ts";
import type { SessionRecord } from "#core/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one, type QueryGenerator } from "../engine/queries.ts";

/**
 * Counts one more session on the day of its creation. It gives false, and counts
 * nothing, when the store has as many as it may have. The count's row stays locked
 * until the commit, so that no other process counts beside it.
 */
export function* countSession(
  { db }: SqlEngine,
  session: SessionRecord,
  max_per_day: number | null,
): QueryGenerator<boolean> {
  if (max_per_day === null) return true;

  const day = startOfDay(session.created_at);
  const counted = yield* one(
    db
      .insertInto("session_days")
      .values({ ...partitionColumns(session), day, sessions: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["store_id", "livemode", "day"])
          .doUpdateSet((eb) => ({ sessions: eb("session_days.sessions", "+", 1) }))
          .where("session_days.sessions", "<", max_per_day),
      )
      .returning("sessions"),
  );
  return counted !== undefined;
}
