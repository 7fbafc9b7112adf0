import type { WorkRows } from "../../rows/work.ts";
import type { WorkRecords } from "../../storage/order-store.ts";
import type { MemoryState } from "../state.ts";
import { testOffset } from "./test-offset.ts";

const leases = new WeakMap<object, number>();

type Tables = {
  readonly [Kind in keyof WorkRecords]: ReadonlyMap<string, WorkRecords[Kind]>;
};

/** Gives the work that maintenance claims. */
export function workRows(state: MemoryState): WorkRows {
  const { orders, attempts, payments, refunds, subscriptions } = state.orders;
  const { sessions } = state.checkout;
  const tables: Tables = {
    orders,
    holds: sessions,
    attempts,
    payments,
    refunds,
    subscriptions,
    renewals: subscriptions,
  };
  return {
    rowsOf: (kind) => tables[kind].values(),
    offsetOf: (partition) => testOffset(state, partition),
    leases,
  };
}
