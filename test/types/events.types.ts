// This file is compiled by `npm run check types` and never run. It holds the events' schemas equal to
// the type that receivers use.
import type { EventType, WebhookEvent } from "vitrine";
import { verifyWebhook } from "vitrine/webhooks";
import type { z } from "zod";
import type { eventData } from "../../src/contract/event-schemas.ts";

type DataOf<T extends EventType, E = WebhookEvent> = E extends { type: infer U; data: infer D }
  ? T extends U
    ? D
    : never
  : never;
type Fits = { [T in EventType]: DataOf<T> extends z.output<(typeof eventData)[T]> ? true : false };

export const fits: Fits = {
  "checkout.session.completed": true,
  "order.created": true,
  "order.paid": true,
  "order.failed": true,
  "order.refunded": true,
  "order.refund_failed": true,
  "order.chargeback": true,
  "subscription.created": true,
  "subscription.renewed": true,
  "subscription.updated": true,
  "subscription.renewal_upcoming": true,
  "subscription.past_due": true,
  "subscription.recovered": true,
  "subscription.payment_action_required": true,
  "subscription.canceled": true,
  "entitlement.granted": true,
  "entitlement.revoked": true,
};

const verdict = await verifyWebhook<"order.paid" | "order.refunded">({
  rawBody: "",
  header: "",
  secret: "",
});
if (verdict.ok) {
  const { event } = verdict;
  event.data.order.number satisfies number;
  event.type satisfies "order.paid" | "order.refunded";
  if (event.type === "order.refunded") event.data.refund.amount satisfies number;
  // @ts-expect-error an endpoint of these types gets no other
  event.type satisfies "order.failed";
}
