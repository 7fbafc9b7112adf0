import type {
  AuditAuthor,
  AuditedChange,
  AuditRecord,
  Written,
} from "#core/rules/audit/audit-records.ts";
import { toBool } from "./columns.ts";
import type { SqlEngine } from "./engine.ts";
import { many, type QueryGenerator } from "./queries.ts";

/** Who acts in a write, and the host's client that it runs on. */
interface WriteOptions {
  readonly author?: AuditAuthor | undefined;
  readonly client?: unknown;
}

/**
 * Runs a write that tells what it has changed, and stores the author's entry in its
 * transaction.
 */
export const auditedWrite = <T>(
  engine: SqlEngine,
  { author, client }: WriteOptions,
  work: () => QueryGenerator<Written<T>>,
): Promise<T> =>
  engine.write(function* () {
    const { result, change } = yield* work();
    if (change && author) yield* noteChange(engine, author, change);
    return result;
  }, client);

/** Stores the author's entry. Counts take the place of an entry of the same call. */
export function* noteChange(
  { db }: SqlEngine,
  author: AuditAuthor,
  change: AuditedChange,
): QueryGenerator<void> {
  const entry = author.entryOf(change);
  if (!entry) return;

  const row = rowOf(entry);
  yield* many(
    db
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
