import type { PaymentMethod } from "../../contract/schemas.ts";
import { floorTo, hourMs } from "../../domain/durations.ts";
import { type OrderChanges, orderChanges } from "../orders/order-changes.ts";
import { emptySnapshot, type OrderSnapshot } from "../orders/order-snapshot.ts";
import { isSameFee } from "../payments/fees/payment-fee.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import type { AttemptLog } from "../webhooks/webhook-records.ts";

/** Names the orders that were paid by a method of this type. */
export const paidWith = (type: PaymentMethod["type"]): `paid_with_${PaymentMethod["type"]}` =>
  `paid_with_${type}`;

/**
 * What is counted by the hour, apart from paid orders by method
 * (docs/contract/back-office.md#numbers).
 */
export const statKinds = [
  "paid",
  "paid_by_agent",
  "fee",
  "refunded",
  "dispute_lost",
  "payment_failed",
  "session_created",
  "session_completed",
  "delivery_succeeded",
  "delivery_failed",
  "subscription_started",
  "subscription_ended",
  "period_recovered",
] as const;

/** One of the things that are counted by the hour. */
export type StatKind = (typeof statKinds)[number] | ReturnType<typeof paidWith>;

/** What a step adds to one hour. Both numbers are negative when something is taken back. */
export interface StatChange {
  readonly kind: StatKind;
  /** The currency is empty for sessions and deliveries, because they have no price. */
  readonly currency: string;
  /** The time at which the UTC hour begins, in epoch milliseconds. */
  readonly hour: number;
  readonly count: number;
  /** The amount is in minor units. */
  readonly amount: number;
}

/** The part of a snapshot that tells what was counted before. */
export type CountedBefore = Pick<
  OrderSnapshot,
  "order" | "attempts" | "refunds" | "disputes" | "subscription"
>;

/** The counts of sessions and deliveries have no price. */
const withoutPrice = { currency: "", amount: 0 } as const;

/** Gives the time when the UTC hour of this time begins. Both are epoch milliseconds. */
export const startOfHour = (time: number): number => floorTo(hourMs, time);

/**
 * Gives what a step adds to the numbers of its store: the difference between the
 * records before and after it, at the time of the step. All steps that add to
 * several rows add to them in this order, so that they never wait for each other in
 * a circle.
 */
export function statsOf(before: CountedBefore, changes: OrderChanges): readonly StatChange[] {
  const { order } = changes;
  const ofSubscription = subscriptionStats(before.subscription, changes);
  if (!order?.in_stats) return ofSubscription;

  const { currency, paid_at } = order;
  const paid: StatChange[] = [];
  const known = before.order?.id === order.id ? before.order : null;
  if (paid_at !== null && (known === null || known.paid_at === null)) {
    const sale = { currency, hour: startOfHour(paid_at), count: 1, amount: order.amount_total };
    paid.push({ ...sale, kind: "paid" });
    if (order.channel !== undefined) paid.push({ ...sale, kind: "paid_by_agent" });
    const method = order.payment_method_type;
    if (method) paid.push({ ...sale, kind: paidWith(method) });
  }

  const all = [
    ...paid,
    ...fees(known, order),
    ...(paid.length > 0 && changes.session ? [completed(changes.session)] : []),
    ...differences(currency, before.refunds, changes.refunds, refunded),
    ...differences(currency, before.disputes, changes.disputes, disputeLost),
    ...differences(currency, before.attempts, changes.attempts, paymentFailed),
    ...ofSubscription,
  ];
  return all.length < 2 ? all : mergeStats(all);
}

/**
 * Counts what the provider keeps of a payment, in the hour in which it came, however late its fee
 * is told, in the fee's own currency. The count is the number of orders whose fee is known. A fee
 * in another currency than its order's is not counted: the order's currency has no sum to show.
 */
