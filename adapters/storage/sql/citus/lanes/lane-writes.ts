import { fail } from "#core/contract/errors.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { groupBy } from "./group-by.ts";
import { isUnavailable } from "./is-unavailable.ts";
import type { NodeWatch } from "./node-watch.ts";
import type { CitusNode } from "./placements.ts";
import { shardFinder } from "./shard-finder.ts";

/** Items of stores that lie in one shard. */
export interface ShardPart<Item> {
  readonly items: readonly Item[];
  /** Names each store of the items once. A statement for no other store is one task of Citus. */
  readonly stores: readonly string[];
}

export interface ShardResults<Item, Result> {
  readonly done: readonly Result[];
  /** The items of shards that could not be written. */
  readonly failed: readonly Item[];
  /** The error of the items that failed. Undefined when none failed. */
  readonly failure: unknown;
}

interface OfStore {
  readonly store_id: string;
}

/**
 * Runs the work for the items of each shard, on several nodes at the same time, and
 * leaves out lost nodes. It rejects for an error that does not come from the
 * database, and when nothing could be done although no node was lost.
 */
export type LaneWriter = <Item extends OfStore, Result>(
  items: readonly Item[],
  work: (part: ShardPart<Item>) => Promise<Result>,
  /** Limits how many shards run at a time, because each takes a connection of the pool. */
  atOnce?: number,
) => Promise<ShardResults<Item, Result>>;

export function laneWriter(engine: SqlEngine, watch: NodeWatch, table: string): LaneWriter {
  const findShards = shardFinder(engine, table);

  return async function writeEach<Item extends OfStore, Result>(
    items: readonly Item[],
    work: (part: ShardPart<Item>) => Promise<Result>,
    atOnce = 4,
  ) {
    const { nodeOf } = await watch.find();
    const shardOf = await findShards(items.map(({ store_id }) => store_id));
    const shards = [...groupBy(items, ({ store_id }) => shardOf(store_id))];
    const lanes = [...groupBy(shards, ([shard]) => nodeOf.get(shard))];

    const done: Result[] = [];
    const failed: Item[] = [];
    const failures: { readonly error: unknown; readonly isLost: boolean }[] = [];
    const isLost = (node: CitusNode | undefined): boolean => !!node && watch.isLost(node);

    const run = async (node: CitusNode | undefined, ofShard: readonly Item[]): Promise<void> => {
      const stores = [...new Set(ofShard.map(({ store_id }) => store_id))];
      try {
        if (isLost(node)) fail("service_unavailable", { retry_after: 1 });
        done.push(await work({ items: ofShard, stores }));
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (!isLost(node)) await watch.lookAround();
        failed.push(...ofShard);
        failures.push({ error, isLost: isLost(node) });
      }
    };

    const perLane = Math.max(1, Math.floor(atOnce / lanes.length));
    await inTurns(lanes, atOnce, ([node, ofNode]) =>
      inTurns(ofNode, perLane, ([, ofShard]) => run(node, ofShard)),
    );
    const unexplained = failures.find((failure) => !failure.isLost);
    if (done.length === 0 && unexplained) throw unexplained.error;
    return { done, failed, failure: failures[0]?.error };
  };
}

/**
 * Works on `most` items at a time. After all have ended it rejects with the first
 * error, if any.
 */
async function inTurns<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const errors: unknown[] = [];

  const runner = async (): Promise<void> => {
    for (const item of queue) await work(item).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, runner));
  if (errors.length > 0) throw errors[0];
}
