import { notesOf } from "../../rows/lists/orders.ts";
import { foundRecord } from "../../rules/owner/record-kinds.ts";
import { resetsHealth } from "../../rules/webhooks/health.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { findEndpoint } from "../webhooks/endpoints.ts";
import { findEvent } from "../webhooks/events.ts";
import { deliveryKey, putDelivery } from "../webhooks/webhook-state.ts";
import type { RecordRows } from "./record-rows.ts";

interface SaleRows {
  readonly endpoint: RecordRows<"endpoint">;
  readonly order_note: RecordRows<"order_note">;
  readonly delivery: RecordRows<"delivery">;
}

/** Keeps endpoints, their deliveries, and the notes of orders. */
export function saleRows(state: MemoryState): SaleRows {
  const { endpoints, failing, deliveries } = state.webhooks;
  const { orders, notes } = state.orders;

  return {
    endpoint: {
      load({ store_id, livemode = false, id }) {
        const others = [...endpoints.values()].filter(
          (other) => other.store_id === store_id && other.id !== id,
        );
        return foundRecord<"endpoint">({
          owner_exists: state.access.stores.has(store_id),
          record: findEndpoint(state, { store_id, livemode }, id),
          others: others.length,
        });
      },
      put(endpoint, before) {
        endpoints.set(endpoint.id, endpoint);
        if (before && resetsHealth(before, endpoint)) failing.delete(endpoint.id);
      },
      remove: ({ id }) => void endpoints.delete(id),
    },
    order_note: {
      load({ store_id, livemode = false, order_id = "", id }) {
        const partition = { store_id, livemode };
        const ofOrder = notesOf(notes.values(), partition, order_id);
        return foundRecord<"order_note">({
          owner_exists: orders.has(rowKey(partition, order_id)),
          record: ofOrder.find((note) => note.id === id) ?? null,
          others: ofOrder.filter((note) => note.id !== id).length,
        });
      },
      put: (note) => void notes.set(rowKey(note, `${note.order_id}\n${note.id}`), note),
    },
    delivery: {
      load({ store_id, livemode = false, endpoint_id = "", id }) {
        const delivery = deliveries.get(deliveryKey({ store_id, endpoint_id, event_id: id }));
        if (delivery?.livemode !== livemode) return foundRecord<"delivery">({ record: null });

        const endpoint = findEndpoint(state, delivery, endpoint_id);
        const body = findEvent(state, delivery, id)?.body ?? null;
        return foundRecord<"delivery">({ record: { delivery, endpoint, body } });
      },
      put: ({ delivery }) => putDelivery(state.webhooks, delivery),
    },
  };
}
