import type { IdempotencyKey } from "../rules/checkout/key-state.ts";
import {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
  type Erasure,
  type HeldCoupon,
  heldCoupon,
  withoutConsent,
  withoutReason,
} from "../rules/owner/erasure.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../rules/payments/payment-records.ts";
import type {
  EventRecord,
  NoteRecord,
  OrderRecord,
  Partition,
  SessionRecord,
} from "../rules/records.ts";
import type { AttemptLog } from "../rules/webhooks/webhook-records.ts";
import { isIn } from "./page.ts";

/** The rows of a store in which a customer may stand, both modes together. */
export interface PersonalRows<Key, Log> {
  readonly orders: readonly OrderRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly disputes: readonly DisputeRecord[];
  readonly notes: readonly NoteRecord[];
  readonly sessions: readonly SessionRecord[];
  readonly subscriptions: readonly SubscriptionRecord[];
  /** The idempotency keys, with what names them in the storage. */
  readonly keys: readonly Key[];
  readonly events: readonly EventRecord[];
  readonly logs: readonly Log[];
}

type WithKey = { readonly key: IdempotencyKey };

/** A coupon's use of a customer. The key may be an e-mail address. */
type Use = Partition & { readonly coupon_id: string; readonly customer_key: string };

/** What an erasure writes: every row of these takes the place of the one with its id. */
export interface Erased<Key, Log> extends PersonalRows<Key, Log> {
  readonly found: boolean;
  /** The notes that are deleted. */
  readonly notes: readonly NoteRecord[];
  /** The uses that are deleted. */
  readonly uses: readonly Use[];
}

/**
 * Takes a customer out of the rows of a store, for a storage that holds them in memory. Revocations
 * and kept totals are the storage's own to write.
 */
export function eraseRows<Key extends WithKey, Log extends AttemptLog>(
  rows: PersonalRows<Key, Log>,
  { customer_id, now, archived = [] }: Pick<Erasure, "customer_id" | "now" | "archived">,
): Erased<Key, Log> {
  const orders = rows.orders.filter(({ customer }) => customer.id === customer_id);
  const isOfOrder = (row: Partition & { readonly order_id: string }): boolean =>
    orders.some((order) => isIn(order, row) && order.id === row.order_id);
  const ordered = new Set(orders.flatMap(({ session_id }) => session_id ?? []));
  const sessions = rows.sessions.filter(
    (session) => session.customer_id === customer_id || ordered.has(session.id),
  );
  const session_ids = new Set([...ordered, ...sessions.map(({ id }) => id)]);
  const subscriptions = rows.subscriptions.filter(({ customer }) => customer.id === customer_id);

  const events = rows.events.flatMap((event) => {
    const body = event.body === null ? null : blankEvent(event.body, customer_id, session_ids);
    return body === null ? [] : [{ ...event, body }];
  });
  const event_ids = new Set(events.map(({ id }) => id));
  return {
    found: orders.length + session_ids.size + subscriptions.length + events.length > 0,
    orders: orders.map(blankOrder),
    attempts: rows.attempts.filter(isOfOrder).map(withoutConsent),
    refunds: rows.refunds.filter(isOfOrder).map(withoutReason),
    disputes: rows.disputes.filter(isOfOrder).map(withoutReason),
    notes: rows.notes.filter(isOfOrder),
    sessions: sessions.map(blankSession),
    subscriptions: subscriptions.map((row) => blankSubscription(row, now)),
    keys: rows.keys.filter(({ key }) => session_ids.has(key.session_id)).map(withBlankReply),
    events,
    // An endpoint's answer may repeat the event.
    logs: rows.logs
      .filter(({ event_id }) => event_ids.has(event_id))
      .map((log) => ({ ...log, snippet: null })),
    uses: [
      ...orders.flatMap((order) => useOf(order, order)),
      ...sessions.flatMap((session) => useOf(session, heldCoupon(session))),
      ...archived.flatMap((order) => useOf(order, order)),
    ],
  };
}

const withBlankReply = <Key extends WithKey>(row: Key): Key => {
  const { reply } = row.key;
  return {
    ...row,
    key: { ...row.key, reply: reply && { ...reply, body: blankReply(reply.body) } },
  };
};

const useOf = (
  { store_id, livemode }: Partition,
  { coupon_id, coupon_key }: HeldCoupon,
): readonly Use[] =>
  coupon_id === null || coupon_key === null
    ? []
    : [{ store_id, livemode, coupon_id, customer_key: coupon_key }];
