import type { PlannedStatement } from "#core/storage/migration-plan.ts";
import type { GaugesStore, StorageReadiness } from "#core/storage/reads/gauges-store.ts";
import type { Call } from "../../frame/command.ts";
import { tableLines } from "../../frame/table-lines.ts";

/** Creates or updates the tables, or shows the statements that would run. */
export async function run(call: Call): Promise<void> {
  const { screen, input } = call;
  const dryRun = input.flag("dry-run");
  const { storefront, parts } = call.host();
  const { gauges } = parts.storage;
  const before = await foundVersion(gauges);

  const plan = await storefront.migrate({ dryRun });
  const schema = await foundVersion(gauges);
  screen.result({ dry_run: dryRun, before, schema, statements: plan }, () => [
    ...(dryRun ? planLines(plan, screen) : []),
    ...(dryRun ? blockerLines(plan) : []),
    dryRun ? pendingLine(plan, schema) : schemaLine(before, schema),
  ]);
}

type Version = StorageReadiness["schema"];

/** Gives the newest migration of the database. A database without tables has none. */
const foundVersion = async (gauges: GaugesStore): Promise<Version> =>
  gauges.readiness().then(
    ({ schema }) => schema,
    () => null,
  );

function schemaLine(before: Version, after: Version): string {
  if (!after) return "This storage has no schema.";
  const from = before?.found ?? 0;
  if (from === after.found)
    return `The schema is at migration ${after.found}: nothing was pending.`;
  return `Migrated from ${from} to ${after.found}.`;
}

/** Only PostgreSQL tells the statements. */
function pendingLine(plan: readonly PlannedStatement[], schema: Version): string {
  if (plan.length > 0) return `${plan.length} statements are pending. Nothing was changed.`;
  const first = (schema?.found ?? 0) + 1;
  if (!schema || first > schema.known) return schemaLine(schema, schema);
  const which =
    first < schema.known ? `Migrations ${first} to ${schema.known}` : `Migration ${first}`;
  return `${which} would run. Nothing was changed.`;
}

/** Says who would be in the way, once for each session, and what to do about it. */
function blockerLines(plan: readonly PlannedStatement[]): readonly string[] {
  const tables = new Map<number, Set<string>>();
  const blockers = new Map(plan.flatMap((step) => step.blockers.map((one) => [one.pid, one])));
  for (const { locks, blockers } of plan)
    for (const { pid } of blockers)
      tables.set(pid, (tables.get(pid) ?? new Set()).add(locks ?? "a table"));

  return [...blockers.values()].map(({ pid, application_name, state, seconds }) => {
    const name = `application_name ${JSON.stringify(application_name)}`;
    const held = [...(tables.get(pid) ?? [])].join(", ");
    return (
      `In the way of ${held}: process ${pid} (${name}, ${state},` +
      ` its transaction began ${seconds} s ago). End it, for example with` +
      ` select pg_terminate_backend(${pid}).`
    );
  });
}

const planLines = (plan: readonly PlannedStatement[], screen: Call["screen"]): readonly string[] =>
  plan.length === 0
    ? []
    : tableLines(
        plan,
        [
          { title: "migration", value: ({ migration }) => migration },
          { title: "runs", value: ({ runs }) => runs },
          { title: "locks", value: ({ locks }) => locks ?? "-" },
          { title: "rows", value: ({ estimated_rows }) => String(estimated_rows ?? "-") },
          { title: "statement", value: ({ sql }) => sql },
        ],
        screen,
      );
