import type { FailureCode } from "../contract/schemas.ts";
import { periodStart } from "../domain/periods.ts";
import type { Renewal, SubscriptionCancel } from "./order-commands.ts";
import { changesOf, eventWriter, hostGateway, isPaid, type OrderChanges } from "./order-parts.ts";
import type { AttemptRecord, SubscriptionRecord } from "./payment-records.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";

// Subscriptions (CONTRACT 6): created by the first order's payment, renewed by each later one, over when access ends.

/** Of a session with a recurring product, which stands alone in it. A coupon's discount is the first order's alone. */
export function firstSubscription(
  session: SessionRecord,
  order: OrderRecord,
  id: string,
  now: number,
): SubscriptionRecord | null {
  const line = session.lines[0];
  if (!line?.recurring) return null;
  const { interval, interval_count } = line.recurring;
  return {
    store_id: session.store_id,
    livemode: session.livemode,
    id,
    status: "active",
    product_id: line.product_id,
    product_slug: line.product_slug,
    product_name: line.name,
    image_url: line.image_url,
    variables: line.variables,
    quantity: line.quantity,
    unit_amount: line.unit_amount,
    amount: line.amount_subtotal,
    currency: session.currency,
    interval,
    interval_count,
    anchor: now,
    periods: 1,
    current_period_start: now,
    current_period_end: periodStart(now, interval, interval_count, 1),
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    customer: order.customer,
    payment_method_type: order.payment_method_type,
    latest_order_id: order.id,
    metadata: session.metadata,
    created_at: now,
    updated_at: now,
  };
}

export interface SubscriptionSnapshot {
  readonly subscription: SubscriptionRecord | null;
  /** The order of the period that the command names, with its attempts. */
  readonly order: OrderRecord | null;
  readonly attempts: readonly AttemptRecord[];
}

export interface SubscriptionDecision<Outcome extends string> {
  readonly outcome: Outcome;
  readonly subscription: SubscriptionRecord | null;
  readonly order: OrderRecord | null;
  readonly changes: OrderChanges | null;
}

export type RenewalOutcome =
  | "renewed"
  | "failed"
  | "unchanged"
  | "invalid_transition"
  | "unknown_period"
  | "mismatch"
  | "unknown_subscription";

export function decideRenewal(
  snapshot: SubscriptionSnapshot,
  command: Renewal,
): SubscriptionDecision<RenewalOutcome> {
  const { subscription, order } = snapshot;
  const refuse = (outcome: RenewalOutcome): SubscriptionDecision<RenewalOutcome> => ({
    outcome,
    subscription,
    order,
    changes: null,
  });
  if (!subscription) return refuse("unknown_subscription");
  // The period's order tells a repeat: paid once, and failed again only changes nothing.
  if (order && (isPaid(order.status) || !command.paid)) return refuse("unchanged");
  const next = subscription.current_period_end;
  if (command.period_start !== next) return refuse("unknown_period");
  if (subscription.status === "canceled" || subscription.cancel_at_period_end)
    return refuse("invalid_transition");
  const { now, paid } = command;
  if (
    paid &&
    (command.amount !== subscription.amount || command.currency !== subscription.currency)
  )
    return refuse("mismatch");

  const events = eventWriter(command.ids.events, now);
  const base = order ?? renewalOrder(subscription, command);
  if (!order) events.order("order.created", { ...base, status: "pending" }, null);
  const settled: OrderRecord = paid
    ? { ...base, status: "paid", failure_code: null, paid_at: now, updated_at: now }
    : { ...base, status: "failed", failure_code: command.failure_code, updated_at: now };
  const renewed: SubscriptionRecord = paid
    ? {
        ...subscription,
        status: "active",
        periods: subscription.periods + 1,
        current_period_start: next,
        current_period_end: periodStart(
          subscription.anchor,
          subscription.interval,
          subscription.interval_count,
          subscription.periods + 1,
        ),
        latest_order_id: settled.id,
        updated_at: now,
      }
    : { ...subscription, status: "past_due", latest_order_id: settled.id, updated_at: now };
  events.order(paid ? "order.paid" : "order.failed", settled, base.status);
  if (paid) events.subscription("subscription.renewed", renewed, settled);
  return {
    outcome: paid ? "renewed" : "failed",
    subscription: renewed,
    order: settled,
    changes: changesOf(settled, {
      attempts: [
        hostAttempt(
          settled,
          command.attempt_id,
          command.reference,
          paid ? null : command.failure_code,
          now,
        ),
      ],
      subscription: renewed,
      events: events.drafts,
    }),
  };
}

