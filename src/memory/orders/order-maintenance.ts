import { withReservationSettled } from "../../rules/orders/order-record.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { Partition } from "../../rules/records.ts";
import type {
  AttemptNames,
  OrderStore,
  OrdersOfAllStores,
  WorkClaim,
  WorkRecords,
} from "../../storage/order-store.ts";
import { lease, leasedUntil, type WorkTable, workTables } from "../clock/work-tables.ts";
import { isIn, type MemoryState, rowKey } from "../state.ts";
import { raiseAlert } from "./order-changes.ts";

type Jobs = {
  readonly [Kind in keyof WorkRecords]: (work: WorkClaim) => readonly WorkRecords[Kind][];
};

type Maintenance = OrdersOfAllStores & Pick<OrderStore, "settleReservation" | "raiseOrderAlert">;

/**
 * Does what spans stores: it finds work that is due, and the payment that a
 * gateway's message is about.
 */
export function memoryMaintenance(state: MemoryState): Maintenance {
  const { orders, attempts } = state.orders;
  const tables = workTables(state);
  const jobs: Jobs = {
    orders: leasing(tables.orders),
    holds: leasing(tables.holds),
    attempts: leasing(tables.attempts),
    payments: leasing(tables.payments),
    refunds: leasing(tables.refunds),
    subscriptions: (work) => dueRows(tables.subscriptions, work),
    renewals: leasing(tables.renewals),
  };

  return {
    claimWork: async (kind, work) => jobs[kind](work),

    async settleReservation(partition, order_id) {
      const key = rowKey(partition, order_id);
      const order = orders.get(key);
      const settled = order && withReservationSettled(order);
      if (settled) orders.set(key, settled);
    },

    raiseOrderAlert: async (alert) => raiseAlert(state, alert, 0),

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
function dueRows<R extends Partition>(
  { rows, dueAt }: WorkTable<R>,
  { now, limit, of }: WorkClaim,
): readonly R[] {
  const due: { readonly row: R; readonly due_at: number }[] = [];
  for (const row of rows.values()) {
    const due_at = leasedUntil(row) ?? dueAt(row);
    if (due_at !== null && due_at <= now && (!of || isIn(of, row))) due.push({ row, due_at });
  }
  due.sort((a, b) => a.due_at - b.due_at);
  return due.slice(0, limit).map(({ row }) => row);
}

/** Claims the rows whose time has come, and notes when they are due again. */
const leasing =
  <R extends Partition>(table: WorkTable<R>) =>
  (work: WorkClaim): readonly R[] => {
    const { until, test_until = until } = work;
    const due = dueRows(table, work);
    for (const row of due) lease(row, row.livemode ? until : test_until);
    return due;
  };
