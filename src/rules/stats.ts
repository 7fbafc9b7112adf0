import type { OrderChanges } from "./order-changes.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { AttemptRecord, DisputeRecord, RefundRecord } from "./payment-records.ts";

/** What is counted by the hour (docs/contract.md#numbers). */
export const statKinds = ["paid", "refunded", "dispute_lost", "payment_failed"] as const;

export type StatKind = (typeof statKinds)[number];

/** What a step adds to one hour. Both numbers are negative when something is taken back. */
export interface StatChange {
  readonly kind: StatKind;
  readonly currency: string;
  /** When the UTC hour begins, in epoch milliseconds. */
  readonly hour: number;
  readonly count: number;
  /** Minor units. */
  readonly amount: number;
}

/** The part of a snapshot that tells what was counted before. */
export type CountedBefore = Pick<OrderSnapshot, "order" | "attempts" | "refunds" | "disputes">;

const hourMs = 3_600_000;

/** When the UTC hour of this time begins. Both are epoch milliseconds. */
export const startOfHour = (time: number): number => Math.floor(time / hourMs) * hourMs;

/**
 * What a step adds to the numbers of its store: the difference between the records
 * before and after it, at the time of the step. All steps that add to several rows
 * add to them in this order, so that they never wait for each other in a circle.
 */
export function statsOf(before: CountedBefore, changes: OrderChanges): readonly StatChange[] {
  const { order } = changes;
  if (!order) return [];

  const { currency, paid_at } = order;
  const paid: StatChange[] = [];
  const known = before.order?.id === order.id ? before.order : null;
  if (paid_at !== null && (known === null || known.paid_at === null))
    paid.push({
      kind: "paid",
      currency,
      hour: startOfHour(paid_at),
      count: 1,
      amount: order.amount_total,
    });

  const all = [
    ...paid,
    ...differences(currency, before.refunds, changes.refunds, refunded),
    ...differences(currency, before.disputes, changes.disputes, disputeLost),
    ...differences(currency, before.attempts, changes.attempts, paymentFailed),
  ];
  return all.length < 2 ? all : merge(all);
}

interface Dated {
  readonly id: string;
  readonly updated_at: number;
}

interface Rule<Row> {
  readonly kind: StatKind;
  readonly counts: (row: Row) => boolean;
  readonly amountOf: (row: Row) => number;
}

const refunded: Rule<RefundRecord> = {
  kind: "refunded",
  counts: ({ state }) => state === "succeeded",
  amountOf: ({ amount }) => amount,
};

const disputeLost: Rule<DisputeRecord> = {
  kind: "dispute_lost",
  counts: ({ outcome }) => outcome === "lost",
  amountOf: ({ amount }) => amount,
};

/** A replaced attempt has not failed: a newer one waits for the same payment. */
const paymentFailed: Rule<AttemptRecord> = {
  kind: "payment_failed",
  counts: ({ state, failure_code }) => state === "failed" && failure_code !== "replaced",
  amountOf: () => 0,
};

/** One entry for each record that begins or ends to count by the rule. */
function differences<Row extends Dated>(
  currency: string,
  before: readonly Row[],
  after: readonly Row[],
  { kind, counts, amountOf }: Rule<Row>,
): readonly StatChange[] {
  return after.flatMap((row) => {
    const known = before.find(({ id }) => id === row.id);
    const counted = known !== undefined && counts(known);
    if (counts(row) === counted) return [];

    const hour = startOfHour(row.updated_at);
    return counted
      ? [{ kind, currency, hour, count: -1, amount: -amountOf(known) }]
      : [{ kind, currency, hour, count: 1, amount: amountOf(row) }];
  });
}

const keyOf = ({ hour, kind }: StatChange): string => `${hour} ${kind}`;

/** One entry for each hour and kind, in the order of the locks. */
function merge(changes: readonly StatChange[]): readonly StatChange[] {
  const merged = new Map<string, StatChange>();
  for (const change of changes) {
    const known = merged.get(keyOf(change));
    const count = (known?.count ?? 0) + change.count;
    const amount = (known?.amount ?? 0) + change.amount;
    merged.set(keyOf(change), { ...change, count, amount });
  }

  return [...merged.values()]
    .filter(({ count, amount }) => count !== 0 || amount !== 0)
    .sort((a, b) => a.hour - b.hour || (a.kind < b.kind ? -1 : 1));
}
