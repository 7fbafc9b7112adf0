import { z } from "zod";
import { unsaid } from "./entitlement-schema.ts";
import type { EventType, WebhookEvent } from "./events.ts";
import {
  CheckoutSession,
  Customer,
  Entitlement,
  Event,
  Order,
  orderStatuses,
  RefundReason,
  Subscription,
} from "./schemas.ts";

const timestamp = z.iso.datetime({ precision: 3 });
const amount = z.int().min(0);
const orderBrief = Order.pick({ id: true, number: true, status: true });
const order = z.strictObject({ order: Order, previous_status: z.enum(orderStatuses).nullable() });
/**
 * The address of the checkout page is null: it contains a token, and no stored
 * event has one.
 */
const session = CheckoutSession.extend({ checkout_url: z.string().nullable() });
const subscription = z.strictObject({ subscription: Subscription, order: orderBrief.nullable() });

const refund = z.strictObject({
  id: z.string(),
  amount,
  reason: RefundReason.nullable(),
  created_at: timestamp,
});
const failedRefund = refund.extend({ failure_reason: z.string().nullable() });
const dispute = z.strictObject({
  id: z.string(),
  amount,
  reason: z.string().nullable(),
  due_by: timestamp.nullable(),
});
const entitlement = z.strictObject({
  entitlements: z.array(Entitlement.omit(unsaid)),
  customer: Customer,
  order: orderBrief,
});

/** Gives the type of an event's `data`. */
type DataOf<T extends EventType, E = WebhookEvent> = E extends {
  readonly type: infer U;
  readonly data: infer D;
}
  ? T extends U
    ? D
    : never
  : never;

/** Holds the schema of each event type's `data`, as it is stored, sent and listed. */
export const eventData = {
  "checkout.session.completed": z.strictObject({ checkout_session: session, order: orderBrief }),
  "order.created": order,
  "order.paid": order,
  "order.failed": order,
  "order.refunded": order.extend({ refund }),
  "order.refund_failed": order.extend({ refund: failedRefund }),
  "order.chargeback": order.extend({ dispute }),
  "subscription.created": subscription,
  "subscription.renewed": subscription,
  "subscription.updated": subscription,
  "subscription.renewal_upcoming": subscription,
  "subscription.past_due": subscription,
  "subscription.recovered": subscription,
  "subscription.payment_action_required": subscription,
  "subscription.canceled": subscription,
  "entitlement.granted": entitlement,
  "entitlement.revoked": entitlement,
} as const satisfies { readonly [T in EventType]: z.ZodType<DataOf<T>> };

/** Gives the schema of a whole event. */
export const eventSchema = (type: EventType): z.ZodObject =>
  Event.extend({ type: z.literal(type), data: eventData[type] });

/** Gives the name of an event's schema in the API document: `order.paid` gives `OrderPaidEvent`. */
export const eventSchemaName = (type: EventType): string =>
  `${type
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Event`;
