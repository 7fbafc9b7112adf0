import { dayMs, hourMs } from "../../domain/durations.ts";
import { periodStart } from "../../domain/periods.ts";
import { optionsField } from "../catalog/groups/product-options.ts";
import type {
  AttemptRecord,
  RenewalState,
  SavedMethodRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import type { RenewedPeriod } from "./renewed-period.ts";
import { trialDays } from "./trial.ts";

/**
 * Makes the subscription that a session's first payment creates. It gives null for
 * a session without a recurring product. A recurring product stands alone in its
 * session. A coupon lowers the first order only, so later periods cost the
 * subtotal.
 */
export function firstSubscription(
  session: SessionRecord,
  order: OrderRecord,
  { id, now, saved }: FirstPayment,
): SubscriptionRecord | null {
  const line = session.lines[0];
  if (!line?.recurring) return null;

  const { interval, interval_count } = line.recurring;
  const trial_end = trialEnd(session, now);
  const current_period_end = trial_end ?? periodStart(now, interval, interval_count, 1);
  return {
    store_id: session.store_id,
    livemode: session.livemode,
    id,
    status: trial_end === null ? "active" : "trialing",
    product_id: line.product_id,
    product_slug: line.product_slug,
    product_name: line.name,
    image_url: line.image_url,
    variables: line.variables,
    ...optionsField(line),
    quantity: line.quantity,
    unit_amount: line.unit_amount,
    amount: line.amount_subtotal,
    currency: session.currency,
    interval,
    interval_count,
    anchor: trial_end ?? now,
    periods: trial_end === null ? 1 : 0,
    current_period_start: now,
    current_period_end,
    ...(trial_end !== null && { trial_end }),
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    customer: order.customer,
    payment_method_type: order.payment_method_type,
    latest_order_id: order.id,
    ...(saved && { renewal: renewalBy(saved, { from: now, next: current_period_end }) }),
    metadata: session.metadata,
    created_at: now,
    updated_at: now,
  };
}

interface FirstPayment {
  /** The id of the subscription. */
  readonly id: string;
  readonly now: number;
  /** Absent when the host charges the later periods. */
  readonly saved: SavedMethodRecord | undefined;
}

interface PeriodTimes {
  /** The start of the period or the trial that runs. */
  readonly from: number;
  /** The start of the period that is to be paid. */
  readonly next: number;
}

/** Charges the period that begins at `next` by this method, for the first time. */
export function renewalBy(saved: SavedMethodRecord, { from, next }: PeriodTimes): RenewalState {
  const charge_at = Math.max(from, next - aheadMs(saved));
  return {
    saved,
    tries: 0,
    stopped: false,
    charge_at,
    // No notice comes in the first half of a period, however long before the charge it should.
    notice_at: Math.floor((from + charge_at) / 2),
  };
}

/** Gives how long before a period its provider is told of the first charge. */
export const aheadMs = ({ charge_ahead_days = 0 }: SavedMethodRecord): number =>
  charge_ahead_days * dayMs;

/**
 * Gives the terms of the later periods that a payment begun at `now` leads to, in real time: the
 * mode is `offset` ahead. Undefined for a session without a recurring product.
 */
export function termsOf(session: SessionRecord, now: number, offset: number) {
  const { lines, renews } = session;
  const [line] = lines;
  if (!line?.recurring) return undefined;

  const { interval, interval_count } = line.recurring;
  const next =
    trialEnd(session, now) ?? periodStart(renews?.period_start ?? now, interval, interval_count, 1);
  return {
    interval,
    interval_count,
    amount: line.amount_subtotal,
    next_period_start: next - offset,
  };
}

/** Gives the end of the trial that a session's payment begins. Null without a trial. */
function trialEnd(session: SessionRecord, now: number): number | null {
  const days = trialDays(session);
  return days === null ? null : periodStart(now, "day", days, 1);
}

/**
 * Gives the time at which the next period begins. This is its `period_start`, or a later time when
 * a pause has moved the period.
 */
export const nextBeginsAt = ({ anchor, current_period_end }: SubscriptionRecord): number =>
  Math.max(anchor, current_period_end);

/**
 * Gives the time at which maintenance charges the subscription. Null when the host charges it,
 * while it is being charged, and when no period follows.
 */
export const chargeDueAt = (subscription: SubscriptionRecord): number | null =>
  isEnding(subscription) || subscription.paused_at != null
    ? null
    : (subscription.renewal?.charge_at ?? null);

/** Gives the time at which maintenance tells of the next charge, or plans when to. */
export function noticeDueAt(subscription: SubscriptionRecord): number | null {
  const charge_at = chargeDueAt(subscription);
  const notice_at = subscription.renewal?.notice_at ?? null;
  return charge_at === null || notice_at === null ? null : Math.min(notice_at, charge_at);
}

/**
 * Gives the time at which maintenance next charges a subscription, announces a charge, or has a
 * saved method forgotten. Gives null when there is nothing to do.
 */
export function renewalWorkAt(subscription: SubscriptionRecord): number | null {
  const times = [
    chargeDueAt(subscription),
    noticeDueAt(subscription),
    subscription.forget?.at ?? null,
  ].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/**
 * Plans that the gateway forgets a method that is no longer used. The first try follows at once.
 */
export const withForgotten = (
  subscription: SubscriptionRecord,
  method: SavedMethodRecord | undefined,
  now: number,
): SubscriptionRecord =>
  method === undefined
    ? subscription
    : {
        ...subscription,
        forget: { methods: [...(subscription.forget?.methods ?? []), method], tries: 0, at: now },
      };

/** Tells whether this period is the next one, and still to be paid. */
export const awaitsPeriod = (
  subscription: SubscriptionRecord | null,
  { period_start }: Pick<RenewedPeriod, "period_start">,
): boolean =>
  subscription !== null &&
  !isEnding(subscription) &&
  subscription.current_period_end === period_start;

/**
 * Tells whether money that comes by a link pays the next period. The link names the start that the
 * period had when the link was made. `resume` may have moved the start since, and no period between
 * the two was paid.
 */
export const takesLink = (
  subscription: SubscriptionRecord,
  { period_start }: Pick<RenewedPeriod, "period_start">,
): boolean =>
  !isEnding(subscription) &&
  subscription.current_period_start < period_start &&
  period_start <= subscription.current_period_end;

/** Tells whether a session still sells the period that its subscription awaits, as it is. */
export function sellsPeriod(
  subscription: SubscriptionRecord | null,
  { renews, lines: [line] }: Pick<SessionRecord, "renews" | "lines">,
): boolean {
  if (!subscription || !renews || !awaitsPeriod(subscription, renews)) return false;

  const { product_id, quantity, unit_amount } = subscription;
  return (
    line?.product_id === product_id &&
    line.quantity === quantity &&
    line.unit_amount === unit_amount
  );
}

/** A charge waits so much longer than the buyer's own payment, whose end must be found first. */
const putOffMs = hourMs;

/** Puts off the charge of a period that its buyer has begun to pay. Null writes nothing. */
export function withChargePutOff(
  subscription: SubscriptionRecord | null,
  payment: Pick<AttemptRecord, "expires_at">,
): SubscriptionRecord | null {
  const renewal = subscription?.renewal;
  if (!subscription || !renewal || renewal.charge_at === null) return null;

  const charge_at = Math.max(renewal.charge_at, payment.expires_at + putOffMs);
  return { ...subscription, renewal: { ...renewal, charge_at } };
}

/**
 * Tells whether no further period can be paid: the subscription has ended, or ends
 * with its current period.
 */
export const isEnding = (subscription: SubscriptionRecord): boolean =>
  subscription.status === "canceled" || subscription.cancel_at_period_end;

/**
 * Gives the order to which money is added when its period has no order of its own. This is so after
 * a payment by a link. The latest order is given when the period is over, and when the subscription
 * has ended or will end. Null means that the period may still be paid.
 */
export const orderAfterEnd = (
  subscription: SubscriptionRecord | null,
  { period_start }: Pick<RenewedPeriod, "period_start">,
): string | null =>
  subscription && (isEnding(subscription) || period_start < subscription.current_period_end)
    ? subscription.latest_order_id
    : null;

/**
 * Tells whether a paid period began at this time. Periods before the last resumption are not known
 * here: they are found by their orders.
 */
export function hasPaid(subscription: SubscriptionRecord, time: number): boolean {
  const { anchor, interval, interval_count, periods, current_period_start } = subscription;
  const begins = Array.from({ length: periods }, (_, count) =>
    periodStart(anchor, interval, interval_count, count),
  );
  return [current_period_start, ...begins].includes(time);
}

/**
 * Gives the time at which maintenance ends the subscription. It gives null while
 * nobody asked for its end.
 */
export const subscriptionEndsAt = (subscription: SubscriptionRecord): number | null =>
  subscription.cancel_at_period_end && subscription.status !== "canceled"
    ? subscription.current_period_end
    : null;
