import { customerErased, testDataWiped } from "../../rules/audit/audit-changes.ts";
import { withoutClock } from "../../rules/clock/test-clock.ts";
import {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
  type Erasure,
  type HeldCoupon,
  heldCoupon,
  withoutReason,
} from "../../rules/owner/erasure.ts";
import type { OrderRecord, Partition } from "../../rules/records.ts";
import type { PrivacyStore } from "../../storage/privacy-store.ts";
import { written } from "../access/written.ts";
import { bumpCatalogVersion, modes, putProduct, rowsOfStore } from "../catalog/catalog-rows.ts";
import { isIn, type MemoryState, rowKey } from "../state.ts";
import { findRevocation, putRevocation } from "./revocations.ts";

type Customer = Pick<Erasure, "store_id" | "customer_id">;

export function memoryPrivacy(state: MemoryState): PrivacyStore {
  return {
    // Nothing runs beside it in one process: one chunk does all.
    async eraseChunk(erasure) {
      revokeTokens(state, erasure);
      const orders = eraseOrders(state, erasure);
      const session_ids = eraseSessions(state, erasure, orders.session_ids);
      const subscriptions = eraseSubscriptions(state, erasure);

      eraseReplies(state, session_ids);
      const events = eraseEvents(state, erasure, session_ids);
      const found = orders.count + session_ids.size + subscriptions + events > 0;
      const change = customerErased(erasure);
      return written(state, { result: { found, next: null }, change }, erasure.author);
    },

    finishErasures: async () => ({ is_removed: true, left: null }),

    isErased: async (partition, customer_keys) =>
      findRevocation(state, partition, customer_keys)?.erased ?? false,

    async wipeTestChunk(store_id, _position, author) {
      deleteTestRows(state, store_id);
      resetClock(state, store_id);
      resetTestStock(state, store_id);
      bumpCatalogVersion(state, store_id);
      return written(state, { result: null, change: testDataWiped(store_id) }, author);
    },
  };
}

function revokeTokens(state: MemoryState, { store_id, customer_keys, now }: Erasure): void {
  for (const livemode of modes)
    putRevocation(state, { store_id, livemode }, customer_keys, { not_before: now, erased: true });
}

/** Gives how many orders the customer has, and the ids of their sessions. */
function eraseOrders(
  state: MemoryState,
  { store_id, customer_id }: Customer,
): { readonly count: number; readonly session_ids: ReadonlySet<string> } {
  const { orders, notes, refunds, disputes } = state.orders;
  const found = [...orders].filter(
    ([, order]) => order.store_id === store_id && order.customer.id === customer_id,
  );

  for (const [key, order] of found) {
    deleteCouponUse(state, order, order);
    orders.set(key, blankOrder(order));
    eraseReasons(refunds, order);
    eraseReasons(disputes, order);
    for (const [noteKey, note] of notes)
      if (isIn(order, note) && note.order_id === order.id) notes.delete(noteKey);
  }
  const session_ids = new Set(found.flatMap(([, order]) => order.session_id ?? []));
  return { count: found.length, session_ids };
}

function deleteCouponUse(
  state: MemoryState,
  partition: Partition,
  { coupon_id, coupon_key }: HeldCoupon,
): void {
  if (coupon_key !== null)
    state.orders.coupon_uses.delete(rowKey(partition, `${coupon_id}\n${coupon_key}`));
}

interface OfOrder extends Partition {
  readonly order_id: string;
}

function eraseReasons<Row extends OfOrder>(rows: Map<string, Row>, order: OrderRecord): void {
  for (const [key, row] of rows)
    if (isIn(order, row) && row.order_id === order.id) rows.set(key, withoutReason(row));
}

