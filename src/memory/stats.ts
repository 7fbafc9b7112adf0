import { sumSales } from "../rows/sales.ts";
import { addUp, type StatChange, startOfHour, statOfSessions } from "../rules/owner/stats.ts";
import type { Partition, SessionRecord } from "../rules/records.ts";
import type { StatsStore } from "../storage/reads/stats-store.ts";
import { rowKey } from "./row-key.ts";
import type { MemoryState } from "./state.ts";

export const memoryStats = (state: MemoryState): StatsStore => ({
  async listHours({ from, to, sales, ...partition }) {
    const complete_from = { orders: null, sessions: null, deliveries: null };
    if (sales) {
      const { orders, kept_sales } = state.orders;
      const query = { ...partition, ...sales, from, to };
      const rows = sumSales(orders.values(), query, kept_sales.values());
      return { rows: [], complete_from, sales: { rows, complete_from: null, kept: null } };
    }

    const prefix = rowKey(partition);
    const isAsked = (key: string, { hour }: StatChange): boolean =>
      key.startsWith(prefix) && hour >= from && hour < to;

    const counted = [...state.stats].flatMap(([key, row]) => (isAsked(key, row) ? [row] : []));
    const sessions = [...state.checkout.sessions].flatMap(([key, session]) => {
      const row = statOfSession(session);
      return isAsked(key, row) ? [row] : [];
    });
    return { rows: [...counted, ...sessions], complete_from };
  },

  async sumSubscriptions(partition) {
    const { sumSubscriptions } = await import("../rules/subscriptions/subscription-sums.ts");
    return sumSubscriptions([...state.orders.subscriptions.values()], partition);
  },

  // No older version has written here, and sessions are counted when they are read.
  count: async () => 0,
});

export const statOfSession = ({ created_at }: SessionRecord): StatChange =>
  statOfSessions(startOfHour(created_at), 1);

export function addStat({ stats }: MemoryState, partition: Partition, change: StatChange): void {
  const { kind, currency, hour } = change;
  const key = rowKey(partition, `${kind}\n${currency}\n${hour}`);
  const known = stats.get(key);
  stats.set(key, known ? addUp(known, change) : change);
}
