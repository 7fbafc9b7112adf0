import { isStale } from "../../rules/catalog/catalog-writes.ts";
import type { Partition } from "../../rules/records.ts";
import { resetsHealth } from "../../rules/webhooks/health.ts";
import { rotated } from "../../rules/webhooks/rotate.ts";
import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import { noteChange } from "../access/note-change.ts";
import type { MemoryState } from "../state.ts";

type EndpointSteps = Pick<
  WebhookStore,
  | "createEndpoint"
  | "listEndpoints"
  | "findEndpoint"
  | "updateEndpoint"
  | "rotateSecret"
  | "deleteEndpoint"
>;

export function memoryEndpoints(state: MemoryState): EndpointSteps {
  const { endpoints, failing } = state.webhooks;

  return {
    async createEndpoint(endpoint, max) {
      if (!state.access.stores.has(endpoint.store_id)) return { outcome: "unknown_store" };

      const others = [...endpoints.values()].filter(
        ({ id, store_id }) => store_id === endpoint.store_id && id !== endpoint.id,
      );
      if (others.length >= max) return { outcome: "limit" };

      const before = endpoints.get(endpoint.id) ?? null;
      endpoints.set(endpoint.id, endpoint);
      noteChange(state, { kind: "record", type: "endpoint", before, after: endpoint });
      return { outcome: "created" };
    },
    listEndpoints: async (partition) =>
      endpointsOf(state, partition).sort((a, b) => (a.id < b.id ? -1 : 1)),
    findEndpoint: async (partition, id) => findEndpoint(state, partition, id),
    async updateEndpoint(partition, id, changes, before) {
      const endpoint = findEndpoint(state, partition, id);
      if (!endpoint) return null;
      if (isStale(endpoint, before)) return "stale";

      const updated = { ...endpoint, ...changes };
      endpoints.set(id, updated);
      if (resetsHealth(endpoint, updated)) failing.delete(id);
      noteChange(state, { kind: "record", type: "endpoint", before: endpoint, after: updated });
      return updated;
    },
    async rotateSecret(partition, id, rotation) {
      const endpoint = findEndpoint(state, partition, id);
      if (!endpoint) return null;

      const updated = { ...endpoint, secrets: rotated(endpoint.secrets, rotation) };
      endpoints.set(id, updated);
      noteChange(state, { kind: "record", type: "endpoint", before: endpoint, after: updated });
      return updated;
    },
    async deleteEndpoint(partition, id) {
      const before = findEndpoint(state, partition, id);
      if (!before) return false;

      endpoints.delete(id);
      noteChange(state, { kind: "record", type: "endpoint", before, after: null });
      return true;
    },
  };
}

export function findEndpoint(
  { webhooks }: MemoryState,
  partition: Partition,
  id: string,
): EndpointRecord | null {
  const endpoint = webhooks.endpoints.get(id);
  return endpoint && isIn(partition, endpoint) ? endpoint : null;
}

export const endpointsOf = ({ webhooks }: MemoryState, partition: Partition): EndpointRecord[] =>
  [...webhooks.endpoints.values()].filter((endpoint) => isIn(partition, endpoint));

const isIn = (partition: Partition, { store_id, livemode }: EndpointRecord): boolean =>
  store_id === partition.store_id && livemode === partition.livemode;
