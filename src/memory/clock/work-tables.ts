import { attemptDueAt, awaitsCall, dueAt } from "../../rules/clock/due-times.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { Partition } from "../../rules/records.ts";
import {
  renewalWorkAt,
  subscriptionEndsAt,
} from "../../rules/subscriptions/subscription-record.ts";
import type { WorkRecords } from "../../storage/order-store.ts";
import type { MemoryState } from "../state.ts";
import { testOffset } from "./test-offset.ts";

/** Rows of a kind, some of which wait for a time. */
export interface WorkTable<R extends Partition> {
  readonly rows: ReadonlyMap<string, R>;
  /** Gives the real time at which the work of a row is due, whoever holds it. */
  readonly dueAt: (row: R) => number | null;
  /** Tells whether a row waits for the end of a call, which takes real time. */
  readonly awaitsCall: (row: R) => boolean;
}

/** Gives the tables of the work that maintenance claims. */
export function workTables(state: MemoryState): {
  readonly [Kind in keyof WorkRecords]: WorkTable<WorkRecords[Kind]>;
} {
  const { orders, attempts, payments, refunds, subscriptions } = state.orders;
  const table = <R extends Partition>(
    rows: ReadonlyMap<string, R>,
    timeOf: (row: R) => number | null | undefined,
  ): WorkTable<R> => ({
    rows,
    dueAt: (row) => dueAt(timeOf(row), testOffset(state, row)),
    awaitsCall: () => false,
  });

  return {
    orders: table(orders, ({ sweep_at }) => sweep_at),
    holds: table(state.checkout.sessions, ({ sweep_at }) => sweep_at),
    payments: table(payments, ({ check_at }) => check_at),
    refunds: table(refunds, ({ check_at }) => check_at),
    subscriptions: table(subscriptions, subscriptionEndsAt),
    renewals: table(subscriptions, renewalWorkAt),
    attempts: {
      rows: attempts,
      dueAt: (attempt: AttemptRecord) => attemptDueAt(attempt, testOffset(state, attempt)),
      awaitsCall,
    },
  };
}

/** Holds the ends of leases. A row that is written is another object, so its lease is over. */
const leases = new WeakMap<object, number>();

export const lease = (row: object, until: number): void => void leases.set(row, until);

export const leasedUntil = (row: object): number | null => leases.get(row) ?? null;
