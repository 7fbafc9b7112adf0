import { foundPerson } from "#core/rules/owner/people.ts";
import { lockStore } from "../access/lock-store.ts";
import { putPerson, readPeopleRows } from "../dashboard/dashboard-sessions.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one } from "../engine/queries.ts";
import type { RecordRows } from "./record-rows.ts";

/**
 * Keeps the people of the dashboard, each in a row of its sessions. The lock is that of the
 * steps that make and end sessions, so that nobody is changed who ends at the same time.
 */
export const personRows = (engine: SqlEngine): RecordRows<"person"> => ({
  *load(subject) {
    const { store_id } = subject;
    const store = yield* one(lockStore(engine, store_id));
    return foundPerson(yield* readPeopleRows(engine, store_id), subject, store !== undefined);
  },
  *put(person) {
    yield* putPerson(engine, person);
    return true;
  },
});
