import type { QueryGenerator } from "../engine/queries.ts";
import { run } from "../migrate/migrate.ts";
import { functionStatements } from "../migrate/store-functions.ts";
import { closeGate } from "./capture.ts";
import { applyChanges } from "./copy.ts";
import { movedTables, type Places, tableIn } from "./places.ts";

/** Writers are refused for so long at most while the last open transactions end. */
const gateMs = 3_000;
/** The tables' locks are waited for so long, some times over; nobody is kept out in between. */
const tableMs = 300;

/**
 * Puts the distributed copies in the place of the tables, in one transaction on all nodes: it
 * happens whole or not at all. Writers are refused meanwhile.
 */
export function* switchOver(places: Places): QueryGenerator<void> {
  const { sold, staged, before, dialect } = places;
  yield* run("select set_config('lock_timeout', $1, true)", [`${gateMs}ms`]);
  yield* closeGate(places);
  while ((yield* applyChanges(places)) > 0);

  yield* run("select set_config('lock_timeout', $1, true)", [`${tableMs}ms`]);
  yield* run(lockTables(places));
  yield* run(`create schema if not exists "${before.schema}"`);
  const move = (name: string, from: Places["sold"], to: Places["sold"]) =>
    run(`alter table ${tableIn(from, name, dialect)} set schema "${to.schema}"`);
  for (const name of movedTables) yield* move(name, sold, before);
  for (const name of movedTables) yield* move(name, staged, sold);

  // The triggers of the old tables go with the functions that they call.
  yield* run(`drop schema "${staged.schema}" cascade`);
  for (const statement of functionStatements(sold, dialect)) yield* run(statement);
}

/**
 * Takes the locks of all tables together, or gives back those that it has: a transaction which
 * began before the gate was closed may hold one table and wait for another.
 */
const lockTables = ({ sold, dialect }: Places): string => `do $lock$ begin
    for turn in 1..10 loop
      begin
        lock table ${movedTables.map((name) => tableIn(sold, name, dialect)).join(", ")};
        return;
      exception when lock_not_available or deadlock_detected then
        perform pg_sleep(0.05);
      end;
    end loop;
    raise exception 'the tables are in use' using errcode = '55P03';
  end $lock$`;
