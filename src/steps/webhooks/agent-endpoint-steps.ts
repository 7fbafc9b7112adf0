import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { RecordStore } from "../../storage/record-store.ts";
import { endpointSubject } from "./endpoint-steps.ts";

/**
 * Makes the endpoint of an agent. An endpoint that exists gets the new address, secret and agent,
 * and keeps what its owner has changed.
 */
export const putAgentEndpoint = (
  records: RecordStore,
  endpoint: EndpointRecord,
  most: number,
): Promise<"put" | "limit" | "unknown_store"> =>
  records.step<"endpoint", "put" | "limit" | "unknown_store">(
    { ...endpointSubject("putAgentEndpoint", endpoint, endpoint.id), may: "make", most },
    ({ owner_exists, record, others }) => {
      if (!owner_exists) return { result: "unknown_store" };
      if (!record && others >= most) return { result: "limit" };
      const { url, secrets, agent } = endpoint;
      return { result: "put", after: record ? { ...record, url, secrets, agent } : endpoint };
    },
  );
