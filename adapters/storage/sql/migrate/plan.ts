import { fail } from "#core/contract/errors.ts";
import type { MigrationBlocker, PlannedStatement } from "#core/storage/migration-plan.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { migrations } from "../schema/migrations/migrations.ts";
import { type Naming, nameStatement } from "../schema/names.ts";
import { stepTable } from "../schema/table-names.ts";
import { findPending, readApplied, run, tableExists } from "./migrate.ts";
import { type MigrationStep, stepsOf } from "./steps.ts";

/** Reads what a database lacks, and who would be in the way. It takes no lock. */
export function* readPlan(
  naming: Naming,
  dialect: SqlDialect,
): QueryGenerator<readonly PlannedStatement[]> {
  const applied = yield* readApplied(naming, dialect);
  const isKnown = applied !== null;
  const pending = findPending(applied ?? [], dialect);
  const done = pending.length > 0 ? yield* readDone(naming, dialect) : new Set<string>();

  const planned: PlannedStatement[] = [];
  for (const migration of isKnown ? pending : migrations)
    for (const step of stepsOf(migration, naming, dialect)) {
      if (done.has(`${step.migration_id}/${step.step}`)) continue;
      planned.push({
        migration_id: migration.id,
        migration: migration.name,
        sql: step.sql,
        runs: isKnown ? step.runs : "transaction",
        locks: isKnown ? step.locks : null,
        exclusive: step.exclusive,
        estimated_rows: isKnown ? yield* estimateRows(step) : null,
        blockers: isKnown ? yield* findBlockers(step) : [],
      });
    }
  return planned;
}

function* readDone(naming: Naming, dialect: SqlDialect): QueryGenerator<ReadonlySet<string>> {
  if (!(yield* tableExists(stepTable, naming, dialect))) return new Set();
  const rows = yield* run<{ readonly migration_id: number; readonly step: number }>(
    nameStatement(
      `select migration_id, step from {${stepTable}} where state = 'done'`,
      naming,
      dialect,
    ),
  );
  return new Set(rows.map(({ migration_id, step }) => `${migration_id}/${step}`));
}

function* estimateRows({ locks }: MigrationStep): QueryGenerator<number | null> {
  if (locks === null) return null;
  const [row] = yield* run<{ readonly rows: string }>(
    "select reltuples::bigint::text as rows from pg_class where oid = to_regclass($1)",
    [locks],
  );
  const rows = Number(row?.rows ?? -1);
  return rows < 0 ? null : rows;
}

/**
 * Finds the transactions of others that hold the table, or the table of the index. An index that
 * is built or dropped concurrently waits for every transaction of the database that has a
 * snapshot, whatever it has read.
 */
export function* findBlockers({
  locks,
  runs,
}: Pick<MigrationStep, "locks" | "runs">): QueryGenerator<readonly MigrationBlocker[]> {
  if (locks === null) return [];
  return yield* readBlockers(
    `from pg_stat_activity as a
      where a.pid <> pg_backend_pid() and a.xact_start is not null
        and a.backend_type = 'client backend' and a.datname = current_database()
        and (($2 and a.backend_xmin is not null) or exists (
          select 1 from pg_locks as l
          where l.pid = a.pid and l.granted and l.locktype = 'relation'
            and l.relation in (select to_regclass($1) union all
              select indrelid from pg_index where indexrelid = to_regclass($1))))
      order by a.xact_start limit 5`,
    [locks, runs === "concurrently"],
  );
}

/**
 * Finds the session that holds the advisory lock of migrations and has done nothing for so many
 * seconds. Its process was lost or is paused.
 */
export const findLostTurn = (
  key: number,
  seconds: number,
): QueryGenerator<readonly MigrationBlocker[]> =>
  readBlockers(
    `from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and a.datname = current_database()
        and l.classid = 0 and l.objid = $1 and l.objsubid = 1
        and a.state like 'idle in transaction%'
        and a.state_change < clock_timestamp() - make_interval(secs => $2)`,
    [key, seconds],
  );

/** Reads sessions. `found` is the rest of the statement, in which they are called `a`. */
function* readBlockers(
  found: string,
  values: unknown[],
): QueryGenerator<readonly MigrationBlocker[]> {
  const rows = yield* run<{ readonly [name in keyof MigrationBlocker]: string | null }>(
    `select a.pid::text as pid, a.application_name, a.state,
        floor(extract(epoch from clock_timestamp() - a.xact_start))::text as seconds
      ${found}`,
    values,
  );
  return rows.map(({ pid, application_name, state, seconds }) => ({
    pid: Number(pid),
    application_name: application_name ?? "",
    state: state ?? "unknown",
    seconds: Number(seconds),
  }));
}

/** Refuses to begin while a transaction that will not end soon holds one of the tables. */
export function refuseOldTransactions(
  plan: readonly PlannedStatement[],
  longestSeconds: number,
): void {
  for (const { locks, sql, blockers, runs, exclusive } of plan) {
    const old = blockers.filter(({ seconds }) => seconds >= longestSeconds);
    const waitsForReaders = exclusive || runs === "concurrently";
    if (old.length > 0 && waitsForReaders) refuseBlocked({ locks, sql, blockers: old });
  }
}

/** Says which statement could not have which lock, who holds it, and what to do. */
export function refuseBlocked(
  {
    locks,
    sql,
    blockers,
  }: Pick<PlannedStatement, "locks" | "sql"> & {
    readonly blockers: readonly MigrationBlocker[];
  },
  cause?: unknown,
): never {
  const who = blockers.map(
    ({ pid, application_name, state, seconds }) =>
      `process ${pid} (application_name ${JSON.stringify(application_name)}, ${state}, its` +
      ` transaction began ${seconds} s ago)`,
  );
  const statement = sql.replace(/\s+/g, " ").trim().slice(0, 120);
  const [first] = blockers;

  return fail("service_unavailable", {
    retry_after: 60,
    message:
      `migrate() did not get the lock of ${locks ?? "a table"} for: ${statement}. ` +
      (first
        ? `It is held by ${who.join(", ")}. End that transaction, for example with` +
          ` select pg_terminate_backend(${first.pid}), and call migrate() again:`
        : "No transaction holds it any longer. Call migrate() again:") +
      " what is done already stays done, and nothing is locked meanwhile.",
    cause,
  });
}
