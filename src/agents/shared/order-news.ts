import type { EventOf } from "../../contract/events.ts";
import type { Order } from "../../contract/schemas.ts";
import type { agentEventTypes } from "../../rules/webhooks/told-agent.ts";
import type { AgentEvent } from "../../webhooks/send/send.ts";

/** An event that agents are told of. Each has the whole order. */
export type OrderEvent = EventOf<(typeof agentEventTypes)[number]>;

/** What the message of a protocol is made of. */
export interface OrderNews extends Omit<AgentEvent, "body" | "event_id"> {
  readonly event: Pick<OrderEvent, "id" | "type" | "created_at">;
  readonly order: Order;
  /** The page of the order. */
  readonly permalink: string;
}
