import {
  attemptDueAt,
  awaitsCall,
  dueAt,
  type Partition,
  renewalWorkAt,
  subscriptionEndsAt,
  type TestWork,
  type WorkClaim,
  type WorkRecords,
} from "vitrine/storage";
import { inMode, offsetIn, type Tables } from "./tables.ts";

/** Rows of a kind, some of which wait for a real time, and whether a call is under way for them. */
interface Work<Row extends Partition> {
  readonly rows: readonly Row[];
  readonly dueAt: (row: Row) => number | null;
  readonly awaitsCall: (row: Row) => boolean;
}

function workOf(
  t: Tables,
  of?: Partition,
): { readonly [K in keyof WorkRecords]: Work<WorkRecords[K]> } {
  const mode = of && inMode(of);
  const waiting = <Row extends Partition>(
    rows: readonly Row[],
    timeOf: (row: Row) => number | null | undefined,
  ): Work<Row> => ({
    rows,
    dueAt: (row) => dueAt(timeOf(row), offsetIn(t, row)),
    awaitsCall: () => false,
  });
  const subscriptions = t.subscriptions.where(mode);

  return {
    orders: waiting(t.orders.where(mode), ({ sweep_at }) => sweep_at),
    holds: waiting(t.sessions.where(mode), ({ sweep_at }) => sweep_at),
    payments: waiting(t.payments.where(mode), ({ check_at }) => check_at),
    refunds: waiting(t.refunds.where(mode), ({ check_at }) => check_at),
    subscriptions: waiting(subscriptions, subscriptionEndsAt),
    renewals: waiting(subscriptions, renewalWorkAt),
    attempts: {
      rows: t.attempts.where(mode),
      dueAt: (attempt) => attemptDueAt(attempt, offsetIn(t, attempt)),
      awaitsCall,
    },
  };
}

/** Gives the first time at which work was due that nobody has leased. */
export function workDueSince(t: Tables, now: number): number | null {
  const timesOf = <Row extends Partition>({ rows, dueAt }: Work<Row>): readonly number[] =>
    rows.flatMap((row) => t.leases.get(row) ?? dueAt(row) ?? []);
  const work = workOf(t);
  const times = [
    ...timesOf(work.orders),
    ...timesOf(work.holds),
    ...timesOf(work.payments),
    ...timesOf(work.refunds),
    ...timesOf(work.subscriptions),
    ...timesOf(work.renewals),
    ...timesOf(work.attempts),
  ];
  return times.filter((time) => time <= now).sort((a, b) => a - b)[0] ?? null;
}

/** Claims the rows whose time has come, the oldest first. */
export function claimWork<Kind extends keyof WorkRecords>(
  t: Tables,
  kind: Kind,
  { now, until, test_until = until, of, limit }: WorkClaim,
): readonly WorkRecords[Kind][] {
  const { rows, dueAt }: Work<WorkRecords[Kind]> = workOf(t, of)[kind];
  const due = rows
    .map((row) => ({ row, due_at: t.leases.get(row) ?? dueAt(row) ?? Number.POSITIVE_INFINITY }))
    .filter(({ due_at }) => due_at <= now)
    .sort((one, other) => one.due_at - other.due_at)
    .slice(0, limit)
    .map(({ row }) => row);

  if (kind !== "subscriptions")
    for (const row of due) t.leases.set(row, row.livemode ? until : test_until);
  return due;
}

const testDeliveries = (t: Tables, store_id: string) =>
  t.deliveries.where({ store_id, livemode: false, state: "pending" });

/** Tells what waits in the test mode of a store at this real time. */
export function testWork(t: Tables, store_id: string, now: number): TestWork {
  const work = workOf(t, { store_id, livemode: false });
  const waitingIn = <Row extends Partition>({ rows, dueAt, awaitsCall }: Work<Row>) =>
    rows.map((row) => {
      const leased = t.leases.get(row);
      return { due_at: leased ?? dueAt(row), is_held: leased !== undefined || awaitsCall(row) };
    });

  const deliveries = testDeliveries(t, store_id).filter(
    ({ endpoint_id }) => t.endpoints.get(endpoint_id)?.state === "enabled",
  );
  const waiting = [
    ...waitingIn(work.orders),
    ...waitingIn(work.holds),
    ...waitingIn(work.attempts),
    ...waitingIn(work.payments),
    ...waitingIn(work.refunds),
    ...waitingIn(work.subscriptions),
    ...waitingIn(work.renewals),
    ...deliveries.map(({ due_at, lease_token }) => ({ due_at, is_held: lease_token !== null })),
  ];
  const times = waiting.flatMap(({ due_at, is_held }) =>
    due_at === null || (is_held && due_at > now) ? [] : due_at,
  );
  return {
    next_due: times.length === 0 ? null : Math.min(...times),
    is_held: waiting.some(({ due_at, is_held }) => is_held && due_at !== null && due_at > now),
  };
}

/** Makes what waits for a real time due so much earlier, save what a worker holds. */
export function moveTestWork(t: Tables, store_id: string, ms: number): void {
  for (const delivery of testDeliveries(t, store_id)) {
    const { due_at, resume_due, lease_token } = delivery;
    const resumed = resume_due === null ? null : resume_due - ms;
    if (lease_token === null)
      t.deliveries.put({ ...delivery, due_at: due_at - ms, resume_due: resumed });
  }
}
