import type { FailureCode, PaymentMethod } from "../contract/schemas.ts";
import type { OrderRecord, Partition, SessionRecord } from "./records.ts";

export interface AttemptRecord extends Partition {
  /** `pay_…`. The gateway gets it as idempotency key. */
  readonly id: string;
  readonly order_id: string;
  readonly session_id: string | null;
  readonly gateway: string;
  readonly method_id: string | null;
  /** `duplicate`: it paid an order that was paid. `returned`: its money went back. */
  readonly state: "in_flight" | "succeeded" | "failed" | "duplicate" | "returned";
  readonly reference: string | null;
  readonly redirect_url: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly failure_code: FailureCode | null;
  readonly idempotency_key: string | null;
  /** Until then, an attempt without a result keeps its order pending. */
  readonly expires_at: number;
  /**
   * When maintenance asks the gateway for the result, or to refund a duplicate. Null when there is
   * nothing to ask.
   */
  readonly check_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface RefundRecord extends Partition {
  /** `rf_…`. The gateway gets it as idempotency key. */
  readonly id: string;
  readonly order_id: string;
  /** The caller's own id of the refund. A repeat changes nothing. */
  readonly reference: string;
  readonly state: "reserved" | "succeeded" | "failed";
  readonly amount: number;
  readonly reason: string | null;
  /** The gateway that moves the money. Null: the host has moved it. */
  readonly gateway: string | null;
  /** The gateway's reference of the payment. Null: the host has moved the money. */
  readonly payment_reference: string | null;
  /** When maintenance asks the gateway again. Null once there is a result. */
  readonly check_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface DisputeRecord extends Partition {
  /** The caller's own id of the dispute. A repeat changes nothing. */
  readonly id: string;
  readonly order_id: string;
  readonly amount: number;
  readonly reason: string | null;
  readonly due_by: number | null;
  readonly outcome: "won" | "lost" | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface SubscriptionRecord extends Partition {
  readonly id: string;
  readonly status: "active" | "past_due" | "canceled";
  readonly product_id: string;
  readonly product_slug: string;
  readonly product_name: string;
  readonly image_url: string | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly amount: number;
  readonly currency: string;
  readonly interval: "day" | "week" | "month" | "year";
  readonly interval_count: number;
  /**
   * Start of the first period. Every period is counted from it, so that a subscription of the 31st
   * comes back to the 31st after February.
   */
  readonly anchor: number;
  /** How many periods were paid, the current one included. */
  readonly periods: number;
  readonly current_period_start: number;
  readonly current_period_end: number;
  readonly cancel_at_period_end: boolean;
  readonly canceled_at: number | null;
  readonly ended_at: number | null;
  readonly customer: OrderRecord["customer"];
  readonly payment_method_type: PaymentMethod["type"] | null;
  readonly latest_order_id: string | null;
  readonly metadata: SessionRecord["metadata"];
  readonly created_at: number;
  readonly updated_at: number;
}
