import { fail } from "#core/contract/errors.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { migrate, run, tableExists } from "../migrate/migrate.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { distributeStatements, firstTable, useOneConnection } from "../schema/distribution.ts";
import type { Naming } from "../schema/names.ts";
import { migrationTable } from "../schema/table-names.ts";
import { captureChanges } from "./capture.ts";
import { nameStep } from "./clear-way.ts";
import { applyChanges, copyChunk } from "./copy.ts";
import {
  changeTable,
  movedTables,
  noteIn,
  type Places,
  progressTable,
  readPlaces,
  tableIn,
} from "./places.ts";
import { switchOver } from "./switch-over.ts";

/** A table's lock is waited for so long. Who waits behind it is answered 503 meanwhile. */
const lockMs = 1_500;
/** Few enough changes are left to be applied while writers wait. */
const fewChanges = 500;

/** Tells whether tables hold a shop and are not distributed, so that they must be grown out of. */
export function* mustGrow(naming: Naming, dialect: SqlDialect): QueryGenerator<boolean> {
  const stores = yield* run(`select 1 as found from ${tableIn(naming, "stores", dialect)} limit 1`);
  return stores.length > 0 && !(yield* isDistributed(naming, dialect));
}

function* isDistributed(naming: Naming, dialect: SqlDialect): QueryGenerator<boolean> {
  const found = yield* run(
    "select 1 as found from pg_dist_partition where logicalrelid = to_regclass($1)",
    [tableIn(naming, firstTable, dialect)],
  );
  return found.length > 0;
}

/**
 * Does the next short step on the way from plain tables to distributed ones, in the caller's
 * transaction: empty distributed tables beside, a note of each row that changes from then on,
 * the copy in chunks, the noted changes, and the switch. Each step is recorded with what it
 * did, so that any process goes on after a kill.
 */
export function* growByOneStep(naming: Naming, dialect: SqlDialect): QueryGenerator<void> {
  const places = yield* readPlaces(naming, dialect);
  yield* nameStep();
  if (!(yield* tableExists(progressTable, { ...places.staged, prefix: "" }, dialect))) {
    yield* stage(places);
    return;
  }
  yield* requireSameVersion(places);

  const progress = yield* run<{ readonly name: string; readonly reached: string | null }>(
    `select name, reached from ${noteIn(places, progressTable)}`,
  );
  const reached = new Map(progress.map((row) => [row.name, row.reached]));
  if (!(yield* isDistributed(places.staged, dialect))) {
    for (const statement of distributeStatements(places.staged, dialect)) yield* run(statement);
    return;
  }

  yield* run("select set_config('lock_timeout', $1, true)", [`${lockMs}ms`]);
  for (const name of movedTables) if (yield* captureChanges(places, name)) return;

  const next = movedTables.find((name) => reached.get(name) !== "copied");
  if (next) {
    const until = yield* copyChunk(places, next, reached.get(next) ?? null);
    if (until === null) yield* run(`analyze ${tableIn(places.staged, next, dialect)}`);
    yield* note(places, next, until ?? "copied");
    return;
  }

  // The switch changes tables, which Citus refuses after writes over several connections.
  yield* run(useOneConnection);
  if ((yield* applyChanges(places)) >= fewChanges) return;
  yield* switchOver(places);
}

/** Makes the tables and the notes in a schema that nobody reads yet. */
function* stage(places: Places): QueryGenerator<void> {
  yield* migrate(places.staged, places.dialect, { indexesText: true });
  yield* run(`create table ${noteIn(places, progressTable)}
    (name text primary key, reached text not null, updated_at timestamptz not null)`);
  yield* run(`create table ${noteIn(places, changeTable)}
    (id bigint generated always as identity primary key, name text not null, key text not null)`);
}

const note = (places: Places, name: string, reached: string) =>
  run(
    `insert into ${noteIn(places, progressTable)} (name, reached, updated_at)
      values ($1, $2, now())
      on conflict (name) do update
        set reached = excluded.reached, updated_at = excluded.updated_at`,
    [name, reached],
  );

function* requireSameVersion({ sold, staged, dialect }: Places): QueryGenerator<void> {
  const newest = (naming: Naming) =>
    run<{ readonly id: number }>(
      `select max(id) as id from ${tableIn(naming, migrationTable, dialect)}`,
    );
  const [ours] = yield* newest(sold);
  const [begun] = yield* newest(staged);
  if (ours?.id === begun?.id) return;

  fail("invalid_option", {
    param: "distribute",
    message:
      `Distributing the tables was begun with migration ${begun?.id}, and they are at ${ours?.id}` +
      ` now. Begin anew: drop schema "${staged.schema}" cascade, and call migrate() again.`,
  });
}
