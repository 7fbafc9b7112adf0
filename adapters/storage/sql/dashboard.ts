import { linkCreated, sessionEnded } from "../../../src/rules/audit-changes.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
} from "../../../src/rules/dashboard-records.ts";
import type { DashboardStore } from "../../../src/storage/dashboard-store.ts";
import { lockStore } from "./access/lock-store.ts";
import { fromJson } from "./engine/columns.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { noteChange } from "./engine/note-change.ts";
import { many, one, type QueryGenerator } from "./engine/queries.ts";

const maxSessions = 100;

/** Keeps the links to sign in by, and the sessions that they open. */
export function sqlDashboard(engine: SqlEngine): DashboardStore {
  const { db } = engine;

  return {
    ...formMethods(engine),

    createLink: (link) =>
      engine.write(function* (): QueryGenerator<{ outcome: "created" | "unknown_store" }> {
        if (!(yield* one(lockStore(engine, link.store_id)))) return { outcome: "unknown_store" };

        const row = { ...link, access: JSON.stringify(link.access) };
        yield* many(db.insertInto("dashboard_links").values(row));
        yield* noteChange(engine, linkCreated(link));
        return { outcome: "created" };
      }),

    findLink: ({ store_id, hash }, now) =>
      engine.read(function* (): QueryGenerator<DashboardLinkRecord | null> {
        const row = yield* one(
          db
            .selectFrom("dashboard_links")
            .selectAll()
            .where("store_id", "=", store_id)
            .where("link_hash", "=", hash)
            .where("expires_at", ">", now),
        );
        return row ? withAccess(row) : null;
      }),

    spendLink: ({ store_id, hash }, { session_hash, expires_at }, now) =>
      engine.write(function* (): QueryGenerator<
        { outcome: "opened"; session: DashboardSessionRecord } | { outcome: "unknown" }
      > {
        // The delete locks the row, so another call waits here and then finds no row.
        const link = yield* one(
          db
            .deleteFrom("dashboard_links")
            .where("store_id", "=", store_id)
            .where("link_hash", "=", hash)
            .where("expires_at", ">", now)
            .returning(["actor", "access"]),
        );
        if (!link) return { outcome: "unknown" };

        const row = { store_id, session_hash, ...link, created_at: now, expires_at };
        yield* many(db.insertInto("dashboard_sessions").values(row));
        return { outcome: "opened", session: withAccess(row) };
      }),

    findSession: ({ store_id, hash }, now) =>
      engine.read(function* (): QueryGenerator<DashboardSessionRecord | null> {
        const row = yield* one(
          db
            .selectFrom("dashboard_sessions")
            .selectAll()
            .where("store_id", "=", store_id)
            .where("session_hash", "=", hash)
            .where("expires_at", ">", now),
        );
        return row ? withAccess(row) : null;
      }),

    listSessions: (store_id, now) =>
      engine.read(function* (): QueryGenerator<readonly DashboardSessionRecord[]> {
        const rows = yield* many(
          db
            .selectFrom("dashboard_sessions")
            .selectAll()
            .where("store_id", "=", store_id)
            .where("expires_at", ">", now)
            .orderBy("created_at", "desc")
            .orderBy("session_hash")
            .limit(maxSessions),
        );
        return rows.map(withAccess);
      }),
  };
}

/** Gives the two methods that need to know only whether a row was there. */
const formMethods = (engine: SqlEngine): Pick<DashboardStore, "endSession" | "takeForm"> => ({
  endSession: ({ store_id, hash }) =>
    engine.write(function* (): QueryGenerator<boolean> {
      const ended = yield* one(
        engine.db
          .deleteFrom("dashboard_sessions")
          .where("store_id", "=", store_id)
          .where("session_hash", "=", hash)
          .returningAll(),
      );
      if (!ended) return false;

      yield* noteChange(engine, sessionEnded(withAccess(ended)));
      return true;
    }),

  takeForm: (form) =>
    engine.write(function* (): QueryGenerator<{ outcome: "taken" | "repeated" }> {
      const taken = yield* one(
        engine.db
          .insertInto("dashboard_forms")
          .values(form)
          .onConflict((conflict) => conflict.columns(["store_id", "form_id"]).doNothing())
          .returning("form_id"),
      );
      return { outcome: taken ? "taken" : "repeated" };
    }),
});

const withAccess = <Row extends { readonly access: string }>(
  row: Row,
): Omit<Row, "access"> & Pick<DashboardLinkRecord, "access"> => ({
  ...row,
  access: fromJson<DashboardLinkRecord["access"]>(row.access),
});
