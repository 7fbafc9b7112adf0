import { dayMs, hourMs } from "../../domain/durations.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { EventIds, OrderIds } from "../orders/order-commands.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { isPaid } from "../orders/order-states.ts";
import { begunAttempt, isOpen } from "../payments/order-attempt.ts";
import type {
  AttemptRecord,
  RenewalState,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { OrderRecord, Partition } from "../records.ts";
import { renewalOrder } from "./period.ts";
import { inHours, nextTryAt, noticeTime, type StorePlan, triesEndAt } from "./renewal-plan.ts";
import type { RenewedPeriod } from "./renewed-period.ts";
import { endSubscription } from "./subscription-cancel.ts";
import { chargeDueAt, nextBeginsAt } from "./subscription-record.ts";

/** Maintenance has the next period of a subscription charged. */
export interface RenewalCharge extends Partition, RenewedPeriod {
  readonly attempt_id: string;
  readonly plan: StorePlan;
  /** False while the host has no gateway that charges the saved method. */
  readonly can_charge: boolean;
  readonly ids: EventIds & Pick<OrderIds, "order" | "items">;
  readonly now: number;
}

/** What is to be done about the next period. */
export type RenewalCharged =
  /** The caller charges the new attempt. */
  | {
      readonly outcome: "charging";
      readonly subscription: SubscriptionRecord;
      readonly order: OrderRecord;
      readonly attempt: AttemptRecord;
    }
  | {
      readonly outcome: "postponed" | "announced" | "ended" | "left" | "unchanged";
      readonly subscription: SubscriptionRecord;
    }
  | { readonly outcome: "unknown_subscription" };

/** Without a result by then, the order of the period fails. Late money still pays it. */
const chargeLifetimeMs = dayMs;

/** Without a gateway that charges, the period is looked at again after this time. */
const retryMs = hourMs;

/**
 * Decides whether the next period is charged now. The subscription is locked, so each
 * try of a period begins once, by whichever process.
 */
export function decideCharge(
  snapshot: OrderSnapshot,
  command: RenewalCharge,
): Decision<RenewalCharged> {
  const { subscription, order, attempts } = snapshot;
  const { period_start, plan, now } = command;
  if (!subscription) return withoutChanges({ outcome: "unknown_subscription" });

  const { renewal } = subscription;
  const dueAt = chargeDueAt(subscription);
  if (!renewal || dueAt === null || period_start !== subscription.current_period_end)
    return withoutChanges({ outcome: "unchanged", subscription });
  if (dueAt > now) return announce({ ...subscription, renewal }, dueAt, command);
  // A payment whose result is not known may still have charged the buyer.
  if ((order && isPaid(order.status)) || attempts.some(isOpen))
    return wait(subscription, renewal, { outcome: "left", charge_at: null, now });

  // A fault of the host's costs no try.
  if (!command.can_charge) {
    const charge_at = now + retryMs;
    return wait(subscription, renewal, { outcome: "postponed", charge_at, now });
  }

  const next = nextTryAt(renewal, nextBeginsAt(subscription), plan);
  if (next === null) return giveUp(subscription, renewal, command);

  const at = Math.max(next, inHours(now, plan));
  if (at > now) return wait(subscription, renewal, { outcome: "postponed", charge_at: at, now });
  return charge(snapshot, { ...subscription, renewal }, command);
}

/** Tells of the coming charge, once for a period, or plans when to. */
function announce(
  subscription: SubscriptionRecord & { readonly renewal: RenewalState },
  charge_at: number,
  { plan, ids, now }: RenewalCharge,
): Decision<RenewalCharged> {
  const { renewal } = subscription;
  const planned = renewal.notice_at ?? null;
  if (planned === null || planned > now)
    return withoutChanges({ outcome: "unchanged", subscription });

  const at = noticeTime({ earliest: planned, charge_at }, plan);
  const isNow = at !== null && at <= now;
  const notice_at = isNow ? null : at;
  const told = { ...subscription, renewal: { ...renewal, notice_at } };
  const events = new EventDrafts(ids.events, now);
  if (isNow) events.subscription("subscription.renewal_upcoming", told, null);
  return {
    result: { outcome: isNow ? "announced" : "postponed", subscription: told },
    changes: orderChanges({ subscription: told, events: events.list }),
  };
}

interface Waiting {
  readonly outcome: "postponed" | "left";
  readonly charge_at: number | null;
  readonly now: number;
}

/** Writes when maintenance looks at the period again. */
function wait(
  subscription: SubscriptionRecord,
  renewal: RenewalState,
  { outcome, charge_at, now }: Waiting,
): Decision<RenewalCharged> {
  const waited = { ...renewal, charge_at, notice_at: null };
  const waiting = { ...subscription, renewal: waited, updated_at: now };
  return {
    result: { outcome, subscription: waiting },
    changes: orderChanges({ subscription: waiting }),
  };
}

/** Ends a subscription that no try has renewed, or leaves it to the owner. */
function giveUp(
  subscription: SubscriptionRecord,
  renewal: RenewalState,
  { plan, ids, now }: RenewalCharge,
): Decision<RenewalCharged> {
  const endsAt = triesEndAt(renewal, nextBeginsAt(subscription), plan);
  if (now < endsAt)
    return wait(subscription, renewal, { outcome: "postponed", charge_at: endsAt, now });
  if (plan.afterLast === "leave")
    return wait(subscription, renewal, { outcome: "left", charge_at: null, now });

  const { changes, result } = endSubscription(subscription, { when: "now", ids, now });
  return { result: { outcome: "ended", subscription: result.subscription }, changes };
}

/** Begins the next try: the order waits for it, and the attempt is in flight. */
function charge(
  snapshot: OrderSnapshot,
  subscription: SubscriptionRecord & { readonly renewal: RenewalState },
  command: RenewalCharge,
): Decision<RenewalCharged> {
  const { order: known } = snapshot;
  const { ids, now, period_start, attempt_id } = command;
  const { renewal } = subscription;
  const made = renewalOrder(subscription, command);
  // A try that was taken back leaves its order, and the terms may have changed since.
  const { amount_subtotal, amount_total, items } = known && renewal.tries > 0 ? known : made;
  const order: OrderRecord = {
    ...(known ?? made),
    ...{ amount_subtotal, amount_total, items },
    status: "pending",
    failure_code: null,
    updated_at: now,
  };
  const { saved } = renewal;
  const begun = {
    id: attempt_id,
    session_id: null,
    gateway: saved.gateway,
    account: saved.account,
    method_id: saved.method.id,
    method_type: saved.method.type,
    idempotency_key: null,
    expires_at: now + chargeLifetimeMs,
    renews: { subscription_id: subscription.id, period_start },
  };
  const attempt = begunAttempt(snapshot, order, begun, now);
  const charged: SubscriptionRecord = {
    ...subscription,
    latest_order_id: order.id,
    renewal: { ...renewal, tries: renewal.tries + 1, charge_at: null, notice_at: null },
    updated_at: now,
  };

  const events = new EventDrafts(ids.events, now);
  if (!known) events.order("order.created", order, null);
  return {
    result: { outcome: "charging", subscription: charged, order, attempt },
    changes: orderChanges({
      order,
      attempts: [attempt],
      subscription: charged,
      events: events.list,
    }),
  };
}
