import type { EventType } from "../contract/events.ts";
import type { OrderStatus } from "../contract/schemas.ts";
import { judgeCoupon } from "../domain/coupon.ts";
import { fold } from "../domain/fold.ts";
import type { BuyerFacts, OrderIds } from "./order-commands.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "./payment-records.ts";
import type { AlertRecord, CartCoupon, EventDraft, OrderRecord, SessionRecord } from "./records.ts";
import { iso, renderOrder, renderSession, renderSubscription } from "./render.ts";
import type { StockChange } from "./stock.ts";

// What the transitions of order-machine.ts are made of.

export interface Snapshot {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  /** All of the order. */
  readonly attempts: readonly AttemptRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly disputes: readonly DisputeRecord[];
  /** Pieces free in this mode by product id; absent = not counted. */
  readonly on_hand: ReadonlyMap<string, number>;
  /** The session's, with the uses counted under `customer_key` of `couponKey`. */
  readonly coupon:
    | (CartCoupon & { readonly customer_key: string; readonly used_by_customer: number })
    | null;
}

export interface CouponChange {
  readonly coupon_id: string;
  readonly used_delta: 1 | -1;
  readonly customer_key: string;
  readonly guarded: boolean;
}

/** All that a step writes. An order whose `number` is 0 is new and gets the next one. */
export interface OrderChanges {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  readonly attempts: readonly AttemptRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly disputes: readonly DisputeRecord[];
  readonly subscription: SubscriptionRecord | null;
  readonly stock: readonly StockChange[];
  readonly coupon: CouponChange | null;
  readonly events: readonly EventDraft[];
  readonly alerts: readonly AlertRecord[];
}

export interface Decision<Outcome extends string> {
  readonly outcome: Outcome;
  readonly order: OrderRecord | null;
  readonly attempt: AttemptRecord | null;
  readonly changes: OrderChanges | null;
}

/** What a storage answers: the decision without what it wrote. */
export type Answer<D extends { readonly changes: OrderChanges | null }> = Omit<D, "changes">;

export const emptySnapshot: Snapshot = {
  session: null,
  order: null,
  attempts: [],
  refunds: [],
  disputes: [],
  on_hand: new Map(),
  coupon: null,
};

export const nothing = <O extends string>(
  outcome: O,
  snapshot?: Snapshot,
  attempt: AttemptRecord | null = null,
): Decision<O> => ({
  outcome,
  order: snapshot?.order ?? null,
  attempt,
  changes: null,
});

/** The order as it is to be written, with what else changes. */
export const changesOf = (
  order: OrderRecord | null,
  rest: Partial<Omit<OrderChanges, "order">> = {},
): OrderChanges => ({
  session: null,
  order,
  attempts: [],
  refunds: [],
  disputes: [],
  subscription: null,
  stock: [],
  coupon: null,
  events: [],
  alerts: [],
  ...rest,
});

/**
 * Whom a coupon's use counts for: a slot that is taken keeps its key; else the id of a buyer that the host knows, else the folded e-mail.
 * Storage loads the uses of this key, and the decision counts under the same.
 */
export function couponKey(
  session: SessionRecord,
  order: OrderRecord | null,
  buyer: BuyerFacts | null,
  new_customer: string,
): string {
  const stored = order?.coupon_key ?? null;
  if (order && order.holds !== "none" && stored !== null) return stored;
  const { id, email } = customerOf(session, order, buyer, new_customer);
  const known =
    session.customer_id !== null ||
    (buyer !== null && buyer.id !== null) ||
    (stored?.startsWith("id:") ?? false);
  if (known) return `id:${id}`;
  return email === null ? `new:${id}` : `email:${fold(email)}`;
}

/** The customer once this buyer has spoken. A session's buyer token stays the authority over whose order it is. */
export function customerOf(
  session: SessionRecord,
  order: OrderRecord | null,
  buyer: BuyerFacts | null,
  new_customer: string,
): OrderRecord["customer"] {
  const customer = order?.customer ?? {
    id: session.customer_id ?? new_customer,
    email: session.email,
    name: null,
    discord_id: session.discord_id,
    tax_id: null,
    tax_id_type: null,
    country: null,
  };
  if (!buyer) return customer;
  return {
    id: session.customer_id ?? buyer.id ?? customer.id,
    email: buyer.email ?? customer.email,
    name: buyer.name ?? customer.name,
    discord_id: buyer.discord_id ?? customer.discord_id,
    tax_id: buyer.tax_id ?? customer.tax_id,
    tax_id_type: buyer.tax_id_type ?? customer.tax_id_type,
    country: buyer.country ?? customer.country,
  };
}

/** Attempts that the host's own code made carry this as their gateway. */
export const hostGateway = "host";

export const isPaid = (status: OrderStatus): boolean => status !== "pending" && status !== "failed";

/** After this, maintenance settles a reservation in the host's catalog that the request did not. */
export const settleReservationMs = 60_000;

export const paidOrder = (order: OrderRecord, now: number): OrderRecord => ({
  ...order,
  status: "paid",
  failure_code: null,
  holds: "consumed",
  sweep_at: order.reserved ? now + settleReservationMs : null,
  paid_at: now,
  updated_at: now,
});

export const completeSessionRecord = (session: SessionRecord): SessionRecord => ({
  ...session,
  status: "complete",
  payment_status: "paid",
});

export function refuseHolds(
  snapshot: Snapshot,
  session: SessionRecord,
  now: number,
): "insufficient_stock" | "coupon_invalid" | null {
  for (const [product_id, quantity] of sums(session)) {
    const free = snapshot.on_hand.get(product_id);
    if (free !== undefined && free < quantity) return "insufficient_stock";
  }
  if (session.coupon_id === null) return null;
  const { coupon } = snapshot;
  const cart = { currency: session.currency, lines: session.lines };
  return isUsedUp(coupon) || !judgeCoupon(coupon, cart, now) ? "coupon_invalid" : null;
}

