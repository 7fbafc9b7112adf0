import { sql } from "kysely";
import { linkCreated, linkEnded, linkSpent } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
} from "#core/rules/owner/dashboard-records.ts";
import type { DashboardLinkQuery, DashboardStore } from "#core/storage/dashboard-store.ts";
import { lockStore } from "../access/lock-store.ts";
import { auditedWrite } from "../engine/audited-write.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import {
  endSession,
  findSession,
  peoplePattern,
  sessionOf,
  withAccess,
} from "./dashboard-sessions.ts";

const maxSessions = 100;

/** Keeps the links to sign in by, and the sessions that they open. */
export function sqlDashboard(engine: SqlEngine): DashboardStore {
  const { db } = engine;

  return {
    ...linkMethods(engine),

    findSession: (session, now) => engine.read(() => findSession(engine, session, now)),

    listSessions: (store_id, now, of) =>
      engine.read(function* (): QueryGenerator<readonly DashboardSessionRecord[]> {
        const rows = yield* many(
          db
            .selectFrom("dashboard_sessions")
            .selectAll()
            .where("store_id", "=", store_id)
            .where("session_hash", of ? "like" : "not like", peoplePattern)
            .where("expires_at", ">", now)
            .orderBy("created_at", "desc")
            .orderBy("session_hash")
            .limit(maxSessions),
        );
        return rows.map(sessionOf);
      }),

    endSession: (session, author) =>
      auditedWrite(engine, { author }, () => endSession(engine, session)),

    takeForm: (form) =>
      engine.write(function* (): QueryGenerator<{ outcome: "taken" | "repeated" }> {
        const taken = yield* one(
          db
            .insertInto("dashboard_forms")
            .values(form)
            .onConflict((conflict) => conflict.columns(["store_id", "form_id"]).doNothing())
            .returning("form_id"),
        );
        return { outcome: taken ? "taken" : "repeated" };
      }),
  };
}

type LinkMethods = Pick<
  DashboardStore,
  "createLink" | "findLink" | "listLinks" | "endLink" | "spendLink"
>;

const linkMethods = (engine: SqlEngine): LinkMethods => ({
  createLink: (link, author) => auditedWrite(engine, { author }, () => createLink(engine, link)),

  findLink: ({ store_id, hash }, now) =>
    engine.read(function* (): QueryGenerator<DashboardLinkRecord | null> {
      const row = yield* one(
        engine.db
          .selectFrom("dashboard_links")
          .selectAll()
          .where("store_id", "=", store_id)
          .where("link_hash", "=", hash)
          .where("expires_at", ">", now),
      );
      return row ? withAccess(row) : null;
    }),

  listLinks: (query, now) => engine.read(() => listLinks(engine, query, now)),

  endLink: ({ store_id, hash }, now, author) =>
    auditedWrite(engine, { author }, function* () {
      const ended = yield* one(takeLink(engine, store_id, hash, now));
      return { result: ended !== undefined, change: ended ? linkEnded(withAccess(ended)) : null };
    }),

  spendLink: ({ store_id, hash }, { session_hash, expires_at }, now, author) =>
    auditedWrite(engine, { author }, function* (): QueryGenerator<
      Written<{ outcome: "opened"; session: DashboardSessionRecord } | { outcome: "unknown" }>
    > {
      // Waits for the end of the maker's session, which deletes the link or finds the session.
      yield* one(lockStore(engine, store_id));
      const link = yield* one(takeLink(engine, store_id, hash, now));
      if (!link) return { result: { outcome: "unknown" }, change: null };

      const { link_hash: _, ...pass } = link;
      const row = { ...pass, session_hash, created_at: now, expires_at };
      yield* many(engine.db.insertInto("dashboard_sessions").values(row));
      const session = withAccess(row);
      return { result: { outcome: "opened", session }, change: linkSpent(session) };
    }),
});

function* createLink(
  engine: SqlEngine,
  link: DashboardLinkRecord,
): QueryGenerator<Written<{ outcome: "created" | "unknown_store" | "unknown_session" }>> {
  const { store_id, made_in, created_at } = link;
  if (!(yield* one(lockStore(engine, store_id))))
    return { result: { outcome: "unknown_store" }, change: null };
  if (made_in !== null) {
    const maker = yield* findSession(engine, { store_id, hash: made_in }, created_at);
    if (!maker) return { result: { outcome: "unknown_session" }, change: null };
  }

  const row = { ...link, access: JSON.stringify(link.access) };
  yield* many(engine.db.insertInto("dashboard_links").values(row));
  return { result: { outcome: "created" }, change: linkCreated(link) };
}

/** Makes the query that deletes a link. Another call waits at the row, and then finds none. */
const takeLink = ({ db }: SqlEngine, store_id: string, hash: string, now: number) =>
  db
    .deleteFrom("dashboard_links")
    .where("store_id", "=", store_id)
    .where("link_hash", "=", hash)
    .where("expires_at", ">", now)
    .returningAll();

function* listLinks(
  { db }: SqlEngine,
  { store_id, after, limit }: DashboardLinkQuery,
  now: number,
): QueryGenerator<readonly DashboardLinkRecord[]> {
  let page = db
    .selectFrom("dashboard_links")
    .selectAll()
    .where("store_id", "=", store_id)
    .where("expires_at", ">", now);
  if (after !== undefined)
    page = page.where(
      sql<boolean>`(created_at < ${after.created_at}
        or (created_at = ${after.created_at} and link_hash > ${after.link_hash}))`,
    );
  const rows = yield* many(page.orderBy("created_at", "desc").orderBy("link_hash").limit(limit));
  return rows.map(withAccess);
}
