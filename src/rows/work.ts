import { attemptDueAt, awaitsCall, dueAt } from "../rules/clock/due-times.ts";
import type { TestWork } from "../rules/clock/test-clock.ts";
import type { AttemptRecord } from "../rules/payments/payment-records.ts";
import type { Partition } from "../rules/records.ts";
import { renewalWorkAt, subscriptionEndsAt } from "../rules/subscriptions/subscription-record.ts";
import type { StoredDelivery } from "../rules/webhooks/deliveries.ts";
import type { WorkClaim, WorkRecords } from "../storage/order-store.ts";
import { isIn } from "./page.ts";

type WorkKind = keyof WorkRecords;
type WorkRow = WorkRecords[WorkKind];

/** The work that maintenance claims, in a storage that holds all its rows. */
export interface WorkRows {
  rowsOf<Kind extends WorkKind>(kind: Kind): Iterable<WorkRecords[Kind]>;
  /** Gives how far the clock of a mode is ahead of the real time. */
  offsetOf(partition: Partition): number;
  /**
   * The ends of leases. A row that is written is another object, so its lease is over. A storage
   * that outlives its process stores leases by table and key. Before a claim it fills a new map
   * with them, and after the claim it stores the leases of the claimed rows. Writing a row deletes
   * its stored lease.
   */
  readonly leases: WeakMap<object, number>;
}

/** What a row of a kind waits for. */
interface Waits<Row> {
  /** Gives the real time at which its work is due, whoever holds it. */
  readonly dueAt: (row: Row, offset: number) => number | null;
  /** Tells whether it waits for the end of a call, which takes real time. */
  readonly awaitsCall?: (row: Row) => boolean;
}

const waitsOf: { readonly [Kind in WorkKind]: Waits<WorkRecords[Kind]> } = {
  orders: { dueAt: ({ sweep_at }, offset) => dueAt(sweep_at, offset) },
  holds: { dueAt: ({ sweep_at }, offset) => dueAt(sweep_at, offset) },
  attempts: { dueAt: attemptDueAt, awaitsCall: (attempt: AttemptRecord) => awaitsCall(attempt) },
  payments: { dueAt: ({ check_at }, offset) => dueAt(check_at, offset) },
  refunds: { dueAt: ({ check_at }, offset) => dueAt(check_at, offset) },
  subscriptions: { dueAt: (row, offset) => dueAt(subscriptionEndsAt(row), offset) },
  renewals: { dueAt: (row, offset) => dueAt(renewalWorkAt(row), offset) },
};

/** A row that waits, and whether somebody holds it or waits for it. */
interface Waiting<Row> {
  readonly row: Row;
  readonly due_at: number;
  readonly is_held: boolean;
}

function waitingOf<Kind extends WorkKind>(
  work: WorkRows,
  kind: Kind,
  of?: Partition,
): readonly Waiting<WorkRecords[Kind]>[] {
  const waits: Waits<WorkRecords[Kind]> = waitsOf[kind];
  const waiting: Waiting<WorkRecords[Kind]>[] = [];
  for (const row of work.rowsOf(kind)) {
    if (of && !isIn(of, row)) continue;
    const leased = work.leases.get(row);
    const due_at = leased ?? waits.dueAt(row, work.offsetOf(row));
    const is_held = leased !== undefined || waits.awaitsCall?.(row) === true;
    if (due_at !== null) waiting.push({ row, due_at, is_held });
  }
  return waiting;
}

const allWaiting = (work: WorkRows, of?: Partition): readonly Waiting<WorkRow>[] =>
  (Object.keys(waitsOf) as WorkKind[]).flatMap<Waiting<WorkRow>>((kind) =>
    waitingOf(work, kind, of),
  );

/** Claims rows whose time has come, the oldest first. The end of a subscription has no lease. */
export function claimRows<Kind extends WorkKind>(
  work: WorkRows,
  kind: Kind,
  { now, until, test_until = until, of, limit }: WorkClaim,
): readonly WorkRecords[Kind][] {
  const due = waitingOf(work, kind, of)
    .filter(({ due_at }) => due_at <= now)
    .sort((one, other) => one.due_at - other.due_at)
    .slice(0, limit)
    .map(({ row }) => row);
  if (kind !== "subscriptions")
    for (const row of due) work.leases.set(row, row.livemode ? until : test_until);
  return due;
}

/** Gives the first time at which work was due that nobody has leased. */
export function workDueSince(work: WorkRows, now: number): number | null {
  const times = allWaiting(work).map(({ due_at }) => due_at);
  return times.reduce<number | null>(
    (first, time) => (time <= now && (first === null || time < first) ? time : first),
    null,
  );
}

/** Tells what waits in the test mode of a store. The deliveries are those to enabled endpoints. */
export function testWorkOf(
  work: WorkRows,
  deliveries: readonly StoredDelivery[],
  { store_id, now }: { readonly store_id: string; readonly now: number },
): TestWork {
  const waiting = [
    ...allWaiting(work, { store_id, livemode: false }),
    ...deliveries.map(({ due_at, lease_token }) => ({ due_at, is_held: lease_token !== null })),
  ];
  const held = waiting.filter(({ due_at, is_held }) => is_held && due_at > now);
  const times = waiting.filter((row) => !held.includes(row)).map(({ due_at }) => due_at);
  return { next_due: times.length === 0 ? null : Math.min(...times), is_held: held.length > 0 };
}

/** Makes a pending delivery due earlier. Gives null for one that a worker holds. */
export function movedEarlier(delivery: StoredDelivery, ms: number): StoredDelivery | null {
  const { due_at, resume_due, lease_token } = delivery;
  if (lease_token !== null) return null;
  const resumed = resume_due === null ? null : resume_due - ms;
  return { ...delivery, due_at: due_at - ms, resume_due: resumed };
}
