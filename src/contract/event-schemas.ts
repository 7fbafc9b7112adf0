import { z } from "zod";
import type { EventType, WebhookEvent } from "./events.ts";
import { CheckoutSession, Event, Order, orderStatuses, Subscription } from "./schemas.ts";

const timestamp = z.iso.datetime({ precision: 3 });
const amount = z.int().min(0);
const brief = Order.pick({ id: true, number: true, status: true });
const order = z.strictObject({ order: Order, previous_status: z.enum(orderStatuses).nullable() });
/** Without the address that holds the checkout token: stored events hold no secret. */
const session = CheckoutSession.extend({ checkout_url: z.string().nullable() });
const subscription = z.strictObject({ subscription: Subscription, order: brief.nullable() });

const refund = z.strictObject({
  id: z.string(),
  amount,
  reason: z.string().nullable(),
  created_at: timestamp,
});
const dispute = z.strictObject({
  id: z.string(),
  amount,
  reason: z.string().nullable(),
  due_by: timestamp.nullable(),
});

type DataOf<T extends EventType, E = WebhookEvent> = E extends {
  readonly type: infer U;
  readonly data: infer D;
}
  ? T extends U
    ? D
    : never
  : never;

/** `data` of each event type, as it is stored, sent and listed. */
export const eventData = {
  "checkout.session.completed": z.strictObject({ checkout_session: session, order: brief }),
  "order.created": order,
  "order.paid": order,
  "order.failed": order,
  "order.refunded": order.extend({ refund }),
  "order.chargeback": order.extend({ dispute }),
  "subscription.created": subscription,
  "subscription.renewed": subscription,
  "subscription.canceled": subscription,
} as const satisfies { readonly [T in EventType]: z.ZodType<DataOf<T>> };

/** The whole event of a type. */
export const eventSchema = (type: EventType): z.ZodObject =>
  Event.extend({ type: z.literal(type), data: eventData[type] });

/** `order.paid` → `OrderPaidEvent`: its name among the schemas of the API document. */
export const eventSchemaName = (type: EventType): string =>
  `${type
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Event`;
