import { type RawBuilder, sql } from "kysely";
import type { TestWork } from "#core/rules/clock/test-clock.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { jsonInteger } from "../schema/json-fields.ts";
import { type DueColumn, dueColumns } from "../schema/time-columns.ts";

/** The test mode of a store, whose times are `offset` ahead. */
interface TestMode {
  readonly store_id: string;
  readonly offset: number;
}

/** Tells what waits in the test mode at this time, table by table. */
export function* readTestWork(
  engine: SqlEngine,
  mode: TestMode,
  now: number,
): QueryGenerator<TestWork> {
  let next_due: number | null = null;
  let is_held = false;

  for (const due of workColumns) {
    const time = sql.ref(due.column);
    const waits = sql`(${time} <= ${now} or (${waitsText(engine, due, mode)}))`;
    const found = yield* one(
      sql<{ next: number | null; held: number }>`
        select min(case when ${waits} then ${time} end) as next,
          coalesce(max(case when ${waits} then 0 else 1 end), 0) as held
        from ${sql.table(due.table)} where ${rowsText(due, mode)}
          ${due.table === "deliveries" ? enabledText : sql``}`.compile(engine.db),
    );
    const next = found?.next ?? null;
    if (next !== null) next_due = Math.min(next, next_due ?? next);
    is_held ||= Number(found?.held ?? 0) === 1;
  }
  return { next_due, is_held };
}

/** What a resend interrupts is not due before the resend ends. */
const workColumns = dueColumns.filter(({ column }) => column !== "resume_due");

/** Nobody sends the deliveries of a disabled endpoint: they wait to be skipped. */
const enabledText = sql`and exists (
  select 1 from ${sql.table("webhook_endpoints")} as e
  where e.store_id = ${sql.ref("deliveries.store_id")} and e.id = endpoint_id
    and e.livemode = 0 and e.state = 'enabled')`;

/** Lets the work that waits in the test mode come nearer, and leaves alone what is held. */
export function* moveTestWork(engine: SqlEngine, mode: TestMode, ms: number): QueryGenerator<void> {
  for (const due of dueColumns) {
    const time = sql.ref(due.column);
    yield* many(
      sql`
        update ${sql.table(due.table)} set ${time} = ${time} - ${ms}
        where ${rowsText(due, mode)} and ${waitsText(engine, due, mode)}`.compile(engine.db),
    );
  }
}

/** Selects the rows of the test mode whose column holds a time that counts. */
const rowsText = ({ column, due }: DueColumn, { store_id }: TestMode): RawBuilder<unknown> => sql`
  store_id = ${store_id} and livemode = 0 and ${sql.ref(column)} is not null
  ${due.waits === "pending" ? sql`and state = 'pending'` : sql``}`;

function waitsText(
  { dialect }: SqlEngine,
  { column, due }: DueColumn,
  { offset }: TestMode,
): RawBuilder<unknown> {
  if (due.waits === "always") return sql`1 = 1`;
  if (due.waits === "pending") return sql`lease_token is null`;

  const field = (name: string) => {
    const [first = name, ...rest] = name.split(".");
    return sql.raw(jsonInteger(dialect.name, "record", first, ...rest));
  };
  const time = sql.ref(column);
  if (due.waits === "as_one_recorded") {
    const times = due.fields.map((name) => sql`${field(name)} - ${offset}`);
    return sql`coalesce(${time} in (${sql.join(times)}), 1 = 0)`;
  }
  // A record of an older version may lack the field: then the column counts.
  const isRecorded = sql`${time} = coalesce(${field(due.field)} - ${offset}, ${time})`;
  if (due.unless === undefined) return isRecorded;
  return sql`${isRecorded}
    and coalesce(${field(due.field)} <> ${field(due.unless)}, 1 = 1)`;
}
