import { foundPerson } from "#core/rules/owner/people.ts";
import { lockStore } from "../access/lock-store.ts";
import { peoplePattern, personRow, sessionOf } from "../dashboard/dashboard-sessions.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one } from "../engine/queries.ts";
import type { RecordRows } from "./record-rows.ts";

/**
 * Keeps the people of the dashboard, each in a row of its sessions. The lock is that of the
 * steps that make and end sessions, so that nobody is changed who ends at the same time.
 */
export const personRows = (engine: SqlEngine): RecordRows<"person"> => ({
  *load(subject) {
    const { store_id } = subject;
    const store = yield* one(lockStore(engine, store_id));
    const rows = yield* many(
      engine.db
        .selectFrom("dashboard_sessions")
        .selectAll()
        .where("store_id", "=", store_id)
        .where("session_hash", "like", peoplePattern),
    );
    return foundPerson(rows.map(sessionOf), subject, store !== undefined);
  },
  *put(person) {
    // Citus refuses to set the column by which rows are placed, also to the value that it has.
    const { store_id, session_hash, ...row } = personRow(person);
    yield* many(
      engine.db
        .insertInto("dashboard_sessions")
        .values({ store_id, session_hash, ...row })
        .onConflict((conflict) => conflict.columns(["store_id", "session_hash"]).doUpdateSet(row)),
    );
    return true;
  },
});
