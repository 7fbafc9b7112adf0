import type { FailureCode } from "../../contract/schemas.ts";
import { endedHold, withoutHold } from "../checkout/session-hold.ts";
import { grantLines, withoutDeliveries } from "../entitlements/grant.ts";
import { emptyPoolAlerts, fillFromPools } from "../entitlements/key-pool.ts";
import { endOthers } from "../payments/order-attempt.ts";
import { type DuplicateAlert, duplicateAlert } from "../payments/order-money.ts";
import type {
  AttemptRecord,
  PaymentRecord,
  SavedMethodRecord,
} from "../payments/payment-records.ts";
import type { AlertRecord, OrderRecord, SessionRecord } from "../records.ts";
import { renewedBy, tellRenewed } from "../subscriptions/period.ts";
import { firstSubscription } from "../subscriptions/subscription-record.ts";
import { orderAlert } from "./order-alert.ts";
import { type Decision, type OrderChanges, orderChanges } from "./order-changes.ts";
import type { OrderIds, ReservationSettlement } from "./order-commands.ts";
import { EventDrafts } from "./order-events.ts";
import {
  couponUse,
  type Holder,
  holderOf,
  isCouponMissing,
  isStockShort,
  releaseStock,
  sellFreeStock,
  sellHeldStock,
  takeCoupon,
} from "./order-goods.ts";
import { settlementTime } from "./order-record.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";

/** The order after a transition, and what the step writes for it. */
interface Transition {
  readonly order: OrderRecord;
  readonly changes: OrderChanges;
}

interface OrderPayment extends ReservationSettlement {
  /** The order that is paid. It may be new. */
  readonly order: OrderRecord;
  readonly session: SessionRecord;
  /** Null means that nothing is due, so that nobody paid. */
  readonly attempt: AttemptRecord | null;
  readonly money: PaymentRecord | null;
  readonly ids: Pick<OrderIds, "events" | "alerts" | "subscription">;
  readonly now: number;
  readonly external_stock: boolean;
  /** True when the host's own catalog has too few pieces. */
  readonly short_at_source?: boolean;
  /** Later periods of a subscription are charged by it. */
  readonly saved?: SavedMethodRecord | undefined;
}

/** Pays the order. It sells the goods that it held, else it takes them now. */
export function payOrder(snapshot: OrderSnapshot, payment: OrderPayment): Transition {
  const { order: unpaid, session, attempt, money, ids, now, saved } = payment;
  const { renews } = session;
  const renewed = renews
    ? renewedBy(snapshot.subscription, { renews, order: unpaid, saved, now })
    : null;
  const first = { id: ids.subscription, now, saved };
  const subscription = renews ? renewed : firstSubscription(session, unpaid, first);
  const reserved = unpaid.reserved || (payment.external_stock && !renews);
  const holder = holderOf(unpaid, session);
  const lines = grantLines(session, unpaid, now);
  const { entitlements, taken } = fillFromPools(lines, snapshot.pools, now);
  const order: OrderRecord = {
    ...unpaid,
    ...(entitlements.length > 0 && { entitlements }),
    status: "paid",
    failure_code: null,
    holds: "consumed",
    reserved,
    sweep_at: settlementTime(reserved, now, payment),
    coupon_key: holder === "order" ? unpaid.coupon_key : (snapshot.coupon?.customer_key ?? null),
    payment_method_type: attempt?.method_type ?? unpaid.payment_method_type,
    subscription_id: renews?.subscription_id ?? subscription?.id ?? null,
    // The period's own order, which was not paid, keeps the period.
    period_start: renews ? null : (subscription?.current_period_start ?? null),
    paid_at: now,
    updated_at: now,
  };
  const completed: SessionRecord = {
    ...withoutHold(withoutDeliveries(session)),
    status: "complete",
    payment_status: "paid",
  };

  const events = new EventDrafts(ids.events, now);
  if (!snapshot.order) events.order("order.created", { ...unpaid, status: "pending" }, null);
  events.order("order.paid", order, snapshot.order ? snapshot.order.status : "pending");
  events.sessionCompleted(completed, order);
  const { subscription: before } = snapshot;
  if (renewed && before) tellRenewed(events, before, renewed, order);
  else if (subscription) events.subscription("subscription.created", subscription, order);
  events.entitlements("entitlement.granted", order);

  // Money that came is never refused, even when the goods are gone. A free order is.
  const guarded = attempt === null;
  const changes = orderChanges({
    session: completed,
    order,
    attempts: [...(attempt ? [attempt] : []), ...endOthers(snapshot.attempts, attempt, now)],
    payments: money ? [money] : [],
    subscription,
    stock: holder === "nobody" ? sellFreeStock(session, guarded) : sellHeldStock(session),
    coupons: takeCoupon(order, session, { holder, guarded }),
    taken_keys: taken,
    open_hold: endedHold(session),
    events: events.list,
    alerts: [
      ...missingGoodsAlerts(snapshot, { ...payment, order }, holder),
      ...emptyPoolAlerts(order, ids.alerts[2], now),
      ...(renews && !renewed ? needlessAlerts(order, payment) : []),
    ],
  });
  return { order, changes };
}

