import type { SubscriptionRecord } from "../payments/payment-records.ts";
import type { Partition } from "../records.ts";

/** Subscriptions that are alike, added up. Those that have ended are in no sum. */
export interface SubscriptionSum
  extends Pick<SubscriptionRecord, "currency" | "interval" | "interval_count"> {
  readonly status: Exclude<SubscriptionRecord["status"], "canceled">;
  /** True for those that end with their period. */
  readonly ending: boolean;
  readonly paused: boolean;
  readonly count: number;
  /** What one period of all of them costs, in minor units. */
  readonly amount: number;
}

/** Adds up the subscriptions of a store and mode. */
export function sumSubscriptions(
  all: readonly SubscriptionRecord[],
  { store_id, livemode }: Partition,
): readonly SubscriptionSum[] {
  const sums = new Map<string, SubscriptionSum>();
  for (const subscription of all) {
    const { status, currency, interval, interval_count, amount } = subscription;
    if (subscription.store_id !== store_id || subscription.livemode !== livemode) continue;
    if (status === "canceled") continue;

    const ending = subscription.cancel_at_period_end;
    const paused = subscription.paused_at != null;
    const key = JSON.stringify([status, ending, paused, currency, interval, interval_count]);
    const sum = sums.get(key) ?? {
      ...{ status, ending, paused, currency, interval, interval_count },
      count: 0,
      amount: 0,
    };
    sums.set(key, { ...sum, count: sum.count + 1, amount: sum.amount + amount });
  }
  return [...sums.values()];
}

const perMonth = { day: 365 / 12, week: 52 / 12, month: 1, year: 1 / 12 } as const;

/** Gives what subscriptions bring in a month on average, in whole minor units. */
export const monthlyAmount = ({ interval, interval_count, amount }: SubscriptionSum): number =>
  Math.round((amount * perMonth[interval]) / interval_count);
