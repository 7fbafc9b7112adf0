import { type Erased, eraseRows, type PersonalRows } from "../../rows/erasure.ts";
import { customerErased, testDataWiped } from "../../rules/audit/audit-changes.ts";
import type { IdempotencyKey } from "../../rules/checkout/key-state.ts";
import { withoutClock } from "../../rules/clock/test-clock.ts";
import type { Erasure } from "../../rules/owner/erasure.ts";
import type { AttemptLog } from "../../rules/webhooks/webhook-records.ts";
import type { PrivacyStore } from "../../storage/privacy-store.ts";
import { written } from "../access/written.ts";
import { bumpCatalogVersion, modes, putProduct, rowsOfStore } from "../catalog/catalog-rows.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { replaceEvent } from "../webhooks/events.ts";
import { deliveryKey } from "../webhooks/webhook-state.ts";
import { findRevocation, putRevocation } from "./revocations.ts";
import { orderTables } from "./step-rows.ts";

export function memoryPrivacy(state: MemoryState): PrivacyStore {
  return {
    // Nothing runs beside it in one process: one chunk does all.
    async eraseChunk(erasure) {
      const { store_id, customer_keys, now } = erasure;
      const revocation = { not_before: now, erased: true };
      for (const livemode of modes)
        putRevocation(state, { store_id, livemode }, customer_keys, revocation);

      const erased = eraseRows(personalRows(state, store_id), erasure);
      writeErased(state, erased);
      forgetTotals(state, erasure);
      const change = customerErased(erasure);
      return written(
        state,
        { result: { found: erased.found, next: null }, change },
        erasure.author,
      );
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

interface NamedKey {
  /** The key of the row. */
  readonly name: string;
  readonly key: IdempotencyKey;
}

function personalRows(
  { orders, checkout, webhooks }: MemoryState,
  store_id: string,
): PersonalRows<NamedKey, AttemptLog> {
  const ofStore = <Row extends { readonly store_id: string }>(rows: ReadonlyMap<string, Row>) =>
    [...rows.values()].filter((row) => row.store_id === store_id);
  const isOfStore = (key: string): boolean => key.startsWith(`${store_id}\n`);

  return {
    orders: ofStore(orders.orders),
    attempts: ofStore(orders.attempts),
    refunds: ofStore(orders.refunds),
    disputes: ofStore(orders.disputes),
    notes: ofStore(orders.notes),
    sessions: ofStore(checkout.sessions),
    subscriptions: ofStore(orders.subscriptions),
    keys: [...checkout.keys].flatMap(([name, key]) => (isOfStore(name) ? [{ name, key }] : [])),
    events: modes.flatMap((livemode) => webhooks.events.get(rowKey({ store_id, livemode })) ?? []),
    logs: [...webhooks.attempts].flatMap(([name, logs]) => (isOfStore(name) ? logs : [])),
  };
}

function writeErased(state: MemoryState, erased: Erased<NamedKey, AttemptLog>): void {
  const { orders, checkout, webhooks } = state;
  const tables = orderTables(state);
  for (const order of erased.orders) tables.order.set(rowKey(order, order.id), order);
  for (const attempt of erased.attempts) tables.attempt.set(rowKey(attempt, attempt.id), attempt);
  for (const refund of erased.refunds) tables.refund.set(rowKey(refund, refund.id), refund);
  for (const dispute of erased.disputes)
    tables.dispute.set(rowKey(dispute, `${dispute.order_id}\n${dispute.id}`), dispute);
  for (const session of erased.sessions) tables.session.set(rowKey(session, session.id), session);
  for (const row of erased.subscriptions) tables.subscription.set(rowKey(row, row.id), row);
  for (const { name, key } of erased.keys) checkout.keys.set(name, key);
  for (const event of erased.events) replaceEvent(state, event);
  for (const log of erased.logs) {
    const key = deliveryKey(log);
    const logs = webhooks.attempts.get(key) ?? [];
    const blanked = logs.map((other) => (other.attempt === log.attempt ? log : other));
    webhooks.attempts.set(key, blanked);
  }

  for (const note of erased.notes)
    orders.notes.delete(rowKey(note, `${note.order_id}\n${note.id}`));
  for (const use of erased.uses)
    orders.coupon_uses.delete(rowKey(use, `${use.coupon_id}\n${use.customer_key}`));
}

/** Forgets the customer's totals of orders that were moved out. */
function forgetTotals(
  { orders }: MemoryState,
  { store_id, customer_id }: Pick<Erasure, "store_id" | "customer_id">,
): void {
  for (const [key, total] of orders.kept_totals)
    if (key.startsWith(`${store_id}\n`) && total.customer_id === customer_id)
      orders.kept_totals.delete(key);
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
