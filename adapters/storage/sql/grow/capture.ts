import type { QueryGenerator } from "../engine/queries.ts";
import { run } from "../migrate/migrate.ts";
import { gateClosed, gateOf } from "../schema/distribution.ts";
import { readColumns } from "./columns.ts";
import { changeTable, noteIn, type Places, tableIn } from "./places.ts";

const triggerName = "vitrine_distribution";

const gateKey = ({ sold }: Places): string => gateOf(`'${sold.schema}'`, sold.prefix);

/** Waits, as long as `lock_timeout` says, until no transaction that has written is open. */
export const closeGate = (places: Places): QueryGenerator<readonly unknown[]> =>
  run(`select pg_advisory_xact_lock(${gateKey(places)})::text as taken`);

/**
 * Notes the key of each row that changes from now on. It takes the table's lock for a moment,
 * which no writer holds then: what was written before is there to be copied. Does nothing when
 * the trigger is there.
 */
export function* captureChanges(places: Places, name: string): QueryGenerator<boolean> {
  const table = tableIn(places.sold, name, places.dialect);
  const found = yield* run(
    "select 1 as found from pg_trigger where tgrelid = to_regclass($1) and tgname = $2",
    [table, triggerName],
  );
  if (found.length > 0) return false;

  const { keys } = yield* readColumns(table);
  const names = (row: string) => keys.map((key) => `${row}.${key.name}`).join(", ");
  const note = (row: string): string =>
    `insert into ${noteIn(places, changeTable)} (name, key)
      values ('${name}', json_build_array(${names(row)})::text);`;
  const log = noteIn(places, `note_${name}`);

  yield* run(`create or replace function ${log}() returns trigger language plpgsql as $note$
    begin
      if not pg_try_advisory_xact_lock_shared(${gateKey(places)}) then
        raise exception '${gateClosed}' using errcode = '55P03';
      end if;
      if tg_op = 'DELETE' then
        ${note("old")}
      else
        if tg_op = 'UPDATE' and (${names("old")}) is distinct from (${names("new")}) then
          ${note("old")}
        end if;
        ${note("new")}
      end if;
      return null;
    end $note$`);
  yield* run(`create trigger ${triggerName} after insert or update or delete on ${table}
    for each row execute function ${log}()`);
  return true;
}
