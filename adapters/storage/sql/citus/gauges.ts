import { mostCounted } from "#core/rules/owner/gauges.ts";
import type { ConsumerStore } from "#core/storage/consumer-store.ts";
import type { GaugesStore } from "#core/storage/reads/gauges-store.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { type CountedGauges, findOldestTransaction, gaugesQuery } from "../stats/gauges.ts";
import { lagQuery, sumOfLags } from "../webhooks/consumers.ts";
import type { Lanes } from "./lanes/lanes.ts";

/** Adds up the gauges of all shards whose nodes can be reached. */
export function gaugesOnCitus(engine: SqlEngine, lanes: Lanes): GaugesStore["read"] {
  const read = lanes.reader((db) => gaugesQuery(db, "postgres"));
  return async (now) => ({
    ...sumOfGauges((await read({ now })).rows),
    oldest_transaction_at: await engine.read(() => findOldestTransaction(engine, now)),
  });
}

/** Adds up the lag in all stores whose nodes can be reached. */
export function lagOnCitus(lanes: Lanes, plain: ConsumerStore["lag"]): ConsumerStore["lag"] {
  const read = lanes.reader(
    (db: Db) =>
      ({ consumer }: { readonly consumer: string }) =>
        lagQuery(db, consumer, null).compile(),
  );
  return async (consumer, store_id) =>
    store_id === null ? sumOfLags((await read({ consumer })).rows) : plain(consumer, store_id);
}

/** A gauge of a shard is counted to the limit, and so is their sum. */
function sumOfGauges(rows: readonly CountedGauges[]): CountedGauges {
  const sum = (pick: (row: CountedGauges) => number): number =>
    Math.min(
      mostCounted,
      rows.reduce((total, row) => total + pick(row), 0),
    );
  const times = (pick: (row: CountedGauges) => number | null): readonly number[] =>
    rows.flatMap((row) => pick(row) ?? []);

  return {
    webhooks_due: sum((row) => row.webhooks_due),
    webhooks_due_since: earliest(times((row) => row.webhooks_due_since)),
    webhooks_last_attempt_at: latest(times((row) => row.webhooks_last_attempt_at)),
    endpoints_disabled: sum((row) => row.endpoints_disabled),
    payments_in_doubt: sum((row) => row.payments_in_doubt),
    payments_in_doubt_since: earliest(times((row) => row.payments_in_doubt_since)),
    refunds_pending: sum((row) => row.refunds_pending),
    maintenance_due_since: earliest(times((row) => row.maintenance_due_since)),
    rows_to_backfill: sum((row) => row.rows_to_backfill),
  };
}

const earliest = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.min(...times);

const latest = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.max(...times);
