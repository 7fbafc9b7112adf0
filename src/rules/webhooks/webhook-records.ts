import type { EventType } from "../../contract/events.ts";
import type { Partition } from "../records.ts";

/** The most endpoints that a store has, in both modes together. */
export const maxEndpoints = 50;

/** An address to which a store's events are sent. */
export interface EndpointRecord extends Partition {
  readonly id: string;
  /** The address as the transport accepted it. */
  readonly url: string;
  /** Null stands for every type, including those of later versions. */
  readonly event_types: readonly EventType[] | null;
  readonly state: "enabled" | "disabled";
  readonly disabled_reason: string | null;
  readonly description: string | null;
  /** The secrets, the newest first. Each is sealed with the row's id as associated data. */
  readonly secrets: readonly EndpointSecret[];
  readonly created_at: number;
  /** The shopping agent that the endpoint belongs to. Absent for an endpoint of the owner's. */
  readonly agent?: EndpointAgent | undefined;
}

/** A shopping agent that is told of its orders, as the messages to it need it. */
export interface EndpointAgent {
  /** The protocol in which the messages are written and signed. */
  readonly protocol: "acp" | "ucp";
  /** The value of an order's metadata by which an order is this agent's. */
  readonly name: string;
  /** The public address of the store's endpoint of the protocol. */
  readonly endpoint: string;
  /** The page that stands for that of an order whose session is deleted. */
  readonly success_url: string;
}

/** A secret that signs an endpoint's deliveries, sealed as it is stored. */
export interface EndpointSecret {
  readonly sealed: string;
  /** The time at which the secret expires, in epoch milliseconds. Null for the secret in force. */
  readonly expires_at: number | null;
}

/** The delivery of an event to an endpoint has one of these states. */
export const deliveryStates = ["pending", "delivered", "exhausted", "skipped"] as const;

/** The state of the delivery of an event to an endpoint. */
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery can be recovered from these states. */
export const finalStates = [
  "delivered",
  "exhausted",
  "skipped",
] as const satisfies readonly DeliveryState[];

/** A state from which a delivery can be recovered. */
export type FinalState = (typeof finalStates)[number];

/** The fields that name a delivery: an event goes to an endpoint only once. */
export interface DeliveryKey {
  readonly store_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
}

/** The delivery of an event to an endpoint. */
export interface DeliveryRecord extends DeliveryKey, Partition {
  readonly event_type: EventType;
  readonly state: DeliveryState;
  /** The number of attempts that had an outcome, resends included. */
  readonly attempts: number;
  /**
   * The time at which the next try comes, in epoch milliseconds. While the delivery is leased, it
   * is the end of the lease.
   */
  readonly due_at: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** One attempt to deliver an event, with what the receiver answered. */
export interface AttemptLog extends DeliveryKey {
  readonly attempt: number;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly snippet: string | null;
}

/** A leased delivery with everything that is needed to send it. */
export interface ClaimedDelivery extends DeliveryRecord {
  readonly url: string;
  readonly secrets: EndpointRecord["secrets"];
  readonly agent?: EndpointAgent | undefined;
  readonly body: string;
  /** The number of attempts of the schedule that have failed. */
  readonly failures: number;
  /** The number of leases in a row that ended without an outcome. */
  readonly lost_leases: number;
}

/** The outcome of a send, for the storage to record. */
export interface Settlement extends DeliveryKey {
  readonly lease_token: string;
  readonly delivered: boolean;
  /** The time at which the next try after a failure comes. Null when the schedule has none left. */
  readonly due_at: number | null;
  /** The id of the alert that this failure may raise about its endpoint. */
  readonly alert_id: string;
  /** The log entry of this attempt. The storage gives it its number. */
  readonly log: Omit<AttemptLog, keyof DeliveryKey | "attempt">;
}

/** `exhausted` says that no further attempt is scheduled, also after a failed resend. */
export type SettleOutcome = "delivered" | "rescheduled" | "exhausted" | "lease_lost";

/** The result of storing the outcomes of a batch of sends. */
export interface Settled {
  /**
   * The outcomes are in the order of the settlements. Null means that the part of
   * the storage that keeps this delivery failed, and that nothing was written for
   * it. The other outcomes are written.
   */
  readonly outcomes: readonly (SettleOutcome | null)[];
  /** The ids of the endpoints that these failures disabled. */
  readonly disabled: readonly string[];
  /** The error because of which outcomes are null. */
  readonly failure?: unknown;
}
