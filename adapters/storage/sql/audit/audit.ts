import { type Selectable, sql } from "kysely";
import type { AuditRecord } from "#core/rules/audit/audit-records.ts";
import type { AuditQuery, AuditStore } from "#core/storage/audit-store.ts";
import { noteChange } from "../engine/audited-write.ts";
import { fromJson } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { deleteOld } from "../purge.ts";
import type { Tables } from "../schema/tables.ts";

/** Reads the audit log for the owner, and prunes it for maintenance. */
export const sqlAudit = (engine: SqlEngine): AuditStore => ({
  list: (query) => engine.read(() => listEntries(engine, query)),
  note: async (change, author) => author && engine.write(() => noteChange(engine, author, change)),
  prune: (before, limit) =>
    engine.write(() =>
      deleteOld(engine, { table: "audit_log", column: "created_at", before: before - 1, limit }),
    ),
});

function* listEntries(
  { db }: SqlEngine,
  query: AuditQuery,
): QueryGenerator<readonly AuditRecord[]> {
  const { store_id, actor, action, subject, created_from, created_to, after, limit } = query;
  const { way, sign } = directionOf(query.oldest_first);
  let page = db.selectFrom("audit_log").selectAll().where("store_id", "=", store_id);
  if (actor !== undefined) page = page.where("actor", "=", actor);
  if (action !== undefined) page = page.where("action", "=", action);
  if (subject !== undefined)
    page = page.where("subject_type", "=", subject.type).where("subject_id", "=", subject.id);
  if (created_from !== undefined) page = page.where("created_at", ">=", created_from);
  if (created_to !== undefined) page = page.where("created_at", "<", created_to);
  if (after !== undefined)
    page = page.where(
      sql<boolean>`(created_at, id) ${sql.raw(sign)} (${after.created_at}, ${after.id})`,
    );

  const rows = yield* many(page.orderBy("created_at", way).orderBy("id", way).limit(limit));
  return rows.map(readEntry);
}

type StoredFields = Pick<AuditRecord, "via" | "made_by" | "before" | "after" | "withheld" | "cut">;

function readEntry(row: Selectable<Tables["audit_log"]>): AuditRecord {
  const { store_id, id, livemode, actor, action, subject_type, subject_id, created_at } = row;
  const { via, made_by, before, after, withheld, cut } = fromJson<StoredFields>(row.fields);
  return {
    id,
    store_id,
    livemode: livemode === null ? null : livemode === 1,
    actor,
    // Entries of earlier versions lack both.
    ...(via !== undefined && { via }),
    ...(via === "link" && { made_by: made_by ?? null }),
    action,
    subject: { type: subject_type, id: subject_id },
    before,
    after,
    withheld,
    cut,
    created_at,
  };
}
