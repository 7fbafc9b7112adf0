import type { QueryGenerator } from "../engine/queries.ts";
import { run } from "../migrate/migrate.ts";
import { rangeOf } from "../migrate/steps.ts";
import { readColumns, type TableColumns } from "./columns.ts";
import { changeTable, noteIn, type Places, tableIn } from "./places.ts";

/** So many rows are copied in one transaction. */
const rowsPerChunk = 10_000;
/** So many noted changes are applied in one transaction. */
const changesPerTurn = 5_000;

/**
 * Copies the next rows by their key. Gives the key that was reached, or null at the end of the
 * table. A row that is there already was copied by a turn whose record was lost.
 */
export function* copyChunk(
  places: Places,
  name: string,
  reached: string | null,
): QueryGenerator<string | null> {
  const table = tableIn(places.sold, name, places.dialect);
  const { all, keys: keyColumns } = yield* readColumns(table);
  const keys = keyColumns.map((key) => key.name);
  const after: readonly unknown[] = reached === null ? [] : JSON.parse(reached);
  const isLater = after.length > 0;
  const ordered = keys.map((key) => `c.${key}`).join(", ");

  const [last] = yield* run<{ readonly key: string }>(
    `select json_build_array(${ordered})::text as key from ${table} as c
      where ${rangeOf({ keys }, { after: isLater, until: false })}
      order by ${ordered} offset ${rowsPerChunk - 1} limit 1`,
    [...after],
  );
  const until: readonly unknown[] = last ? JSON.parse(last.key) : [];
  const range = rangeOf({ keys }, { after: isLater, until: last !== undefined });
  const columns = all.join(", ");
  yield* run(
    `insert into ${tableIn(places.staged, name, places.dialect)} (${columns})
      select ${columns} from ${table} as c where ${range} on conflict do nothing`,
    [...after, ...until],
  );
  return last?.key ?? null;
}

interface Change {
  readonly id: number;
  readonly name: string;
  readonly key: string;
}

/**
 * Brings the copies of changed rows up to date, in the order of the changes: each as its row
 * is now, so that doing it twice does no harm. Gives how many changes it took.
 */
export function* applyChanges(places: Places): QueryGenerator<number> {
  const notes = noteIn(places, changeTable);
  const changes = yield* run<Change>(
    `select id, name, key from ${notes} order by id limit ${changesPerTurn}`,
  );

  const keysOf = new Map<string, Set<string>>();
  for (const { name, key } of changes)
    keysOf.set(name, (keysOf.get(name) ?? new Set<string>()).add(key));
  for (const [name, keys] of keysOf) yield* replaceRows(places, name, `[${[...keys].join(",")}]`);

  if (changes.length > 0)
    yield* run(
      `delete from ${notes} where id in
        (select value::bigint from jsonb_array_elements_text($1::jsonb))`,
      [JSON.stringify(changes.map(({ id }) => id))],
    );
  return changes.length;
}

function* replaceRows(places: Places, name: string, keys: string): QueryGenerator<void> {
  const { sold, staged, dialect } = places;
  const columns = yield* readColumns(tableIn(sold, name, dialect));
  const changed = `(select ${columns.keys
    .map((key, at) => `(k.value ->> ${at})::${key.type} as ${key.name}`)
    .join(", ")} from jsonb_array_elements($1::jsonb) as k)`;
  const same = columns.keys.map((key) => `c.${key.name} = k.${key.name}`).join(" and ");

  yield* run(
    `delete from ${tableIn(staged, name, dialect)} as c using ${changed} as k where ${same}`,
    [keys],
  );
  yield* run(insertChanged(places, { name, columns, changed, same }), [keys]);
}

function insertChanged(
  { sold, staged, dialect }: Places,
  {
    name,
    columns,
    changed,
    same,
  }: Record<"name" | "changed" | "same", string> & {
    readonly columns: TableColumns;
  },
): string {
  const selected = columns.all.map((column) => `c.${column}`).join(", ");
  return `insert into ${tableIn(staged, name, dialect)} (${columns.all.join(", ")})
    select ${selected} from ${tableIn(sold, name, dialect)} as c
      join ${changed} as k on ${same}`;
}
