import type { EventType } from "../../contract/events.ts";
import { iso } from "../../domain/text/iso.ts";
import type { Partition } from "../../rules/records.ts";
import { agentName } from "../../rules/webhooks/told-agent.ts";
import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";

/** An address that events are delivered to. */
export interface Endpoint extends Partition {
  readonly id: string;
  readonly url: string;
  /** `*` means every type, also those of later versions. */
  readonly event_types: readonly EventType[] | "*";
  readonly state: "enabled" | "disabled";
  /**
   * `owner`, or `failing` when no delivery succeeded for three days. It is
   * null while the endpoint is enabled.
   */
  readonly disabled_reason: string | null;
  readonly description: string | null;
  /**
   * The shopping agent that is told of its orders here: `ucp:` or `acp:`, and its name. Its
   * protocol decides about address, events and secret. Null for an endpoint of your own.
   */
  readonly agent: string | null;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
}

export const renderEndpoint = (endpoint: EndpointRecord): Endpoint => ({
  id: endpoint.id,
  store_id: endpoint.store_id,
  livemode: endpoint.livemode,
  url: endpoint.url,
  event_types: endpoint.event_types ?? "*",
  state: endpoint.state,
  disabled_reason: endpoint.disabled_reason,
  description: endpoint.description,
  agent: endpoint.agent ? agentName(endpoint.agent) : null,
  created_at: iso(endpoint.created_at),
});
