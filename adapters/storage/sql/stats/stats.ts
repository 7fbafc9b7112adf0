import type { StatsStore } from "../../../../src/storage/stats-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { countDeliveries } from "./count-deliveries.ts";
import { countOrders } from "./count-orders.ts";
import { listHours } from "./hours.ts";
import { sessionRollup } from "./roll-up-sessions.ts";

/**
 * Reads the numbers for the owner, and adds to them for maintenance. It is loaded
 * at the first call. Each transaction stays within one store, as Citus needs it.
 */
export const sqlStats = (engine: SqlEngine): StatsStore => ({
  listHours: (query) => engine.read(() => listHours(engine, query)),
  countOrders: (limit) => countOrders(engine, limit),
  countDeliveries: (limit) => countDeliveries(engine, limit),
  rollUpSessions: sessionRollup(engine),
});
