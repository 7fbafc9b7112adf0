import type { SettlementRows } from "../../rows/webhooks/settlements.ts";
import { addAlert, putNotice } from "../access/alerts.ts";
import type { MemoryState } from "../state.ts";
import { addStat } from "../stats.ts";
import { deliveryKey, putDelivery } from "./webhook-state.ts";

/** Gives what the settling of a batch reads and writes. */
export function settlementRows(state: MemoryState): SettlementRows {
  const { deliveries, attempts, endpoints, failing } = state.webhooks;
  return {
    deliveryOf: (key) => deliveries.get(deliveryKey(key)) ?? null,
    put: (delivery) => putDelivery(state.webhooks, delivery),
    addLog(log) {
      const key = deliveryKey(log);
      attempts.set(key, [...(attempts.get(key) ?? []), log]);
    },
    addStat: (partition, change) => addStat(state, partition, change),
    endpointOf: (id) => endpoints.get(id) ?? null,
    putEndpoint: (endpoint) => void endpoints.set(endpoint.id, endpoint),
    healthOf: (id) => failing.get(id) ?? null,
    putHealth(id, health) {
      if (health.failing_since === null) failing.delete(id);
      else failing.set(id, health);
    },
    tell(alert, now) {
      addAlert(state, alert, now + 1);
      putNotice(state, alert, now);
    },
  };
}
