import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { mostCounted } from "#core/rules/owner/gauges.ts";
import type {
  GaugesStore,
  StorageGauges,
  StorageReadiness,
} from "#core/storage/reads/gauges-store.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { migrations } from "../schema/migrations/migrations.ts";
import { migrationTable } from "../schema/table-names.ts";

export function sqlGauges(engine: SqlEngine): GaugesStore {
  const select = gaugesQuery(engine.db);

  return {
    read: (now) =>
      engine.read(function* (): QueryGenerator<StorageGauges> {
        const row = yield* one(select({ now }));
        if (!row) throw new Error("The query of the gauges gave no row.");
        return row;
      }),
    readiness: () => engine.read(() => readReadiness(engine)),
  };
}

/**
 * Makes one statement, so that PostgreSQL is asked once. The states are written
 * into the text: a parameter would hide from the planner that a partial index fits.
 */
export const gaugesQuery = (db: Db) =>
  prepareRaw<StorageGauges>(
    db,
    (param) => sql`select
      ${countOf(sql`select 1 from ${sql.table("deliveries")}
        where state = 'pending' and due_at <= ${param("now")}`)} as webhooks_due,
      (select min(due_at) from ${sql.table("deliveries")}
        where state = 'pending' and due_at <= ${param("now")}) as webhooks_due_since,
      (select max(started_at) from ${sql.table("delivery_attempts")})
        as webhooks_last_attempt_at,
      ${countOf(sql`select 1 from ${sql.table("webhook_endpoints")}
        where state = 'disabled'`)} as endpoints_disabled,
      ${countOf(sql`select 1 from ${sql.table("payment_attempts")}
        where state = 'unknown' and check_at is not null`)} as payments_in_doubt,
      (select min(created_at) from ${sql.table("payment_attempts")}
        where state = 'unknown' and check_at is not null) as payments_in_doubt_since,
      ${countOf(sql`select 1 from ${sql.table("refunds")}
        where check_at is not null`)} as refunds_pending`,
  );

const countOf = (rows: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select count(*) from (${rows} limit ${sql.lit(mostCounted)}) as counted)`;

function* readReadiness({ db, dialect }: SqlEngine): QueryGenerator<StorageReadiness> {
  const known = Math.max(...migrations.map(({ id }) => id));
  const [clock] = yield* many(
    CompiledQuery.raw(`select ${dialect.nowMs} as now`) as CompiledQuery<{ now: number }>,
  );
  const applied = yield* one(
    sql<{
      found: number | null;
    }>`select max(id) as found from ${sql.table(migrationTable)}`.compile(db),
  );

  return { schema: { found: applied?.found ?? 0, known }, clock: clock?.now ?? null };
}
