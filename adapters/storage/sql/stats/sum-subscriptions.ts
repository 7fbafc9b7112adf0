import { sql } from "kysely";
import type { Partition } from "#core/rules/records.ts";
import type { SubscriptionSum } from "#core/rules/subscriptions/subscription-sums.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { jsonInteger, jsonText } from "../schema/json-fields.ts";

type SumRow = Omit<SubscriptionSum, "ending" | "paused"> & {
  readonly ending: number;
  readonly paused: number;
};

/** Adds up the subscriptions of a store that have not ended, by what they are alike in. */
export function* sumSubscriptions(
  { db, dialect: { name } }: SqlEngine,
  partition: Partition,
): QueryGenerator<readonly SubscriptionSum[]> {
  const { store_id, livemode } = partitionColumns(partition);
  const text = (field: string) => sql.raw(jsonText(name, "record", field));
  const isEnding = sql`${text("cancel_at_period_end")} in ('true', ${name === "sqlite" ? 1 : "1"})`;
  const amount = sql.raw(jsonInteger(name, "record", "amount"));
  const interval_count = sql.raw(jsonInteger(name, "record", "interval_count"));

  const query = sql<SumRow>`
    select status,
      case when ${isEnding} then 1 else 0 end as ending,
      case when ${text("paused_at")} is null then 0 else 1 end as paused,
      ${text("currency")} as currency, ${text("interval")} as interval,
      ${interval_count} as interval_count,
      cast(count(*) as bigint) as count, cast(sum(${amount}) as bigint) as amount
    from ${sql.table("subscriptions")}
    where store_id = ${store_id} and livemode = ${livemode} and status <> 'canceled'
    group by 1, 2, 3, 4, 5, 6`;
  const rows = yield* many(query.compile(db));
  return rows.map((row) => ({ ...row, ending: row.ending === 1, paused: row.paused === 1 }));
}