/** Tells the owner of an order that pays a period which needs no money any more. */
const needlessAlerts = (
  order: OrderRecord,
  { money, ids: { alerts } }: OrderPayment,
): readonly AlertRecord[] =>
  money ? [duplicateAlert(order, money, { id: alerts[0], type: "payment_after_end" })] : [];

/** Tells the owner which goods the paid order took although nothing was left of them. */
function missingGoodsAlerts(
  snapshot: OrderSnapshot,
  { order, session, ids, now, short_at_source }: OrderPayment,
  holder: Holder,
): readonly AlertRecord[] {
  const alerts: AlertRecord[] = [];
  const subject = order.id;

  const isShort = isStockShort(snapshot, session, holder === "nobody" ? "free" : "held");
  if (isShort || short_at_source) {
    const [id] = ids.alerts;
    alerts.push(orderAlert(order, { id, type: "oversold", subject, data: {}, now }));
  }

  if (isCouponMissing(snapshot, session, holder)) {
    const [, id] = ids.alerts;
    const data = { coupon_id: order.coupon_id };
    alerts.push(orderAlert(order, { id, type: "coupon_overused", subject, data, now }));
  }
  return alerts;
}

interface OrderFailure extends ReservationSettlement {
  readonly order: OrderRecord;
  readonly code: FailureCode;
  /** The attempts that end with the order. */
  readonly attempts: readonly AttemptRecord[];
  readonly ids: Pick<OrderIds, "events">;
  readonly now: number;
}

/**
 * Fails the order, because no payment is left that could pay it. The order gives
 * back what it held.
 */
export function failOrder({ session }: OrderSnapshot, failure: OrderFailure): Transition {
  const { order: pending, code, attempts, ids, now } = failure;
  const order: OrderRecord = {
    ...pending,
    status: "failed",
    failure_code: code,
    holds: "none",
    sweep_at: settlementTime(pending.reserved, now, failure),
    updated_at: now,
  };

  const events = new EventDrafts(ids.events, now);
  events.order("order.failed", order, pending.status);

  const holder = pending.holds === "held" ? session : null;
  const changes = orderChanges({
    session: session && { ...session, payment_status: "unpaid" },
    order,
    attempts,
    stock: holder ? releaseStock(holder) : [],
    coupons: holder ? couponUse(pending, pending, { used_delta: -1, guarded: false }) : [],
    events: events.list,
  });
  return { order, changes };
}

interface DuplicatePayment {
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
  /** True means that no money of the attempt has counted before. */
  readonly isFirst: boolean;
  readonly money: PaymentRecord;
  readonly ids: Pick<OrderIds, "alerts">;
  /** `duplicate_payment` by default. */
  readonly alert?: DuplicateAlert;
}

interface DuplicateResult {
  readonly outcome: "duplicate";
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
}

/**
 * Notes money that came and that the order does not need: the owner is told, and
 * nothing else changes.
 */
export function noteDuplicate({
  order,
  attempt: paid,
  isFirst,
  money,
  ids,
  alert: type = "duplicate_payment",
}: DuplicatePayment): Decision<DuplicateResult> {
  const attempt: AttemptRecord = isFirst ? { ...paid, state: "duplicate" } : paid;

  return {
    result: { outcome: "duplicate", order, attempt },
    changes: orderChanges({
      order,
      attempts: [attempt],
      payments: [money],
      alerts: [duplicateAlert(order, money, { id: ids.alerts[0], type })],
    }),
  };
}
