import { selectAttempts, selectDisputes, selectDue } from "../rows/lists/money.ts";
import { selectCouponUses, selectSessions } from "../rows/lists/orders.ts";
import { selectEvents } from "../rows/lists/webhooks.ts";
import type { ListingStore } from "../storage/reads/listing-store.ts";
import { modes } from "./catalog/catalog-rows.ts";
import { findOrderOfSession } from "./orders/order-state.ts";
import { rowKey } from "./row-key.ts";
import type { MemoryState } from "./state.ts";
import { findEvent } from "./webhooks/events.ts";

export function memoryLists(state: MemoryState): ListingStore {
  const { orders, attempts, payments, disputes, subscriptions } = state.orders;
  const { catalog, checkout, webhooks } = state;

  return {
    listAttempts: async (query) => selectAttempts(attempts.values(), payments.values(), query),
    listDisputes: async (query) =>
      selectDisputes(
        disputes.values(),
        (dispute) => orders.get(rowKey(dispute, dispute.order_id)) ?? null,
        query,
      ),
    listDue: async (query) => selectDue(subscriptions.values(), query),
    listSessions: async (query) =>
      selectSessions(
        checkout.sessions.values(),
        (session) => findOrderOfSession(state.orders, session, session.id),
        query,
      ),
    listCouponUses: async (query) => selectCouponUses(orders.values(), query),
    countCouponUses: async (store_id, coupon_ids) =>
      coupon_ids.flatMap((coupon_id) =>
        modes.map((livemode) => {
          const key = rowKey({ store_id, livemode }, coupon_id);
          return { coupon_id, livemode, used: catalog.coupon_uses.get(key) ?? 0 };
        }),
      ),
    countStock: async (partition, product_ids) =>
      product_ids.flatMap((product_id) => {
        const count = catalog.stock.get(rowKey(partition, product_id));
        return count ? [{ product_id, ...count }] : [];
      }),
    listEvents: async (query) => selectEvents(webhooks.events.get(rowKey(query)) ?? [], query),
    findEvent: async (partition, id) => findEvent(state, partition, id) ?? null,
    async countAttempts({ store_id, endpoint_id, since, limit }) {
      const all = [...webhooks.attempts.values()]
        .flat()
        .filter((attempt) => attempt.store_id === store_id && attempt.endpoint_id === endpoint_id)
        .sort((a, b) => b.started_at - a.started_at);
      const counted = all.filter(({ started_at }) => started_at >= since).slice(0, limit);
      return {
        attempts: counted.length,
        accepted: counted.filter(({ error }) => error === null).length,
        last_accepted_at: all.find(({ error }) => error === null)?.started_at ?? null,
      };
    },
  };
}
