import type { EventType } from "../events.ts";
import type { Order } from "../schemas.ts";
import {
  order_id,
  orderExample,
  paid_at,
  sessionExample,
  storeExample,
  subscriptionExample,
} from "./examples.ts";

const envelope = { livemode: false, api_version: "v1", store_id: storeExample.id } as const;
const brief = { id: order_id, number: 1042, status: "paid" } as const;
const ofOrder = (
  status: Order["status"],
  previous_status: Order["status"] | null,
  change: Partial<Order> = {},
) => ({
  order: { ...orderExample, status, ...change },
  previous_status,
});
const unpaid = { paid_at: null, payment_method: null } as const;
const refundExample = {
  id: "rf_01KF1JQ2C4V6B8N0M2K4J6H8GF",
  amount: 1000,
  reason: "requested_by_customer",
  created_at: "2026-01-16T09:00:00.000Z",
};

const pastDue = {
  ...subscriptionExample,
  status: "past_due",
  next_charge_at: "2026-02-17T12:04:10.250Z",
} as const;

const entitlementExample = {
  status: "granted",
  id: "ent_01KF1JQ2C4V6B8N0M2K4J6H8EN",
  type: "license_key",
  item_id: orderExample.items[0]?.id,
  product_id: orderExample.items[0]?.product_id,
  quantity: 1,
  license_key_last4: "7QX2",
  granted_at: paid_at,
  revoked_at: null,
};

/** Holds the `data` of an example of each event type; `eventExample` adds the other fields. */
const eventData: Readonly<Record<EventType, object>> = {
  "checkout.session.completed": {
    checkout_session: {
      ...sessionExample,
      checkout_url: null,
      status: "complete",
      payment_status: "paid",
    },
    order: brief,
  },
  "order.created": ofOrder("pending", null, unpaid),
  "order.paid": ofOrder("paid", "pending"),
  "order.failed": ofOrder("failed", "pending", { ...unpaid, failure_code: "declined" }),
  "order.refunded": {
    ...ofOrder("partially_refunded", "paid", {
      amount_refunded: 1000,
      refunded_at: "2026-01-16T09:00:00.000Z",
    }),
    refund: refundExample,
  },
  "order.refund_failed": {
    ...ofOrder("paid", "partially_refunded"),
    refund: { ...refundExample, failure_reason: "account_closed" },
  },
  "order.chargeback": {
    ...ofOrder("chargeback", "paid", { disputed_at: "2026-02-01T10:00:00.000Z" }),
    dispute: {
      id: "dp_1042",
      amount: 6210,
      reason: "fraudulent",
      due_by: "2026-02-10T23:59:59.000Z",
    },
  },
  "subscription.created": { subscription: subscriptionExample, order: brief },
  "subscription.renewed": { subscription: subscriptionExample, order: brief },
  "subscription.updated": {
    subscription: { ...subscriptionExample, unit_amount: 3900, amount: 3900 },
    order: null,
  },
  "subscription.renewal_upcoming": { subscription: subscriptionExample, order: null },
  "subscription.past_due": { subscription: pastDue, order: { ...brief, status: "failed" } },
  "subscription.recovered": { subscription: subscriptionExample, order: brief },
  "subscription.payment_action_required": {
    subscription: { ...pastDue, next_charge_at: null },
    order: { ...brief, status: "failed" },
  },
  "subscription.canceled": {
    subscription: {
      ...subscriptionExample,
      status: "canceled",
      canceled_at: paid_at,
      next_charge_at: null,
      ended_at: "2026-02-15T12:04:10.250Z",
    },
    order: null,
  },
  "entitlement.granted": {
    entitlements: [entitlementExample],
    customer: orderExample.customer,
    order: brief,
  },
  "entitlement.revoked": {
    entitlements: [
      { ...entitlementExample, status: "revoked", revoked_at: "2026-01-16T09:00:00.000Z" },
    ],
    customer: orderExample.customer,
    order: { ...brief, status: "refunded" },
  },
};

export const eventExample = (type: EventType): object => ({
  id: "evt_01KEZBCA1M3N5B7V9C2X4Z6KJH",
  type,
  created_at: paid_at,
  sequence: 4127,
  ...envelope,
  data: eventData[type],
});
