import type { TestWork } from "../../rules/clock/test-clock.ts";
import type { Partition } from "../../rules/records.ts";
import type { StoredDelivery } from "../../rules/webhooks/deliveries.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { putDelivery } from "../webhooks/webhook-state.ts";
import { leasedUntil, type WorkTable, workTables } from "./work-tables.ts";

/** A row that waits: for its time, or while somebody holds it. */
interface Waiting {
  readonly due_at: number;
  readonly is_held: boolean;
}

/** Tells what waits in the test mode of a store at this time. */
export function testWork(state: MemoryState, store_id: string, now: number): TestWork {
  const isOf = (row: Partition): boolean => row.store_id === store_id && !row.livemode;
  const { orders, holds, attempts, payments, refunds, subscriptions, renewals } = workTables(state);
  const waiting = [
    ...waitingRows(orders, isOf),
    ...waitingRows(holds, isOf),
    ...waitingRows(attempts, isOf),
    ...waitingRows(payments, isOf),
    ...waitingRows(refunds, isOf),
    ...waitingRows(subscriptions, isOf),
    ...waitingRows(renewals, isOf),
    ...testDeliveries(state, store_id).flatMap(({ endpoint_id, due_at, lease_token }) =>
      state.webhooks.endpoints.get(endpoint_id)?.state === "enabled"
        ? { due_at, is_held: lease_token !== null }
        : [],
    ),
  ];

  const isHeld = ({ due_at, is_held }: Waiting): boolean => is_held && due_at > now;
  const times = waiting.filter((row) => !isHeld(row)).map(({ due_at }) => due_at);
  return {
    next_due: times.length === 0 ? null : Math.min(...times),
    is_held: waiting.some(isHeld),
  };
}

function waitingRows<R extends Partition>(
  { rows, dueAt, awaitsCall }: WorkTable<R>,
  isOf: (row: R) => boolean,
): readonly Waiting[] {
  return [...rows.values()].filter(isOf).flatMap((row) => {
    const leased = leasedUntil(row);
    const due_at = leased ?? dueAt(row);
    return due_at === null ? [] : { due_at, is_held: leased !== null || awaitsCall(row) };
  });
}

/** Moves what waits for a real time. The other tables are read in the time of their mode. */
export function moveTestWork(state: MemoryState, store_id: string, ms: number): void {
  for (const delivery of testDeliveries(state, store_id)) {
    const { due_at, resume_due, lease_token } = delivery;
    if (lease_token !== null) continue;
    const resumed = resume_due === null ? null : resume_due - ms;
    putDelivery(state.webhooks, { ...delivery, due_at: due_at - ms, resume_due: resumed });
  }
}

function testDeliveries({ webhooks }: MemoryState, store_id: string): readonly StoredDelivery[] {
  const prefix = rowKey({ store_id, livemode: false });
  return [...webhooks.deliveries.values()].filter(
    (delivery) => delivery.state === "pending" && rowKey(delivery) === prefix,
  );
}
