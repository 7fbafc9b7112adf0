import type { EventType } from "../contract/events.ts";
import type { EventRecord, Partition } from "./records.ts";

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
  readonly secrets: readonly { readonly sealed: string; readonly expires_at: number | null }[];
  readonly created_at: number;
}

export const deliveryStates = ["pending", "delivered", "exhausted", "skipped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface DeliveryKey {
  readonly store_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
}

export interface DeliveryRecord extends DeliveryKey, Partition {
  readonly event_type: EventType;
  readonly state: DeliveryState;
  /** Attempts with an outcome so far. */
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
}

export interface Claim {
  readonly now: number;
  /** An expired lease is due again: there is no reaper. */
  readonly lease_until: number;
  readonly lease_token: string;
  readonly limit: number;
  readonly per_endpoint: number;
  /** Endpoints that take none in this claim: their slots are full. */
  readonly saturated: readonly string[];
  /** Endpoints after this one come first, so that none starves. */
  readonly after_endpoint: string | null;
}

/** What became of a send. `due_at` null ends the delivery: delivered, or exhausted. */
export interface Settlement extends DeliveryKey {
  readonly lease_token: string;
  readonly delivered: boolean;
  readonly due_at: number | null;
  readonly log: AttemptLog;
}

export type SettleOutcome = "delivered" | "rescheduled" | "exhausted" | "lease_lost";

export interface WebhookStore {
  /** Oldest first by sequence, at most `limit + 1`. A pruned event is skipped; its id still works as a cursor unless later ones are pruned too. */
  listEvents(
    query: Partition & { readonly after?: string; readonly limit: number },
  ): Promise<
    { readonly outcome: "listed"; readonly events: readonly EventRecord[] } | { readonly outcome: "unknown_cursor" | "cursor_expired" }
  >;
  /** At most `max` in the store, judged inside the step. */
  createEndpoint(endpoint: EndpointRecord, max: number): Promise<{ readonly outcome: "created" | "limit" | "unknown_store" }>;
  listEndpoints(partition: Partition): Promise<readonly EndpointRecord[]>;
  findEndpoint(partition: Partition, id: string): Promise<EndpointRecord | null>;
  /** Disabling makes its pending deliveries `skipped`. */
  updateEndpoint(
    partition: Partition,
    id: string,
    changes: Partial<Pick<EndpointRecord, "url" | "event_types" | "description" | "state" | "disabled_reason" | "secrets">>,
    now: number,
  ): Promise<EndpointRecord | null>;
  deleteEndpoint(partition: Partition, id: string, now: number): Promise<boolean>;
  /** Leases due deliveries of enabled endpoints, a few of each: never one global oldest first. */
  claimDeliveries(claim: Claim): Promise<readonly ClaimedDelivery[]>;
  /** Fenced: a failure counts only from the lease's holder, a late success from anyone. In the order given. */
  settleDeliveries(settlements: readonly Settlement[], now: number): Promise<readonly SettleOutcome[]>;
  /** Gives back what was leased and not started; due again at once. */
  releaseDeliveries(keys: readonly DeliveryKey[], lease_token: string, now: number): Promise<void>;
  /** Earliest `due_at` over pending deliveries of enabled endpoints; null when there are none. */
  nextDue(): Promise<number | null>;
  listDeliveries(
    query: Partition & {
      readonly endpoint_id?: string;
      readonly event_id?: string;
      readonly state?: DeliveryState;
      readonly limit: number;
    },
  ): Promise<readonly DeliveryRecord[]>;
  listAttempts(key: DeliveryKey): Promise<readonly AttemptLog[]>;
}
