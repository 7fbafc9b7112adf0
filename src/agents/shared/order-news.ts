import type { EventOf } from "../../contract/events.ts";
import type { Order } from "../../contract/schemas.ts";
import type { AgentEvent } from "../../webhooks/send/send.ts";

/** An event that agents are told of. Each has the whole order. */
export type OrderEvent = EventOf<
  "order.paid" | "order.refunded" | "order.refund_failed" | "order.chargeback"
>;

/** What the message of a protocol is made of. */
export interface OrderNews extends Omit<AgentEvent, "body" | "event_id"> {
  readonly event: Pick<OrderEvent, "id" | "type" | "created_at">;
  readonly order: Order;
  /** The page of the order. */
  readonly permalink: string;
}
