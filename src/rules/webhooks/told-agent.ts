import type { EventType } from "../../contract/events.ts";
import type { OrderRecord } from "../records.ts";
import type { EndpointAgent, EndpointRecord } from "./webhook-records.ts";

/** The metadata of a session and its order that names the agent that made it, by the protocol. */
export const agentFields = { acp: "acp_agent", ucp: "ucp_agent" } as const;

/** The events that agents are told of: the order that was paid, and each change of its money. */
export const agentEventTypes = [
  "order.paid",
  "order.refunded",
  "order.refund_failed",
  "order.chargeback",
] as const satisfies readonly EventType[];

/** Names an agent in one text. */
export const agentName = ({ protocol, name }: Pick<EndpointAgent, "protocol" | "name">): string =>
  `${protocol}:${name}`;

/** Gives the agent that is told of an event of this order. Undefined when none is. */
export function toldAgent(
  type: EventType,
  { metadata, session_id }: Pick<OrderRecord, "metadata" | "session_id">,
): string | undefined {
  if (session_id === null || !agentEventTypes.some((told) => told === type)) return undefined;

  for (const protocol of ["acp", "ucp"] as const) {
    const name = metadata[agentFields[protocol]];
    if (typeof name === "string") return agentName({ protocol, name });
  }
  return undefined;
}

/**
 * Lists what an event must have one of, so that the endpoint wants it: the agent's name for the
 * endpoint of an agent, and the types of events for any other. Null means every event.
 */
export const wantedTexts = ({
  agent,
  event_types,
}: Pick<EndpointRecord, "agent" | "event_types">): readonly string[] | null =>
  agent ? [agentName(agent)] : event_types;