/** Gives the ids of the customer's sessions, with an order or without. */
function eraseSessions(
  state: MemoryState,
  { store_id, customer_id }: Customer,
  orderedIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const session_ids = new Set(orderedIds);
  const { sessions } = state.checkout;
  for (const [key, session] of sessions) {
    const isCustomers = session.customer_id === customer_id || orderedIds.has(session.id);
    if (session.store_id !== store_id || !isCustomers) continue;

    session_ids.add(session.id);
    deleteCouponUse(state, session, heldCoupon(session));
    sessions.set(key, blankSession(session));
  }
  return session_ids;
}

function eraseSubscriptions(
  { orders }: MemoryState,
  { store_id, customer_id, now }: Erasure,
): number {
  const { subscriptions } = orders;
  const found = [...subscriptions].filter(
    ([, subscription]) =>
      subscription.store_id === store_id && subscription.customer.id === customer_id,
  );
  for (const [key, subscription] of found)
    subscriptions.set(key, blankSubscription(subscription, now));
  return found.length;
}

/**
 * Blanks the replies that are stored for repeated requests with the same
 * idempotency key.
 */
function eraseReplies({ checkout }: MemoryState, session_ids: ReadonlySet<string>): void {
  for (const [key, row] of checkout.keys) {
    const { reply } = row;
    if (!reply || !session_ids.has(row.session_id)) continue;
    checkout.keys.set(key, { ...row, reply: { ...reply, body: blankReply(reply.body) } });
  }
}

/** Gives how many events named the customer. */
function eraseEvents(
  { webhooks }: MemoryState,
  { store_id, customer_id }: Customer,
  session_ids: ReadonlySet<string>,
): number {
  let erased = 0;
  for (const livemode of modes) {
    const events = webhooks.events.get(rowKey({ store_id, livemode })) ?? [];
    for (const [index, event] of events.entries()) {
      const body = event.body === null ? null : blankEvent(event.body, customer_id, session_ids);
      if (body === null) continue;

      events[index] = { ...event, body };
      eraseSnippets(webhooks.attempts, event.id);
      erased += 1;
    }
  }
  return erased;
}

/** Erases the snippets of deliveries too, because an endpoint's answer may repeat the event. */
function eraseSnippets(attempts: MemoryState["webhooks"]["attempts"], event_id: string): void {
  for (const [key, logs] of attempts) {
    if (!logs.some((log) => log.event_id === event_id)) continue;
    attempts.set(
      key,
      logs.map((log) => ({ ...log, snippet: null })),
    );
  }
}

function deleteTestRows(state: MemoryState, store_id: string): void {
  const { checkout, catalog, webhooks, consumers } = state;
  const tables: readonly { keys(): Iterable<string>; delete(key: string): boolean }[] = [
    ...Object.values(state.orders),
    checkout.sessions,
    checkout.keys,
    checkout.open_holds,
    checkout.session_days,
    catalog.coupon_uses,
    catalog.pools,
    webhooks.events,
    webhooks.sequences,
    consumers,
    state.stats,
    state.requests,
  ];

  const prefix = rowKey({ store_id, livemode: false });
  for (const rows of tables)
    for (const key of [...rows.keys()]) if (key.startsWith(prefix)) rows.delete(key);

  for (const [key, delivery] of webhooks.deliveries) {
    if (delivery.store_id !== store_id || delivery.livemode) continue;
    webhooks.deliveries.delete(key);
    webhooks.attempts.delete(key);
  }
}

function resetClock({ access }: MemoryState, store_id: string): void {
  const store = access.stores.get(store_id);
  if (store) access.stores.set(store_id, withoutClock(store));
}

/** Sets the stock of the test mode to that of the live mode again, with nothing held. */
function resetTestStock(state: MemoryState, store_id: string): void {
  const { products, stock } = state.catalog;
  for (const [id, { record }] of rowsOfStore(products, store_id)) {
    const live = stock.get(rowKey({ store_id, livemode: true }, id));
    if (live) stock.set(rowKey({ store_id, livemode: false }, id), { ...live, held: 0 });
    putProduct(state, record);
  }
}
