import { deliveriesRecovered } from "../../rules/audit/audit-changes.ts";
import { recordOf, restarted, type StoredDelivery } from "../../rules/webhooks/deliveries.ts";
import type {
  DeliveryPlace,
  DeliveryQuery,
  Recovery,
  WebhookStore,
} from "../../storage/webhook-store.ts";
import { written } from "../access/written.ts";
import { isIn, type MemoryState } from "../state.ts";
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
    listDeliveries: async (query) =>
      newestFirst([...deliveries.values()].filter((delivery) => matches(delivery, query)))
        .slice(0, query.limit)
        .map(recordOf),
    async recoverDeliveries(recovery) {
      const { limit, now, endpoint_id } = recovery;
      const recoverable = [...deliveries.values()].filter(
        (delivery) =>
          isRecoverable(delivery, recovery) && findEvent(state, delivery, delivery.event_id)?.body,
      );
      const recovered = newestFirst(recoverable).slice(0, limit);

      for (const delivery of recovered)
        putDelivery(state.webhooks, { ...delivery, ...restarted(now) });

      const last = recovered.length < limit ? undefined : recovered.at(-1);
      const before = last && { created_at: last.created_at, event_id: last.event_id, endpoint_id };
      const result = { recovered: recovered.length, before: before ?? null };
      const change = recovered.length > 0 ? deliveriesRecovered(recovery) : null;
      return written(state, { result, change }, recovery.author);
    },
  };
}

const matches = (delivery: StoredDelivery, query: DeliveryQuery): boolean =>
  isIn(query, delivery) &&
  (query.endpoint_id === undefined || delivery.endpoint_id === query.endpoint_id) &&
  (query.event_id === undefined || delivery.event_id === query.event_id) &&
  (query.state === undefined || delivery.state === query.state) &&
  (query.before === undefined || isOlder(delivery, query.before));

const isRecoverable = (delivery: StoredDelivery, recovery: Recovery): boolean =>
  isIn(recovery, delivery) &&
  delivery.endpoint_id === recovery.endpoint_id &&
  delivery.created_at >= recovery.since &&
  delivery.created_at <= recovery.until &&
  recovery.states.some((state) => state === delivery.state) &&
  (recovery.before === null || isOlder(delivery, recovery.before));

const newestFirst = (deliveries: StoredDelivery[]): StoredDelivery[] =>
  deliveries.sort((a, b) => (isOlder(a, b) ? 1 : -1));

/** Says whether `a` comes after `b` in a list that begins with the newest. */
function isOlder(a: DeliveryPlace, b: DeliveryPlace): boolean {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at;
  if (a.event_id !== b.event_id) return a.event_id < b.event_id;
  return a.endpoint_id < b.endpoint_id;
}
