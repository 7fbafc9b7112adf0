import type { EventType } from "../contract/events.ts";
import type { Partition } from "./records.ts";

export interface EndpointRecord extends Partition {
  readonly id: string;
  /** As the transport accepted it. */
  readonly url: string;
  /** Null: every type, those of later versions too. */
  readonly event_types: readonly EventType[] | null;
  readonly state: "enabled" | "disabled";
  readonly disabled_reason: string | null;
  readonly description: string | null;
  /** Newest first; sealed, the row's id as associated data. `expires_at` in epoch milliseconds, null for the one in force. */
  readonly secrets: readonly EndpointSecret[];
  readonly created_at: number;
}

export interface EndpointSecret {
  readonly sealed: string;
  readonly expires_at: number | null;
}

export const deliveryStates = ["pending", "delivered", "exhausted", "skipped"] as const;

export type DeliveryState = (typeof deliveryStates)[number];
/** States that a delivery can be recovered from. */

export const finalStates = [
  "delivered",
  "exhausted",
  "skipped",
] as const satisfies readonly DeliveryState[];

export type FinalState = (typeof finalStates)[number];

export interface DeliveryKey {
  readonly store_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
}

export interface DeliveryRecord extends DeliveryKey, Partition {
  readonly event_type: EventType;
  readonly state: DeliveryState;
  /** Attempts with an outcome so far, resends included. */
  readonly attempts: number;
  /** Next try or, while leased, the lease's end; epoch milliseconds. */
  readonly due_at: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface AttemptLog extends DeliveryKey {
  readonly attempt: number;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly snippet: string | null;
}

/** A leased delivery with all that is needed to send it. */
export interface ClaimedDelivery extends DeliveryRecord {
  readonly url: string;
  readonly secrets: EndpointRecord["secrets"];
  readonly body: string;
  /** Attempts of the schedule that failed so far. */
  readonly failures: number;
  /** Leases that ended in a row without an outcome. */
  readonly lost_leases: number;
}

/** What became of a send. `due_at` is the next try after a failure, null when the schedule has none left. */
export interface Settlement extends DeliveryKey {
  readonly lease_token: string;
  readonly delivered: boolean;
  readonly due_at: number | null;
  /** Of the alert that this failure may raise about its endpoint. */
  readonly alert_id: string;
  /** Numbered by the storage. */
  readonly log: Omit<AttemptLog, keyof DeliveryKey | "attempt">;
}

/** `exhausted`: no further attempt is scheduled, after a failed resend too. */
export type SettleOutcome = "delivered" | "rescheduled" | "exhausted" | "lease_lost";

export interface Settled {
  /** In the order given. */
  readonly outcomes: readonly SettleOutcome[];
  /** Endpoints that these failures disabled. */
  readonly disabled: readonly string[];
}