export type CancelOutcome = "canceled" | "scheduled" | "unchanged" | "unknown_subscription";

export interface CancelDecision {
  readonly outcome: CancelOutcome;
  readonly subscription: SubscriptionRecord | null;
  /** The subscription to write and the events that tell it. */
  readonly changes: Pick<OrderChanges, "events"> & {
    readonly subscription: SubscriptionRecord | null;
  };
}

export function decideCancel(
  subscription: SubscriptionRecord | null,
  command: SubscriptionCancel,
): CancelDecision {
  const { now, when } = command;
  const unchanged = (outcome: CancelOutcome): CancelDecision => ({
    outcome,
    subscription,
    changes: { subscription: null, events: [] },
  });
  if (!subscription) return unchanged("unknown_subscription");
  if (subscription.status === "canceled") return unchanged("unchanged");
  if (when === "at_period_end") {
    if (subscription.cancel_at_period_end) return unchanged("unchanged");
    const marked = {
      ...subscription,
      cancel_at_period_end: true,
      canceled_at: now,
      updated_at: now,
    };
    return {
      outcome: "scheduled",
      subscription: marked,
      changes: { subscription: marked, events: [] },
    };
  }
  if (
    when === "ending" &&
    !(subscription.cancel_at_period_end && now >= subscription.current_period_end)
  )
    return unchanged("unchanged");
  const ended: SubscriptionRecord = {
    ...subscription,
    status: "canceled",
    canceled_at: subscription.canceled_at ?? now,
    ended_at: when === "ending" ? subscription.current_period_end : now,
    updated_at: now,
  };
  const events = eventWriter(command.ids.events, now);
  events.subscription("subscription.canceled", ended, null);
  return {
    outcome: "canceled",
    subscription: ended,
    changes: { subscription: ended, events: events.drafts },
  };
}

function renewalOrder(
  subscription: SubscriptionRecord,
  { ids, now, period_start }: Renewal,
): OrderRecord {
  const { quantity, unit_amount, amount } = subscription;
  return {
    store_id: subscription.store_id,
    livemode: subscription.livemode,
    id: ids.order,
    number: 0,
    status: "pending",
    session_id: null,
    subscription_id: subscription.id,
    currency: subscription.currency,
    amount_subtotal: amount,
    amount_discount: 0,
    amount_total: amount,
    amount_refunded: 0,
    amount_refunding: 0,
    coupon_id: null,
    coupon_code: null,
    coupon_key: null,
    items: [
      {
        id: ids.items[0] ?? "",
        product_id: subscription.product_id,
        product_slug: subscription.product_slug,
        name: subscription.product_name,
        image_url: subscription.image_url,
        quantity,
        unit_amount,
        amount_subtotal: amount,
        amount_discount: 0,
        amount_total: amount,
        variables: { ...subscription.variables },
      },
    ],
    customer: subscription.customer,
    payment_method_type: subscription.payment_method_type,
    failure_code: null,
    metadata: subscription.metadata,
    holds: "none",
    reserved: false,
    sweep_at: null,
    period_start,
    status_before_dispute: null,
    created_at: now,
    updated_at: now,
    paid_at: null,
    refunded_at: null,
    disputed_at: null,
  };
}

/** A payment that the host took: nothing is asked about it again. */
export const hostAttempt = (
  order: OrderRecord,
  id: string,
  reference: string,
  failure_code: FailureCode | null,
  now: number,
): AttemptRecord => ({
  store_id: order.store_id,
  livemode: order.livemode,
  id,
  order_id: order.id,
  session_id: order.session_id,
  gateway: hostGateway,
  method_id: null,
  state: failure_code === null ? "succeeded" : "failed",
  reference,
  redirect_url: null,
  amount: order.amount_total,
  currency: order.currency,
  failure_code,
  idempotency_key: null,
  expires_at: now,
  check_at: null,
  created_at: now,
  updated_at: now,
});
