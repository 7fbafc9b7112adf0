import type { StatsStore } from "#core/storage/reads/stats-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { countDeliveries } from "./count-deliveries.ts";
import { countOrders } from "./count-orders.ts";
import { findDeletedBefore, listHours } from "./hours.ts";
import { sessionRollup } from "./roll-up-sessions.ts";
import { listSales } from "./sales/list-sales.ts";
import { salesWalk } from "./sales/walk-stores.ts";
import { sumSubscriptions } from "./sum-subscriptions.ts";

/**
 * Reads the numbers for the owner, and adds to them for maintenance. It is loaded
 * at the first call. Each transaction stays within one store, as Citus needs it.
 */
export function sqlStats(engine: SqlEngine): StatsStore {
  // The migrations were applied before the first call, so one reading serves all later calls.
  let deletedBefore: number | null | undefined;

  const counters = {
    orders: (_now: number, limit: number) => countOrders(engine, limit),
    deliveries: (_now: number, limit: number) => countDeliveries(engine, limit),
    sessions: sessionRollup(engine),
    sales: salesWalk(engine),
  };

  return {
    async listHours(query) {
      const { sales: asked, ...range } = query;
      if (asked) {
        const sales = await engine.read(() => listSales(engine, { ...range, ...asked }));
        return {
          rows: [],
          complete_from: { orders: null, sessions: null, deliveries: null },
          sales,
        };
      }

      if (deletedBefore === undefined)
        deletedBefore = await engine.read(() => findDeletedBefore(engine));
      const known = deletedBefore;
      return engine.read(() => listHours(engine, query, known));
    },
    sumSubscriptions: (partition) => engine.read(() => sumSubscriptions(engine, partition)),
    count: (kind, { now, limit }) => counters[kind](now, limit),
  };
}
