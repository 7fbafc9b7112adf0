import { recoverable, selectDeliveries } from "../../rows/lists/webhooks.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import { written } from "../access/written.ts";
import type { MemoryState } from "../state.ts";
import { findEvent } from "./events.ts";
import { deliveryKey, putDelivery } from "./webhook-state.ts";

export type DeliverySteps = Pick<
  WebhookStore,
  "listDeliveries" | "listAttempts" | "recoverDeliveries"
>;

export function memoryDeliveries(state: MemoryState): DeliverySteps {
  const { deliveries, attempts } = state.webhooks;

  return {
    listAttempts: async (key) => attempts.get(deliveryKey(key)) ?? [],
    listDeliveries: async (query) => selectDeliveries(deliveries.values(), query),
    async recoverDeliveries(recovery) {
      const { restarted, result, change } = recoverable(
        deliveries.values(),
        (delivery) => findEvent(state, delivery, delivery.event_id)?.body ?? null,
        recovery,
      );
      for (const delivery of restarted) putDelivery(state.webhooks, delivery);
      return written(state, { result, change }, recovery.author);
    },
  };
}
