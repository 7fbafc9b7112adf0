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

/** Tells what a receiver of every type reads, by the type of the event alone. */
export async function read(rawBody: Uint8Array): Promise<unknown> {
  const all = await verifyWebhook({ rawBody, header: "", secret: "" });
  if (!all.ok) return null;
  const { event } = all;
  // @ts-expect-error not every event is about an order and its status before
  void event.data.previous_status;
  switch (event.type) {
    case "checkout.session.completed":
      event.data.checkout_session.checkout_url satisfies string | null;
      // @ts-expect-error a session's event has the order in brief
      return event.data.order.amount_total;
    case "order.created":
    case "order.paid":
    case "order.failed":
      event.data.previous_status satisfies string | null;
      // @ts-expect-error nothing was given back
      return event.data.refund;
    case "order.refunded":
      event.data.refund.amount satisfies number;
      // @ts-expect-error this refund did not fail
      return event.data.refund.failure_reason;
    case "order.refund_failed":
      return event.data.refund.failure_reason satisfies string | null;
    case "order.chargeback":
      event.data.dispute.due_by satisfies string | null;
      // @ts-expect-error the bank takes it back, not the shop
      return event.data.refund;
    case "entitlement.granted":
    case "entitlement.revoked":
      event.data.entitlements satisfies readonly object[];
      // @ts-expect-error a subscription is not told of
      return event.data.subscription;
    default:
      event.type satisfies `subscription.${string}`;
      event.data.subscription.current_period_end satisfies string;
      return event.data.order?.number satisfies number | undefined;
  }
}