function fees(before: OrderRecord | null, after: OrderRecord): readonly StatChange[] {
  if (isSameFee(before?.fee, after.fee)) return [];

  const of = (order: OrderRecord | null, sign: 1 | -1): readonly StatChange[] => {
    if (!order?.fee || order.paid_at === null) return [];
    const { amount, currency } = order.fee;
    const hour = startOfHour(order.paid_at);
    const count = currency === order.currency ? sign : 0;
    return [{ kind: "fee", hour, currency, count, amount: sign * amount }];
  };
  return [...of(before, -1), ...of(after, 1)];
}

/** Counts a subscription that begins, that ends, or whose open period is paid after all. */
function subscriptionStats(
  before: SubscriptionRecord | null,
  { subscription: after, order }: OrderChanges,
): readonly StatChange[] {
  if (after === null) return [];

  const hour = startOfHour(after.updated_at);
  const one = { currency: after.currency, hour, count: 1, amount: after.amount };
  if (before === null) return [{ ...one, kind: "subscription_started" }];
  if (before.status !== "canceled" && after.status === "canceled")
    return [{ ...one, kind: "subscription_ended" }];
  if (before.status === "past_due" && after.status === "active")
    return [{ ...one, kind: "period_recovered", amount: order?.amount_total ?? before.amount }];
  return [];
}

/** The records of an order in their present state. */
export interface OrderHistoryRows {
  readonly order: NonNullable<OrderChanges["order"]>;
  /** The session is null for an order without one. */
  readonly session: SessionRecord | null;
  readonly attempts: readonly AttemptRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly disputes: readonly DisputeRecord[];
}

/**
 * Gives the numbers of a whole order of an older version, when maintenance counts
 * it. The order has `in_stats` set, so that its later steps are counted one by one.
 */
export const statsOfHistory = (history: OrderHistoryRows): readonly StatChange[] =>
  statsOf(emptySnapshot, orderChanges(history));

/** Gives what an attempt to deliver an event adds to the hour in which it began. */
export const statOfDelivery = ({
  started_at,
  error,
}: Pick<AttemptLog, "started_at" | "error">): StatChange => ({
  ...withoutPrice,
  kind: error === null ? "delivery_succeeded" : "delivery_failed",
  hour: startOfHour(started_at),
  count: 1,
});

/** Gives what sessions add to the hour in which they were created. */
export const statOfSessions = (hour: number, count: number): StatChange => ({
  ...withoutPrice,
  kind: "session_created",
  hour,
  count,
});

/** Counts a completed session in the hour of its creation, so that shares can be calculated. */
const completed = ({ created_at }: SessionRecord): StatChange => ({
  kind: "session_completed",
  currency: withoutPrice.currency,
  hour: startOfHour(created_at),
  count: 1,
  amount: withoutPrice.amount,
});

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

/**
 * Counts an attempt that failed. A replaced attempt has not failed: a newer one
 * waits for the same payment.
 */
const paymentFailed: Rule<AttemptRecord> = {
  kind: "payment_failed",
  counts: ({ state, failure_code }) => state === "failed" && failure_code !== "replaced",
  amountOf: () => 0,
};

/** Gives one entry for each record that begins or ends to count by the rule. */
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

const keyOf = ({ hour, kind, currency }: StatChange): string => `${hour} ${kind} ${currency}`;

/**
 * Adds up two changes of the same hour, kind and currency. It names each field,
 * because V8 adds those after a spread one by one, at a microsecond each.
 */
export const addUp = (
  { kind, currency, hour, count, amount }: StatChange,
  more: StatChange,
): StatChange => ({
  kind,
  currency,
  hour,
  count: count + more.count,
  amount: amount + more.amount,
});

/**
 * Merges the changes into one entry for each hour, kind and currency, in the order
 * of the locks.
 */
export function mergeStats(changes: readonly StatChange[]): readonly StatChange[] {
  const merged = new Map<string, StatChange>();
  for (const change of changes) {
    const key = keyOf(change);
    const known = merged.get(key);
    merged.set(key, known ? addUp(known, change) : change);
  }

  return [...merged.values()]
    .filter(({ count, amount }) => count !== 0 || amount !== 0)
    .sort((a, b) => a.hour - b.hour || (keyOf(a) < keyOf(b) ? -1 : 1));
}
