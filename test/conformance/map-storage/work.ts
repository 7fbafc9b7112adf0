import {
  movedEarlier,
  type TestWork,
  testWorkOf,
  type WorkRecords,
  type WorkRows,
} from "vitrine/storage";
import { offsetIn, type Table, type Tables } from "./tables.ts";

/** Gives the work that maintenance claims. */
export function workRows(t: Tables): WorkRows {
  const tables: { readonly [Kind in keyof WorkRecords]: Table<WorkRecords[Kind]> } = {
    orders: t.orders,
    holds: t.sessions,
    attempts: t.attempts,
    payments: t.payments,
    refunds: t.refunds,
    subscriptions: t.subscriptions,
    renewals: t.subscriptions,
  };
  return {
    rowsOf: (kind) => tables[kind].where(),
    offsetOf: (partition) => offsetIn(t, partition),
    leases: t.leases,
  };
}

const testDeliveries = (t: Tables, store_id: string) =>
  t.deliveries.where({ store_id, livemode: false, state: "pending" });

/** Tells what waits in the test mode of a store at this real time. */
export function testWork(t: Tables, store_id: string, now: number): TestWork {
  const deliveries = testDeliveries(t, store_id).filter(
    ({ endpoint_id }) => t.endpoints.get(endpoint_id)?.state === "enabled",
  );
  return testWorkOf(workRows(t), deliveries, { store_id, now });
}

/** Makes what waits for a real time due so much earlier, save what a worker holds. */
export function moveTestWork(t: Tables, store_id: string, ms: number): void {
  for (const delivery of testDeliveries(t, store_id)) {
    const moved = movedEarlier(delivery, ms);
    if (moved) t.deliveries.put(moved);
  }
}
