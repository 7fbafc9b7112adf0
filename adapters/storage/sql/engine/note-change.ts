import type { AuditedChange, AuditRecord } from "#core/rules/audit/audit-records.ts";
import { toBool } from "./columns.ts";
import type { SqlEngine } from "./engine.ts";
import { many, type QueryGenerator } from "./queries.ts";

/** Stores the entry of a change in the transaction of the step that makes the change. */
export function* noteChange(engine: SqlEngine, change: AuditedChange): QueryGenerator<void> {
  const entry = engine.author?.entryOf(change);
  if (!entry) return;

  const row = rowOf(entry);
  yield* many(
    engine.db
      .insertInto("audit_log")
      .values(row)
      .onConflict((conflict) => {
        const stored = conflict.columns(["store_id", "id"]);
        return change.kind === "counts"
          ? stored.doUpdateSet({ fields: row.fields })
          : stored.doNothing();
      }),
  );
}

const rowOf = ({
  store_id,
  id,
  livemode,
  actor,
  action,
  subject,
  created_at,
  ...rest
}: AuditRecord) => ({
  store_id,
  id,
  livemode: livemode === null ? null : toBool(livemode),
  actor,
  action,
  subject_type: subject.type,
  subject_id: subject.id,
  fields: JSON.stringify(rest),
  created_at,
});
