import type { z } from "zod";
import type { unsaid } from "./entitlement-schema.ts";
import type { CheckoutSession, Customer, Order, RefundReason, Subscription } from "./schemas.ts";

const types = [
  "checkout.session.completed",
  "order.created",
  "order.paid",
  "order.failed",
  "order.refunded",
  "order.refund_failed",
  "order.chargeback",
  "subscription.created",
  "subscription.renewed",
  "subscription.updated",
  "subscription.renewal_upcoming",
  "subscription.past_due",
  "subscription.recovered",
  "subscription.payment_action_required",
  "subscription.canceled",
  "entitlement.granted",
  "entitlement.revoked",
] as const;

/** Names an event, e.g. `order.paid`. */
export type EventType = (typeof types)[number];

/** Names an event of what a buyer has got. */
export type EntitlementEventType = Extract<EventType, `entitlement.${string}`>;

/** Lists all event types, in the order of the contract. */
export const eventTypes: readonly EventType[] = types;

/** Gives the path of a type's JSON Schema, below the base path. */
export const eventSchemaPath = (type: string): string => `/schemas/events/${type}.json`;

interface Envelope<Type extends string, Data> {
  /**
   * Begins with `evt_`. The same event may arrive more than once: ignore an id
   * that you know.
   */
  readonly id: string;
  readonly type: Type;
  readonly livemode: boolean;
  /** A time in ISO 8601 UTC. */
  readonly created_at: string;
  readonly api_version: "v1";
  /** Counts without gaps in each store and mode. */
  readonly sequence: number;
  readonly store_id: string;
  readonly data: Data;
}

/** An event says this of an order that it is not about. */
type OrderBrief = Pick<Order, "id" | "number" | "status">;
interface OrderData {
  readonly order: Order;
  readonly previous_status: Order["status"] | null;
}
interface RefundData extends OrderData {
  readonly refund: {
    readonly id: string;
    readonly amount: number;
    readonly reason: z.output<typeof RefundReason> | null;
    readonly created_at: string;
  };
}
interface RefundFailedData extends OrderData {
  readonly refund: RefundData["refund"] & {
    /** The provider's own words. */
    readonly failure_reason: string | null;
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
type Entitlement = NonNullable<Order["entitlements"]>[number];
interface EntitlementData {
  /** All of the order, without their content: read the order to show it. */
  readonly entitlements: Omit<Entitlement, keyof typeof unsaid>[];
  readonly customer: Customer;
  readonly order: OrderBrief;
}
interface SessionData {
  /** `checkout_url` is null: it contains a token, and the session is already paid. */
  readonly checkout_session: Omit<CheckoutSession, "checkout_url"> & {
    readonly checkout_url: string | null;
  };
  readonly order: OrderBrief;
}

/**
 * The events of this version. Other types may appear in v1, so end a `switch` over `type` with a
 * default branch (docs/contract/errors.md#versions).
 */
export type WebhookEvent =
  | Envelope<"checkout.session.completed", SessionData>
  | Envelope<"order.created" | "order.paid" | "order.failed", OrderData>
  | Envelope<"order.refunded", RefundData>
  | Envelope<"order.refund_failed", RefundFailedData>
  | Envelope<"order.chargeback", DisputeData>
  | Envelope<
      | "subscription.created"
      | "subscription.renewed"
      | "subscription.updated"
      | "subscription.renewal_upcoming"
      | "subscription.past_due"
      | "subscription.recovered"
      | "subscription.payment_action_required"
      | "subscription.canceled",
      SubscriptionData
    >
  | Envelope<"entitlement.granted" | "entitlement.revoked", EntitlementData>;

/** The event of one type, or of several: `EventOf<"order.paid">`. */
export type EventOf<T extends EventType, E = WebhookEvent> = E extends { readonly type: infer U }
  ? Extract<T, U> extends infer Named
    ? [Named] extends [never]
      ? never
      : Omit<E, "type"> & { readonly type: Named }
    : never
  : never;