/** No use is left, in all or for this customer. */
export const isUsedUp = (coupon: Snapshot["coupon"]): boolean =>
  coupon !== null &&
  ((coupon.max_uses !== null && coupon.used >= coupon.max_uses) ||
    (coupon.max_uses_per_customer !== null &&
      coupon.used_by_customer >= coupon.max_uses_per_customer));

/** Pieces by product, summed over lines, by id: the lock order. */
export function sums(
  session: SessionRecord,
): readonly (readonly [product_id: string, quantity: number])[] {
  const quantities = new Map<string, number>();
  for (const line of session.lines)
    quantities.set(line.product_id, (quantities.get(line.product_id) ?? 0) + line.quantity);
  return [...quantities].sort(([a], [b]) => (a < b ? -1 : 1));
}

export const stockOf = (
  session: SessionRecord,
  stock: -1 | 0,
  held: -1 | 0 | 1,
  guarded: boolean,
): StockChange[] =>
  sums(session).map(([product_id, quantity]) => ({
    product_id,
    stock_delta: stock * quantity,
    held_delta: held * quantity,
    guarded,
  }));

/** The coupon's slot, counted for whom the order says. */
export const couponOf = (
  order: OrderRecord,
  used_delta: 1 | -1,
  guarded: boolean,
): CouponChange | null =>
  order.coupon_id === null || order.coupon_key === null
    ? null
    : { coupon_id: order.coupon_id, used_delta, customer_key: order.coupon_key, guarded };

export function newOrder(
  session: SessionRecord,
  ids: OrderIds,
  buyer: BuyerFacts,
  now: number,
): OrderRecord {
  return {
    store_id: session.store_id,
    livemode: session.livemode,
    id: ids.order,
    number: 0,
    status: "pending",
    session_id: session.id,
    subscription_id: null,
    currency: session.currency,
    amount_subtotal: session.amount_subtotal,
    amount_discount: session.amount_discount,
    amount_total: session.amount_total,
    amount_refunded: 0,
    amount_refunding: 0,
    coupon_id: session.coupon_id,
    coupon_code: session.coupon_code,
    coupon_key: null,
    items: session.lines.map((line, index) => ({
      id: ids.items[index] ?? "",
      product_id: line.product_id,
      product_slug: line.product_slug,
      name: line.name,
      image_url: line.image_url,
      quantity: line.quantity,
      unit_amount: line.unit_amount,
      amount_subtotal: line.amount_subtotal,
      amount_discount: line.amount_discount,
      amount_total: line.amount_total,
      variables: { ...line.variables },
    })),
    customer: customerOf(session, null, buyer, ids.customer),
    payment_method_type: null,
    failure_code: null,
    metadata: session.metadata,
    holds: "none",
    reserved: false,
    sweep_at: session.expires_at,
    period_start: null,
    status_before_dispute: null,
    created_at: now,
    updated_at: now,
    paid_at: null,
    refunded_at: null,
    disputed_at: null,
  };
}

export function alert(
  order: OrderRecord,
  type: string,
  subject: string,
  data: Record<string, unknown>,
  id: string | undefined,
  now: number,
): AlertRecord {
  return {
    id: id ?? "",
    store_id: order.store_id,
    livemode: order.livemode,
    type,
    subject,
    data: { order_id: order.id, ...data },
    created_at: now,
  };
}

const brief = (order: OrderRecord, number: number) => ({
  id: order.id,
  number: order.number || number,
  status: order.status,
});

/** Drafts in the order of their sequence; a new order's number is known only inside the step. */
export function eventWriter(ids: readonly string[], now: number) {
  const drafts: EventDraft[] = [];
  const add = (type: EventType, data: EventDraft["data"]): void => {
    const id = ids[drafts.length];
    if (id === undefined) throw new Error("A step writes more events than it has ids for.");
    drafts.push({ id, type, created_at: now, data });
  };
  const numbered = (order: OrderRecord, number: number) =>
    renderOrder({ ...order, number: order.number || number });
  return {
    drafts,
    order: (type: EventType, order: OrderRecord, previous_status: OrderStatus | null): void =>
      add(type, (number) => ({ order: numbered(order, number), previous_status })),
    refunded: (
      order: OrderRecord,
      previous_status: OrderStatus,
      { id, amount, reason, created_at }: RefundRecord,
    ): void =>
      add("order.refunded", (number) => ({
        order: numbered(order, number),
        previous_status,
        refund: { id, amount, reason, created_at: iso(created_at) },
      })),
    disputed: (
      order: OrderRecord,
      previous_status: OrderStatus,
      { id, amount, reason, due_by }: DisputeRecord,
    ): void =>
      add("order.chargeback", (number) => ({
        order: numbered(order, number),
        previous_status,
        dispute: { id, amount, reason, due_by: due_by === null ? null : iso(due_by) },
      })),
    completed: (session: SessionRecord, order: OrderRecord): void =>
      add("checkout.session.completed", (number) => ({
        // A token of ours is never at rest, and nothing is left to pay: the address is shown only where the host made it.
        checkout_session: {
          ...renderSession(session, "", now),
          checkout_url: session.checkout_url,
        },
        order: brief(order, number),
      })),
    subscription: (
      type: EventType,
      subscription: SubscriptionRecord,
      order: OrderRecord | null,
    ): void =>
      add(type, (number) => ({
        subscription: renderSubscription(subscription),
        order: order && brief(order, number),
      })),
  };
}
