import type { OrderChanges } from "../rules/order-changes.ts";
import type { Partition } from "../rules/records.ts";
import { type CountedBefore, type StatChange, statsOf } from "../rules/stats.ts";
import type { StatsStore } from "../storage/stats-store.ts";
import { type MemoryState, rowKey } from "./state.ts";

export const memoryStats = ({ stats }: MemoryState): StatsStore => ({
  async listHours({ from, to, ...partition }) {
    const prefix = rowKey(partition);
    const rows = [...stats].flatMap(([key, row]) =>
      key.startsWith(prefix) && row.hour >= from && row.hour < to ? [row] : [],
    );
    return { rows, counted_since: null };
  },
});

/** Adds what a step changes to the numbers of its store. */
export function countStats(
  { stats }: MemoryState,
  partition: Partition,
  before: CountedBefore,
  changes: OrderChanges,
): void {
  for (const change of statsOf(before, changes)) {
    const { kind, currency, hour } = change;
    const key = rowKey(partition, `${kind}\n${currency}\n${hour}`);
    const known: StatChange = stats.get(key) ?? { ...change, count: 0, amount: 0 };
    const count = known.count + change.count;
    stats.set(key, { ...known, count, amount: known.amount + change.amount });
  }
}
