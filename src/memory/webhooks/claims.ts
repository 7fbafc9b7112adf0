import {
  claimInTurns,
  nextDue,
  type PendingRows,
  skipPending,
} from "../../rows/webhooks/claims.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import type { MemoryState } from "../state.ts";
import { findEvent } from "./events.ts";
import { deliveryKey, firstDue, putDelivery } from "./webhook-state.ts";

type ClaimSteps = Pick<
  WebhookStore,
  "claimDeliveries" | "findDestinations" | "skipDeliveries" | "releaseDeliveries" | "findNextWork"
>;

export function memoryClaims(state: MemoryState): ClaimSteps {
  const { endpoints, deliveries, due, notices } = state.webhooks;
  const rows: PendingRows = {
    endpointOf: (id) => endpoints.get(id) ?? null,
    firstDue: (id) => firstDue(state.webhooks, id) ?? null,
    bodyOf: (delivery) => findEvent(state, delivery, delivery.event_id)?.body ?? null,
    put: (delivery) => putDelivery(state.webhooks, delivery),
  };

  return {
    claimDeliveries: async (claim) => claimInTurns(rows, due.keys(), claim),
    findDestinations: async (endpoint_ids) =>
      endpoint_ids.flatMap((id) => {
        const endpoint = endpoints.get(id);
        if (endpoint?.state !== "enabled") return [];

        const { url, secrets, agent } = endpoint;
        return [{ id, url, secrets, agent }];
      }),
    async skipDeliveries(_store_id, endpoint_id, limit, now) {
      const isEnabled = endpoints.get(endpoint_id)?.state === "enabled";
      return isEnabled ? 0 : skipPending(rows, endpoint_id, limit, now);
    },
    async releaseDeliveries(keys, lease_token, now) {
      for (const key of keys) {
        const delivery = deliveries.get(deliveryKey(key));
        if (delivery?.state === "pending" && delivery.lease_token === lease_token)
          putDelivery(state.webhooks, { ...delivery, due_at: now, lease_token: null });
      }
    },
    findNextWork: async (now) => ({
      next_due: nextDue(rows, due.keys()),
      notices: [...notices.values()].some(({ due_at }) => due_at <= now),
    }),
  };
}
