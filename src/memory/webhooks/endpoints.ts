import { isIn } from "../../rows/page.ts";
import type { Partition } from "../../rules/records.ts";
import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import type { MemoryState } from "../state.ts";

export const memoryEndpoints = (state: MemoryState): Pick<WebhookStore, "listEndpoints"> => ({
  listEndpoints: async (partition) =>
    endpointsOf(state, partition).sort((a, b) => (a.id < b.id ? -1 : 1)),
});

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
