import { withReservationSettled } from "../rules/order-record.ts";
import type { AttemptRecord } from "../rules/payment-records.ts";
import type { Partition } from "../rules/records.ts";
import { subscriptionEndsAt } from "../rules/subscription-record.ts";
import type {
  AttemptNames,
  OrderStore,
  OrdersOfAllStores,
  WorkClaim,
} from "../storage/order-store.ts";
import { raiseAlert } from "./order-changes.ts";
import { type MemoryState, rowKey } from "./state.ts";

type Maintenance = OrdersOfAllStores & Pick<OrderStore, "settleReservation" | "raiseOrderAlert">;

/**
 * Does what spans stores: it finds work that is due, and the payment that a
 * gateway's message is about.
 */
export function memoryMaintenance(state: MemoryState): Maintenance {
  const { orders, attempts, payments, refunds, subscriptions } = state.orders;
  const { sessions } = state.checkout;

  return {
    claimOrders: async (work) => {
      const due = dueRows(orders, work, (order) => order.sweep_at);
      return lease(orders, due, { sweep_at: work.until });
    },

    claimHolds: async (work) => {
      const due = dueRows(sessions, work, (session) => session.sweep_at ?? null);
      return lease(sessions, due, { sweep_at: work.until });
    },

    claimAttempts: async (work) => {
      const due = dueRows(attempts, work, (attempt) => attempt.check_at);
      return lease(attempts, due, { check_at: work.until });
    },

    claimPayments: async (work) => {
      const due = dueRows(payments, work, (payment) => payment.check_at);
      return lease(payments, due, { check_at: work.until });
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

    raiseOrderAlert: async (alert) => raiseAlert(state, alert),

    findAttempts: async (names) =>
      [...attempts.values()]
        .filter((attempt) => isNamed(state, attempt, names))
        .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)),
  };
}

function isNamed(state: MemoryState, attempt: AttemptRecord, names: AttemptNames): boolean {
  if (attempt.id === names.payment_id) return true;

  const isSameAccount =
    attempt.gateway === names.gateway &&
    attempt.livemode === names.livemode &&
    attempt.account === names.account;
  if (!isSameAccount) return false;

  const carriers = names.references.map((reference) =>
    state.orders.attempts_by_reference.get(rowKey(attempt, reference)),
  );
  return carriers.some((ids) => ids?.has(attempt.id));
}

/** Gives the rows whose time has come, the oldest first. */
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
