import type { QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import type { Migration } from "../schema/migration.ts";
import { createStepTable } from "../schema/migrations/0021-0030/0021-compatible.ts";
import { type Naming, nameStatement } from "../schema/names.ts";
import { stepTable } from "../schema/table-names.ts";
import { run, tableExists } from "./migrate.ts";
import { recordOf } from "./migration-statements.ts";
import { chunkOf, type MigrationStep, rangeOf, stepsOf } from "./steps.ts";

/** What one short transaction of a migration came to. */
export type Advance =
  | { readonly outcome: "advanced" }
  /** Another process builds the index. */
  | { readonly outcome: "busy" }
  /** The next statements must run outside of a transaction. */
  | { readonly outcome: "outside"; readonly statements: readonly string[] };

interface StepRow {
  readonly step: number;
  readonly state: string;
  readonly reached: string | null;
  readonly age_ms: number;
}

const advanced = { outcome: "advanced" } as const;
/** So many old rows are filled in one transaction. */
const rowsPerChunk = 1_000;
/** A process that has said it builds an index begins in this time. */
const beginsWithinMs = 2_000;

/**
 * Does the next statement of a migration and records it in the same transaction, so that
 * another process, or one that starts after a kill, goes on with the statement after it.
 */
export function* advance(
  migration: Migration,
  place: { readonly naming: Naming; readonly dialect: SqlDialect },
  onStep: (step: MigrationStep) => void,
): QueryGenerator<Advance> {
  const { naming, dialect } = place;
  const steps = stepTableOf(place, migration.id);
  // A role that may not create tables can go on with a migration that another began.
  if (!(yield* tableExists(stepTable, naming, dialect)))
    yield* run(nameStatement(createStepTable, naming, dialect));

  const rows = yield* steps.read();
  const done = new Set(rows.flatMap(({ step, state }) => (state === "done" ? [step] : [])));
  const next = stepsOf(migration, naming, dialect).find(({ step }) => !done.has(step));
  if (!next) {
    yield* run(recordOf(migration, naming, dialect));
    yield* steps.clear();
    return advanced;
  }

  onStep(next);
  const row = rows.find(({ step }) => step === next.step);
  if (next.runs === "concurrently") return yield* prepareOutside(next, row, steps);
  if (next.runs === "chunks") return yield* fillChunk(next, row?.reached ?? null, steps);

  yield* run(next.sql);
  yield* steps.write(next.step, "done");
  return advanced;
}

type StepTable = ReturnType<typeof stepTableOf>;

function stepTableOf(
  { naming, dialect }: { readonly naming: Naming; readonly dialect: SqlDialect },
  migration_id: number,
) {
  const named = (text: string) => nameStatement(text, naming, dialect);
  return {
    read: () =>
      run<StepRow>(
        named(`select step, state, reached, ${dialect.nowMs} - updated_at as age_ms
          from {${stepTable}} where migration_id = $1`),
        [migration_id],
      ),
    write: (step: number, state: string, reached: string | null = null) =>
      run(
        named(`insert into {${stepTable}} (migration_id, step, state, reached, updated_at)
          values ($1, $2, $3, $4, ${dialect.nowMs})
          on conflict (migration_id, step) do update
            set state = excluded.state, reached = excluded.reached,
              updated_at = excluded.updated_at`),
        [migration_id, step, state, reached],
      ),
    clear: () => run(named(`delete from {${stepTable}} where migration_id = $1`), [migration_id]),
  };
}

/** Decides what is still to do for an index that is built or dropped with readers at work. */
function* prepareOutside(
  step: MigrationStep,
  row: StepRow | undefined,
  steps: StepTable,
): QueryGenerator<Advance> {
  const extension = yield* readTrigramSchema();
  const statement = step.sql.replaceAll("%1$I", () => `"${extension}"`);
  const isWanted = statement === step.sql || extension !== null;
  const state = yield* readIndex(step.builds ?? step.locks ?? "");
  const isDone = step.builds ? state === "valid" : state === "missing";

  if (isDone || !isWanted) {
    yield* steps.write(step.step, "done");
    return advanced;
  }

  const isClaimed = row?.state === "begun" && row.age_ms < beginsWithinMs;
  if (isClaimed || (yield* isBeingBuilt(step))) return { outcome: "busy" };
  yield* steps.write(step.step, "begun");

  // A build that was killed or refused leaves an index that costs writes and serves nobody.
  const isLeftover = step.builds !== null && state === "invalid";
  const drop = `drop index concurrently if exists ${step.builds}`;
  return { outcome: "outside", statements: isLeftover ? [drop, statement] : [statement] };
}

function* readTrigramSchema(): QueryGenerator<string | null> {
  const [row] = yield* run<{ readonly home: string }>(
    `select n.nspname as home from pg_extension as e
      join pg_namespace as n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`,
  );
  return row?.home ?? null;
}

function* readIndex(name: string): QueryGenerator<"missing" | "invalid" | "valid"> {
  const [row] = yield* run<{ readonly valid: string }>(
    "select indisvalid::text as valid from pg_index where indexrelid = to_regclass($1)",
    [name],
  );
  if (!row) return "missing";
  return row.valid === "true" ? "valid" : "invalid";
}

/** Tells whether a session builds an index of the table, or drops one, at this moment. */
function* isBeingBuilt({ locks }: MigrationStep): QueryGenerator<boolean> {
  const rows = yield* run(
    `select 1 as found from pg_locks as l
      join pg_stat_activity as a on a.pid = l.pid
      where l.relation in (select to_regclass($1) union all
          select indrelid from pg_index where indexrelid = to_regclass($1))
        and l.mode = 'ShareUpdateExclusiveLock' and l.granted and l.pid <> pg_backend_pid()
        and a.backend_type = 'client backend' and a.query ilike '%concurrently%' limit 1`,
    [locks],
  );
  return rows.length > 0;
}

/** Fills the next old rows by their key. The key reached is kept, whoever goes on. */
function* fillChunk(
  step: MigrationStep,
  reached: string | null,
  steps: StepTable,
): QueryGenerator<Advance> {
  const after: readonly unknown[] = reached === null ? [] : JSON.parse(reached);
  const isLater = after.length > 0;
  const columns = step.keys.map((key) => `c.${key}`).join(", ");

  const [last] = yield* run<Readonly<Record<string, unknown>>>(
    `select ${columns} from ${step.locks} as c
      where ${rangeOf(step, { after: isLater, until: false })}
      order by ${columns} offset ${rowsPerChunk - 1} limit 1`,
    [...after],
  );
  const until = last ? step.keys.map((key) => last[key]) : [];
  const range = rangeOf(step, { after: isLater, until: last !== undefined });
  yield* run(chunkOf(step, range), [...after, ...until]);

  if (last) yield* steps.write(step.step, "filling", JSON.stringify(until));
  else yield* steps.write(step.step, "done");
  return advanced;
}
