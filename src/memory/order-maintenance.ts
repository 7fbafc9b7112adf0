import { withDuplicateSettled } from "../rules/order-attempt.ts";
import { withReservationSettled } from "../rules/order-record.ts";
import type { Partition } from "../rules/records.ts";
import { subscriptionEndsAt } from "../rules/subscription-record.ts";
import type { OrderStore, WorkClaim } from "../storage/order-store.ts";
import { type MemoryState, rowKey } from "./state.ts";

type Maintenance = Pick<
  OrderStore,
  | "claimOrders"
  | "claimAttempts"
  | "claimRefunds"
  | "claimSubscriptions"
  | "settleReservation"
  | "settleDuplicate"
  | "findAttempt"
>;

/** What spans stores: work that is due, and the payment that a gateway's message is about. */
export function memoryMaintenance(state: MemoryState): Maintenance {
  const { orders, attempts, refunds, subscriptions } = state.orders;

  return {
    claimOrders: async (work) => {
      const due = dueRows(orders, work, (order) => order.sweep_at);
      return lease(orders, due, { sweep_at: work.until });
    },

    claimAttempts: async (work) => {
      const due = dueRows(attempts, work, (attempt) => attempt.check_at);
      return lease(attempts, due, { check_at: work.until });
    },

    claimRefunds: async (work) => {
      const due = dueRows(refunds, work, (refund) => refund.check_at);
      return lease(refunds, due, { check_at: work.until });
    },

    // A subscription that has ended is no longer due, and ending it twice changes nothing: it needs
    // no lease.
    claimSubscriptions: async (work) => dueRows(subscriptions, work, subscriptionEndsAt),

    async settleReservation(partition, order_id) {
      const key = rowKey(partition, order_id);
      const order = orders.get(key);
      const settled = order && withReservationSettled(order);
      if (settled) orders.set(key, settled);
    },

    async settleDuplicate(partition, attempt_id, fate, now) {
      const key = rowKey(partition, attempt_id);
      const attempt = attempts.get(key);
      const settled = attempt && withDuplicateSettled(attempt, fate, now);
      if (settled) attempts.set(key, settled);
    },

    async findAttempt(gateway, livemode, { reference, id }) {
      const rows = [...attempts.values()].filter(
        (attempt) => attempt.gateway === gateway && attempt.livemode === livemode,
      );
      const found = rows.find(
        (attempt) => attempt.reference === reference || (id !== null && attempt.id === id),
      );
      return found ?? null;
    },
  };
}

/** Rows whose time has come, the oldest first. */
function dueRows<R>(
  rows: ReadonlyMap<string, R>,
  { now, limit }: WorkClaim,
  dueAt: (row: R) => number | null,
): readonly R[] {
  const due: { readonly row: R; readonly due_at: number }[] = [];
  for (const row of rows.values()) {
    const due_at = dueAt(row);
    if (due_at !== null && due_at <= now) due.push({ row, due_at });
  }
  due.sort((a, b) => a.due_at - b.due_at);
  return due.slice(0, limit).map(({ row }) => row);
}

/** Writes the rows with the time when they are due again. */
function lease<R extends Partition & { readonly id: string }>(
  rows: Map<string, R>,
  due: readonly R[],
  next: Partial<R>,
): readonly R[] {
  const leased = due.map((row) => ({ ...row, ...next }));
  for (const row of leased) rows.set(rowKey(row, row.id), row);
  return leased;
}
