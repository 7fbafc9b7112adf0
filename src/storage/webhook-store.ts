import type { Signed } from "../rules/audit/audit-records.ts";
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
} from "../rules/webhooks/webhook-records.ts";
import type { AgeOrder } from "./reads/listing-store.ts";

/** A worker asks for deliveries that are due. */
export interface Claim {
  readonly now: number;
  /** A delivery whose lease has expired is due again. */
  readonly lease_until: number;
  readonly lease_token: string;
  readonly limit: number;
  /**
   * At most this many deliveries of one endpoint are claimed, unless
   * `quota_by_endpoint` names it.
   */
  readonly per_endpoint: number;
  /** At most this many deliveries of an endpoint, by its id, are claimed. */
  readonly quota_by_endpoint: Readonly<Record<string, number>>;
  /** Endpoints after this one come first, so that every endpoint has its turn. */
  readonly after_endpoint: string | null;
}

/** The deliveries that a worker has leased. */
export interface Claimed {
  readonly deliveries: readonly ClaimedDelivery[];
  /** The next claim goes on after this endpoint. */
  readonly after_endpoint: string | null;
  readonly left_behind: LeftBehind;
}

/**
 * What a claim left for the next one. `nothing`: the claim looked at every endpoint with pending
 * deliveries. `endpoints`: the claim looked at the endpoints up to `after_endpoint`, that one
 * included, and more follow. `deliveries`: an endpoint may have more due deliveries than `limit`
 * allowed the claim to lease.
 */
export type LeftBehind = "nothing" | "endpoints" | "deliveries";

/** Where an enabled endpoint is reached, and how its deliveries are signed. */
export type EndpointDestination = Pick<EndpointRecord, "id" | "url" | "secrets" | "agent">;

/** A place in a list of deliveries, in which the newest come first. */
export interface DeliveryPlace {
  readonly created_at: number;
  readonly event_id: string;
  readonly endpoint_id: string;
}

/** Selects the deliveries of a list. A filter that is left out matches every delivery. */
export interface DeliveryQuery extends Partition, AgeOrder {
  readonly endpoint_id?: string;
  readonly event_id?: string;
  readonly state?: DeliveryState;
  /** The last delivery that the caller has seen. */
  readonly before?: DeliveryPlace;
  readonly limit: number;
}

/** Selects the deliveries of an endpoint that are to be sent again. */
export interface Recovery extends Partition, Signed {
  readonly endpoint_id: string;
  /** Deliveries of events from this time on are sent again. */
  readonly since: number;
  /** Deliveries of events up to this time, which is included, are sent again. */
  readonly until: number;
  readonly states: readonly FinalState[];
  readonly before: DeliveryPlace | null;
  readonly limit: number;
  readonly now: number;
}

/** Counts the deleted rows. */
export interface Pruned {
  /** The number of events that lost their bytes. */
  readonly events: number;
  readonly attempts: number;
  /** The number of events that were deleted whole, with their deliveries. */
  readonly forgotten: number;
}

/** Keeps events, endpoints, and the deliveries of events to endpoints. */
export interface WebhookStore {
  /**
   * Gives at most `limit + 1` events, oldest first by sequence. A pruned event is
   * left out. Its id still works as a cursor unless later events are pruned too.
   */
  listEvents(
    query: Partition & { readonly after?: string; readonly limit: number },
  ): Promise<
    | { readonly outcome: "listed"; readonly events: readonly EventRecord[] }
    | { readonly outcome: "unknown_cursor" | "cursor_expired" }
  >;
  /** Gives all endpoints of a store and mode, by id. */
  listEndpoints(partition: Partition): Promise<readonly EndpointRecord[]>;
  /**
   * Makes at most `limit` pending deliveries of an endpoint `skipped`, and gives how many. The
   * endpoint is disabled or deleted: those of an enabled one stay, and it gives 0.
   */
  skipDeliveries(
    store_id: string,
    endpoint_id: string,
    limit: number,
    now: number,
  ): Promise<number>;
  /**
   * Leases due deliveries of enabled endpoints, a few of each, so that none waits
   * for another.
   */
  claimDeliveries(claim: Claim): Promise<Claimed>;
  /**
   * Gives those of these endpoints that exist and are enabled, of any store. A
   * worker asks it before it sends what it leased more than a second ago.
   */
  findDestinations(endpoint_ids: readonly string[]): Promise<readonly EndpointDestination[]>;
  /**
   * Stores the outcomes of sends. A failure counts only from the holder of the
   * lease, a success from anyone. An endpoint that had no success for three days is
   * disabled in this step, once, with its alert and notice.
   */
  settleDeliveries(settlements: readonly Settlement[], now: number): Promise<Settled>;
  /** Ends the lease of deliveries that were not sent: they are due again at once. */
  releaseDeliveries(keys: readonly DeliveryKey[], lease_token: string, now: number): Promise<void>;
  /**
   * Gives the earliest `due_at` of pending deliveries of enabled endpoints, which
   * is null when there are none. It also tells whether a notice waits for the
   * host's callback.
   */
  findNextWork(
    now: number,
  ): Promise<{ readonly next_due: number | null; readonly notices: boolean }>;
  /** Leases alerts that the host's callback has not taken yet. */
  claimNotices(claim: {
    readonly now: number;
    readonly lease_until: number;
    readonly limit: number;
  }): Promise<readonly AlertRecord[]>;
  /** Settles a notice. One that was taken is done. Otherwise it is due again at `now`. */
  settleNotice(alert: AlertRecord, taken: boolean, now: number): Promise<void>;
  listDeliveries(query: DeliveryQuery): Promise<readonly DeliveryRecord[]>;
  listAttempts(key: DeliveryKey): Promise<readonly AttemptLog[]>;
  /**
   * Makes final deliveries pending, the newest first, and their schedule begins
   * anew. `before` is null once all are done.
   */
  recoverDeliveries(
    recovery: Recovery,
  ): Promise<{ readonly recovered: number; readonly before: DeliveryPlace | null }>;
  /**
   * Deletes at most `limit` of each: the bytes of events that are older than
   * `before`, the attempts that began before it, and events older than
   * `forget_before` that have no bytes, with their deliveries. An event with a
   * pending delivery keeps its bytes, and so does the newest event of a store and
   * mode.
   */
  prune(prune: {
    readonly before: number;
    readonly forget_before: number;
    readonly limit: number;
  }): Promise<Pruned>;
}
