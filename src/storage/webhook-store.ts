import type { AlertRecord, EventRecord, Partition } from "../rules/records.ts";
import type {
  AttemptLog,
  ClaimedDelivery,
  DeliveryKey,
  DeliveryRecord,
  DeliveryState,
  EndpointRecord,
  FinalState,
  Settled,
  Settlement,
} from "../rules/webhook-records.ts";

export interface Claim {
  readonly now: number;
  /** An expired lease is due again: there is no reaper. */
  readonly lease_until: number;
  readonly lease_token: string;
  readonly limit: number;
  /** Most of one endpoint, but for those that `quota_by_endpoint` names. */
  readonly per_endpoint: number;
  readonly quota_by_endpoint: Readonly<Record<string, number>>;
  /** Endpoints after this one come first, so that none starves. */
  readonly after_endpoint: string | null;
}

export interface Claimed {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Where the next claim goes on. */
  readonly after_endpoint: string | null;
  /** Every endpoint with due deliveries was looked at, and none cut short by `limit`. */
  readonly complete: boolean;
}

/** Place in a list of deliveries, newest first. */
export interface DeliveryPlace {
  readonly created_at: number;
  readonly event_id: string;
  readonly endpoint_id: string;
}

export interface DeliveryQuery extends Partition {
  readonly endpoint_id?: string;
  readonly event_id?: string;
  readonly state?: DeliveryState;
  readonly before?: DeliveryPlace;
  readonly limit: number;
}

export interface Recovery extends Partition {
  readonly endpoint_id: string;
  /** By the event's time, both inclusive. */
  readonly since: number;
  readonly until: number;
  readonly states: readonly FinalState[];
  readonly before: DeliveryPlace | null;
  readonly limit: number;
  readonly now: number;
}

export interface Pruned {
  /** Events whose bytes went. */
  readonly events: number;
  readonly attempts: number;
  /** Events of which nothing is left, their deliveries with them. */
  readonly forgotten: number;
}

export interface WebhookStore {
  /** Oldest first by sequence, at most `limit + 1`. A pruned event is skipped; its id still works as a cursor unless later ones are pruned too. */
  listEvents(
    query: Partition & { readonly after?: string; readonly limit: number },
  ): Promise<
    | { readonly outcome: "listed"; readonly events: readonly EventRecord[] }
    | { readonly outcome: "unknown_cursor" | "cursor_expired" }
  >;
  /** At most `max` in the store, judged inside the step. */
  createEndpoint(
    endpoint: EndpointRecord,
    max: number,
  ): Promise<{ readonly outcome: "created" | "limit" | "unknown_store" }>;
  listEndpoints(partition: Partition): Promise<readonly EndpointRecord[]>;
  findEndpoint(partition: Partition, id: string): Promise<EndpointRecord | null>;
  /** Enabling forgets past failures. Disabling stops the claim at once; `skipDeliveries` and later claims make its pending deliveries `skipped`. */
  updateEndpoint(
    partition: Partition,
    id: string,
    changes: Partial<
      Pick<EndpointRecord, "url" | "event_types" | "description" | "state" | "disabled_reason">
    >,
    now: number,
  ): Promise<EndpointRecord | null>;
  /** Puts the secret first. The one it replaces lives until `old_until`, of the live ones at most `max` stay. Repeated with one secret, it is there once. */
  rotateSecret(
    partition: Partition,
    id: string,
    rotation: {
      readonly sealed: string;
      readonly old_until: number;
      readonly max: number;
      readonly now: number;
    },
  ): Promise<EndpointRecord | null>;
  deleteEndpoint(partition: Partition, id: string, now: number): Promise<boolean>;
  /** Makes up to `limit` pending deliveries of a disabled or deleted endpoint `skipped`; how many there were. */
  skipDeliveries(
    store_id: string,
    endpoint_id: string,
    limit: number,
    now: number,
  ): Promise<number>;
  /** Leases due deliveries of enabled endpoints, a few of each: never one global oldest first. */
  claimDeliveries(claim: Claim): Promise<Claimed>;
  /**
   * Fenced: a failure counts only from the lease's holder, a late success from anyone. An endpoint without a success for three days is
   * disabled here, once, with the alert and its notice in the same step.
   */
  settleDeliveries(settlements: readonly Settlement[], now: number): Promise<Settled>;
  /** Gives back what was leased and not started; due again at once. */
  releaseDeliveries(keys: readonly DeliveryKey[], lease_token: string, now: number): Promise<void>;
  /** Earliest `due_at` over pending deliveries of enabled endpoints, null when there are none; and is there a notice to give? */
  findNextWork(
    now: number,
  ): Promise<{ readonly next_due: number | null; readonly notices: boolean }>;
  /** Leases alerts that the host has not taken yet. */
  claimNotices(claim: {
    readonly now: number;
    readonly lease_until: number;
    readonly limit: number;
  }): Promise<readonly AlertRecord[]>;
  /** Taken: never again. Else due again at `now`. */
  settleNotice(alert: AlertRecord, taken: boolean, now: number): Promise<void>;
  listDeliveries(query: DeliveryQuery): Promise<readonly DeliveryRecord[]>;
  listAttempts(key: DeliveryKey): Promise<readonly AttemptLog[]>;
  /** One send now, outside the schedule: when it fails, the delivery is again what it was. */
  resendDelivery(
    partition: Partition,
    key: Omit<DeliveryKey, "store_id">,
    now: number,
  ): Promise<
    | { readonly outcome: "queued" | "in_flight"; readonly delivery: DeliveryRecord }
    | { readonly outcome: "unknown" | "endpoint_disabled" | "event_pruned" }
  >;
  /** Final deliveries become pending with a whole new schedule, newest first; `before` is null once all are done. */
  recoverDeliveries(
    recovery: Recovery,
  ): Promise<{ readonly recovered: number; readonly before: DeliveryPlace | null }>;
  /**
   * At most `limit` of each: bytes of events made before `before`, never of one with a pending delivery nor of the partition's newest; attempts
   * begun before `before`; events made before `forget_before` whose bytes are gone, with their deliveries.
   */
  prune(prune: {
    readonly before: number;
    readonly forget_before: number;
    readonly limit: number;
  }): Promise<Pruned>;
}
