import { withReservationSettled } from "../../rules/orders/order-record.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { Partition } from "../../rules/records.ts";
import { subscriptionEndsAt } from "../../rules/subscriptions/subscription-record.ts";
import type {
  AttemptNames,
  OrderStore,
  OrdersOfAllStores,
  WorkClaim,
  WorkRecords,
} from "../../storage/order-store.ts";
import { type MemoryState, rowKey } from "../state.ts";
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
  const { orders, attempts, payments, refunds, subscriptions } = state.orders;
  const { sessions } = state.checkout;
  const jobs: Jobs = {
    orders: leasing(orders, "sweep_at"),
    holds: leasing(sessions, "sweep_at"),
    attempts: leasing(attempts, "check_at"),
    payments: leasing(payments, "check_at"),
    refunds: leasing(refunds, "check_at"),
    subscriptions: (work) => dueRows(subscriptions, work, subscriptionEndsAt),
  };

  return {
    claimWork: async (kind, work) => jobs[kind](work),

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

/** Claims the rows whose time in the column has come, and writes when they are due again. */
const leasing =
  <Column extends string, R extends DueRow<Column>>(rows: Map<string, R>, column: Column) =>
  (work: WorkClaim): readonly R[] => {
    const due = dueRows(rows, work, (row) => row[column] ?? null);
    const leased = due.map((row) => ({ ...row, [column]: work.until }));
    for (const row of leased) rows.set(rowKey(row, row.id), row);
    return leased;
  };

type DueRow<Column extends string> = Partition & { readonly id: string } & {
  readonly [Name in Column]?: number | null;
};
