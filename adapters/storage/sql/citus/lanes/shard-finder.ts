import { sql } from "kysely";
import { minuteMs } from "#core/domain/durations.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many } from "../../engine/queries.ts";

/** The most stores that are remembered. */
const maxKnown = 100_000;
/** An answer is kept this long, because a split of a shard gives its stores other shards. */
const keptMs = minuteMs;

/** Tells in which shard a store lies. It asks the coordinator, and keeps the answer. */
export function shardFinder({ read, db }: SqlEngine, table: string) {
  let known = new Map<string, number>();
  let since = performance.now();

  const select = (stores: readonly string[]) => sql<{ store_id: string; shard: number }>`
    select s.id as store_id,
      get_shard_id_for_distribution_column(cast(${table} as regclass), s.id) as shard
    from unnest(cast(${stores} as text[])) as s(id)`;

  return async (stores: readonly string[]): Promise<(store_id: string) => number> => {
    if (known.size > maxKnown || performance.now() - since > keptMs) {
      known = new Map();
      since = performance.now();
    }

    const found = known;
    const missing = [...new Set(stores)].filter((store_id) => !found.has(store_id));
    if (missing.length > 0)
      for (const { store_id, shard } of await read(() => many(select(missing).compile(db))))
        found.set(store_id, shard);
    return (store_id) => found.get(store_id) ?? -1;
  };
}
