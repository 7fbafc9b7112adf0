import { addressOf } from "../../operations/checkout-session.ts";
import type { OperationContext } from "../../operations/context.ts";
import { renderOrder } from "../../rules/catalog/render-order.ts";
import type { AgentEvent, Message } from "../../webhooks/send/send.ts";
import type { OrderEvent, OrderNews } from "./order-news.ts";

type MessageContext = Pick<OperationContext, "storage" | "checkoutUrls">;

/** Writes and signs the message of an event in the protocol of its agent. */
export async function writeAgentMessage(
  ctx: MessageContext,
  { body, event_id, ...sent }: AgentEvent,
): Promise<Message> {
  const event = JSON.parse(body) as OrderEvent;
  const shown = await findOrder(ctx, event, sent.agent.success_url);
  const { writeOrder } =
    sent.agent.protocol === "acp"
      ? await import("../acp/order-message.ts")
      : await import("../ucp/order-message.ts");
  return writeOrder({ ...sent, event, ...shown });
}

/**
 * Gives the order as it stands now, so that a message that comes late puts nothing back, and its
 * page: that of its session, or where buyers come back to.
 */
async function findOrder(
  { storage, checkoutUrls }: MessageContext,
  { store_id, livemode, data: { order } }: OrderEvent,
  success_url: string,
): Promise<Pick<OrderNews, "order" | "permalink">> {
  const where = { store_id, livemode };
  const found = await storage.checkout.findSession(where, order.checkout_session_id ?? "");
  // Old sessions are deleted; their orders stay.
  if (!found?.order) return { order, permalink: success_url };

  const permalink = await addressOf({ checkoutUrls }, found.session);
  return { order: renderOrder(found.order), permalink: permalink ?? found.session.success_url };
}
