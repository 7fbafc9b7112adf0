import {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
} from "../rules/erasure.ts";
import type { PrivacyStore } from "../storage/privacy-store.ts";
import { bumpCatalog, storedProduct, within } from "./catalog.ts";
import { type MemoryState, rowKey } from "./state.ts";

const modes = [true, false];

export function memoryPrivacy(state: MemoryState): PrivacyStore {
  return {
    async eraseCustomer(store_id, customer_id) {
      const { orders, subscriptions, coupon_uses, not_before } = state.orders;
      const mine = [...orders].filter(
        ([, order]) => order.store_id === store_id && order.customer.id === customer_id,
      );
      const session_ids = new Set(mine.flatMap(([, order]) => order.session_id ?? []));
      for (const [key, session] of state.checkout.sessions) {
        if (
          session.store_id !== store_id ||
          !(session.customer_id === customer_id || session_ids.has(session.id))
        )
          continue;
        session_ids.add(session.id);
        state.checkout.sessions.set(key, blankSession(session));
      }
      for (const [key, order] of mine) {
        if (order.coupon_key !== null)
          coupon_uses.delete(rowKey(order, `${order.coupon_id}\n${order.coupon_key}`));
        orders.set(key, blankOrder(order));
      }
      const subscribed = [...subscriptions].filter(
        ([, one]) => one.store_id === store_id && one.customer.id === customer_id,
      );
      for (const [key, subscription] of subscribed)
        subscriptions.set(key, blankSubscription(subscription));
      for (const [key, row] of state.checkout.keys)
        if (row.reply && session_ids.has(row.session_id))
          state.checkout.keys.set(key, {
            ...row,
            reply: { ...row.reply, body: blankReply(row.reply.body) },
          });
      for (const livemode of modes) {
        const partition = { store_id, livemode };
        not_before.delete(rowKey(partition, customer_id));
        for (const [at, event] of (state.webhooks.events.get(rowKey(partition)) ?? []).entries()) {
          const body =
            event.body === null ? null : blankEvent(event.body, customer_id, session_ids);
          if (body === null) continue;
          state.webhooks.events.get(rowKey(partition))?.splice(at, 1, { ...event, body });
          for (const [key, logs] of state.webhooks.attempts)
            if (logs.some((log) => log.event_id === event.id))
              state.webhooks.attempts.set(
                key,
                logs.map((log) => ({ ...log, snippet: null })),
              );
        }
      }
      return mine.length > 0 || session_ids.size > 0 || subscribed.length > 0;
    },
    async wipeTestData(store_id) {
      const test = { store_id, livemode: false };
      const start = rowKey(test);
      const tables: readonly { keys(): Iterable<string>; delete(key: string): boolean }[] = [
        ...Object.values(state.orders),
        state.checkout.sessions,
        state.checkout.keys,
        state.catalog.coupon_uses,
        state.webhooks.events,
        state.webhooks.sequences,
        state.consumers,
      ];
      for (const rows of tables)
        for (const key of [...rows.keys()]) if (key.startsWith(start)) rows.delete(key);
      for (const [key, delivery] of state.webhooks.deliveries) {
        if (delivery.store_id !== store_id || delivery.livemode) continue;
        state.webhooks.deliveries.delete(key);
        state.webhooks.attempts.delete(key);
      }
      const products = within(state.catalog.products, store_id);
      for (const [id, { record }] of products) {
        const live = state.catalog.stock.get(rowKey({ store_id, livemode: true }, id));
        if (live) state.catalog.stock.set(rowKey(test, id), { stock: live.stock, held: 0 });
        products.set(id, storedProduct(state, record));
      }
      bumpCatalog(state, store_id);
    },
  };
}
