import { type RawBuilder, sql } from "kysely";
import { mostCounted } from "#core/rules/owner/gauges.ts";
import type { GaugesStore, StorageGauges } from "#core/storage/reads/gauges-store.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { one, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { isMisplaced } from "../schema/migrations/0021-0030/0030-group-places.ts";
import { isUncounted } from "../schema/migrations/0031-0040/0033-product-facets.ts";
import { readReadiness } from "./readiness.ts";

export function sqlGauges(engine: SqlEngine): GaugesStore {
  const select = gaugesQuery(engine.db, engine.dialect.name);

  return {
    read: (now) =>
      engine.read(function* (): QueryGenerator<StorageGauges> {
        const row = yield* one(select({ now }));
        if (!row) throw new Error("The query of the gauges gave no row.");
        return {
          ...row,
          oldest_transaction_at: yield* findOldestTransaction(engine, now),
          rows_to_backfill: Math.min(row.rows_to_backfill, mostCounted),
        };
      }),
    readiness: () => readReadiness(engine),
  };
}

/** Gives when the oldest transaction of others began, of those whose times the role may see. */
export function* findOldestTransaction(
  { db, dialect }: SqlEngine,
  now: number,
): QueryGenerator<number | null> {
  if (dialect.name !== "postgres") return null;
  const select = sql<{ readonly age_ms: number | null }>`
    select cast(extract(epoch from clock_timestamp() - min(xact_start)) * 1000 as bigint) as age_ms
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`;
  const row = yield* one(select.compile(db));
  return row === undefined || row.age_ms === null ? null : now - row.age_ms;
}

/** The gauges that are counted in tables. */
export type CountedGauges = Omit<StorageGauges, "oldest_transaction_at">;

/**
 * Makes one statement, so that PostgreSQL is asked once. The states are written
 * into the text: a parameter would hide from the planner that a partial index fits.
 */
export const gaugesQuery = (db: Db, database: SqlDialect["name"]) =>
  prepareRaw<CountedGauges>(
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
        where check_at is not null`)} as refunds_pending,
      (select min(due_since) from (${workDue(param)}) as work) as maintenance_due_since,
      ${rowsToBackfill(database)} as rows_to_backfill`,
  );

/** Each kind of work has an index of its times. */
const workTimes = [
  ["orders", "sweep_at"],
  ["checkout_sessions", "sweep_at"],
  ["payment_attempts", "check_at"],
  ["payments", "check_at"],
  ["refunds", "check_at"],
  ["subscriptions", "ends_at"],
  ["subscriptions", "charge_at"],
] as const;

const workDue = (param: Param): RawBuilder<unknown> =>
  sql.join(
    workTimes.map(
      ([table, column]) => sql`select min(${sql.ref(column)}) as due_since from ${sql.table(table)}
        where ${sql.ref(column)} <= ${param("now")}`,
    ),
    sql` union all `,
  );

const countOf = (rows: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select count(*) from (${rows} limit ${sql.lit(mostCounted)}) as counted)`;

/**
 * Counts by the indexes through which maintenance finds the rows. The order makes SQLite
 * read them, and not the table.
 */
const rowsToBackfill = (database: SqlDialect["name"]): RawBuilder<unknown> =>
  sql.join(
    [
      sql`from ${sql.table("orders")} where created_at is null order by store_id, livemode, number`,
      sql`from ${sql.table("orders")} where in_stats is null
        order by store_id, livemode, updated_at`,
      sql`from ${sql.table("delivery_attempts")} where in_stats is null
      order by store_id, started_at`,
      sql`from ${sql.table("product_categories")} where price is null
      order by store_id, category_id, product_id`,
      sql`from ${sql.table("products")} where words is null order by store_id, id`,
      ...[isMisplaced, isUncounted].map(
        (condition) => sql`from ${sql.table("products")} where ${sql.raw(condition(database))}
          order by store_id, id`,
      ),
    ].map((rows) => countOf(sql`select 1 ${rows}`)),
    sql` + `,
  );
