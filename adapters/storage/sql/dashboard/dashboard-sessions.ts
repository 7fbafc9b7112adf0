import { type Selectable, sql } from "kysely";
import { sessionEnded } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
  PersonRecord,
} from "#core/rules/owner/dashboard-records.ts";
import { rowOfPerson } from "#core/rules/owner/people.ts";
import type { DashboardRef } from "#core/storage/dashboard-store.ts";
import { lockStore } from "../access/lock-store.ts";
import { chunks } from "../catalog/owner/chunks.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

/** Reads a session. Gives null for one that is past its time. */
export function* findSession(
  { db }: SqlEngine,
  { store_id, hash }: DashboardRef,
  now: number,
): QueryGenerator<DashboardSessionRecord | null> {
  const row = yield* one(
    db
      .selectFrom("dashboard_sessions")
      .selectAll()
      .where("store_id", "=", store_id)
      .where("session_hash", "=", hash)
      .where("expires_at", ">", now),
  );
  return row ? sessionOf(row) : null;
}

/** Ends a session and whatever comes from it. Gives false when there is no such session. */
export function* endSession(
  engine: SqlEngine,
  session: DashboardRef,
): QueryGenerator<Written<boolean>> {
  const { db } = engine;
  const { store_id, hash } = session;
  // Links are made and spent under this lock, so that none slips through between the statements.
  yield* one(lockStore(engine, store_id));
  const known = yield* one(
    db
      .selectFrom("dashboard_sessions")
      .selectAll()
      .where("store_id", "=", store_id)
      .where("session_hash", "=", hash),
  );
  if (!known) return { result: false, change: null };

  for (const hashes of chunks(yield* chainOf(engine, session))) {
    yield* many(
      db
        .deleteFrom("dashboard_links")
        .where("store_id", "=", store_id)
        .where("made_in", "in", hashes),
    );
    yield* many(
      db
        .deleteFrom("dashboard_sessions")
        .where("store_id", "=", store_id)
        .where("session_hash", "in", hashes),
    );
  }
  return { result: true, change: sessionEnded(sessionOf(known)) };
}

/** Gives the hashes of a session, of the sessions that its links have opened, and so on. */
function* chainOf(
  { db }: SqlEngine,
  { store_id, hash }: DashboardRef,
): QueryGenerator<readonly string[]> {
  const sessions = sql.table("dashboard_sessions");
  const rows = yield* many(
    sql<{ hash: string }>`
      with recursive chain (hash) as (
        select s.session_hash from ${sessions} as s
        where s.store_id = ${store_id} and s.session_hash = ${hash}
        union
        select s.session_hash from ${sessions} as s join chain on s.made_in = chain.hash
        where s.store_id = ${store_id})
      select hash from chain`.compile(db),
  );
  return rows.map((row) => row.hash);
}

/** Reads the rights of a row. */
export const withAccess = <Row extends { readonly access: string }>(
  row: Row,
): Omit<Row, "access"> & Pick<DashboardLinkRecord, "access"> => ({
  ...row,
  access: fromJson<DashboardLinkRecord["access"]>(row.access),
});

/** The rows whose hash is the id of a person. */
export const peoplePattern = "psn_%";

type SessionRow = Selectable<Tables["dashboard_sessions"]>;

/**
 * Reads a session, or a person, whose `access` holds the rights and the details. A process of
 * an older version reads such a list as no right.
 */
export function sessionOf({ access, ...row }: SessionRow): DashboardSessionRecord {
  const stored = fromJson<DashboardSessionRecord["access"] | PersonColumn>(access);
  return isPersonColumn(stored)
    ? { ...row, access: stored[0], person: stored[1] }
    : { ...row, access: stored };
}

type Details = NonNullable<DashboardSessionRecord["person"]>;
type PersonColumn = readonly [access: DashboardSessionRecord["access"], person: Details];

const isPersonColumn = (
  stored: DashboardSessionRecord["access"] | PersonColumn,
): stored is PersonColumn => typeof stored !== "string" && typeof stored[1] === "object";

/** Gives the row of a person. */
export const personRow = (person: PersonRecord): SessionRow => {
  const { access, person: details, ...row } = rowOfPerson(person);
  return { ...row, access: JSON.stringify([access, details]) };
};
