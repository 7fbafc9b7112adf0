import { type Selectable, sql } from "kysely";
import { personChanged, sessionEnded } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
  PersonRecord,
} from "#core/rules/owner/dashboard-records.ts";
import { personOf, rowOfPerson } from "#core/rules/owner/people.ts";
import type { DashboardRef, SessionEnding } from "#core/storage/dashboard-store.ts";
import { lockStore } from "../access/lock-store.ts";
import { chunks } from "../catalog/owner/chunks.ts";
import { noteChange } from "../engine/audited-write.ts";
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
  session: SessionEnding,
): QueryGenerator<Written<boolean>> {
  const { db } = engine;
  const { store_id, hash, decide } = session;
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
  if (decide && !(yield* writeDecidedEnd(engine, { store_id, hash, decide })))
    return { result: false, change: null };

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

/** Writes who stays and which links end. Gives false when the decision is that nobody ends. */
function* writeDecidedEnd(
  engine: SqlEngine,
  { store_id, hash, decide }: Required<SessionEnding>,
): QueryGenerator<boolean> {
  const { db } = engine;
  const people = (yield* readPeopleRows(engine, store_id)).flatMap((row) => personOf(row) ?? []);
  const end = people.some(({ id }) => id === hash) ? decide(people) : null;
  if (!end) return false;

  for (const { person, author } of end.kept) {
    yield* putPerson(engine, person);
    const change = personChanged(people, person);
    if (author && change) yield* noteChange(engine, author, change);
  }
  const links = yield* many(
    db
      .selectFrom("dashboard_links")
      .selectAll()
      .where("store_id", "=", store_id)
      .where("made_in", "like", peoplePattern),
  );
  const ending = links.filter((row) => end.endsLink(withAccess(row)));
  for (const hashes of chunks(ending.map((row) => row.link_hash)))
    yield* many(
      db
        .deleteFrom("dashboard_links")
        .where("store_id", "=", store_id)
        .where("link_hash", "in", hashes),
    );
  return true;
}

/** Reads the rows of all people of a store. */
export function* readPeopleRows(
  { db }: SqlEngine,
  store_id: string,
): QueryGenerator<readonly DashboardSessionRecord[]> {
  const rows = yield* many(
    db
      .selectFrom("dashboard_sessions")
      .selectAll()
      .where("store_id", "=", store_id)
      .where("session_hash", "like", peoplePattern),
  );
  return rows.map(sessionOf);
}

/** Stores a person over the row with the same id. */
export function* putPerson({ db }: SqlEngine, person: PersonRecord): QueryGenerator<void> {
  // Citus refuses to set the column by which rows are placed, also to the value that it has.
  const { store_id, session_hash, ...row } = personRow(person);
  yield* many(
    db
      .insertInto("dashboard_sessions")
      .values({ store_id, session_hash, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "session_hash"]).doUpdateSet(row)),
  );
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
const personRow = (person: PersonRecord): SessionRow => {
  const { access, person: details, ...row } = rowOfPerson(person);
  return { ...row, access: JSON.stringify([access, details]) };
};
