import type { CheckoutSession, Order, Subscription } from "./schemas.ts";

/** SPEC 6.1: the nine event types and when each fires. */
export const events = {
  "checkout.session.completed": "The buyer completed the checkout session.",
  "order.created": "An order was created, at the first payment submission.",
  "order.paid": "Payment is confirmed: the correct trigger for releasing the product.",
  "order.failed": "The payment failed, expired or was canceled.",
  "order.refunded": "The order was refunded, in part or in whole.",
  "order.chargeback": "A payment dispute was received.",
  "subscription.created": "A recurring subscription was created.",
  "subscription.renewed": "A recurring subscription was renewed, after the renewal's payment.",
  "subscription.canceled": "A recurring subscription ended.",
} as const;

export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as readonly EventType[];

interface Envelope<Type extends string, Data> {
  /** `evt_…`; the same id may arrive more than once, repeats are no-ops (SPEC 6.4). */
  readonly id: string;
  readonly type: Type;
  readonly livemode: boolean;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly api_version: "v1";
  /** Counts without gaps per store and mode. */
  readonly sequence: number;
  readonly store_id: string;
  readonly data: Data;
}

type OrderBrief = Pick<Order, "id" | "number" | "status">;
interface OrderData {
  readonly order: Order;
  readonly previous_status: Order["status"] | null;
}
interface RefundData extends OrderData {
  readonly refund: {
    readonly id: string;
    readonly amount: number;
    readonly reason: string | null;
    readonly created_at: string;
  };
}
interface DisputeData extends OrderData {
  readonly dispute: {
    readonly id: string;
    readonly amount: number;
    readonly reason: string | null;
    readonly due_by: string | null;
  };
}
interface SubscriptionData {
  readonly subscription: Subscription;
  readonly order: OrderBrief | null;
}
interface SessionData {
  /** The hosted page's address is null: it holds a token, and nothing is left to pay. */
  readonly checkout_session: Omit<CheckoutSession, "checkout_url"> & {
    readonly checkout_url: string | null;
  };
  readonly order: OrderBrief;
}

/** The events of this version. Other types may appear within v1 (CONTRACT 10): end a `switch` over `type` with a default branch. */
export type WebhookEvent =
  | Envelope<"checkout.session.completed", SessionData>
  | Envelope<"order.created" | "order.paid" | "order.failed", OrderData>
  | Envelope<"order.refunded", RefundData>
  | Envelope<"order.chargeback", DisputeData>
  | Envelope<
      "subscription.created" | "subscription.renewed" | "subscription.canceled",
      SubscriptionData
    >;
