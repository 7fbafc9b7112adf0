import type { EventType } from "../contract/events.ts";
import type { SessionWithOrder } from "../rules/checkout-records.ts";
import type {
  AttemptWithMoney,
  DisputeStatus,
  DisputeWithOrder,
  SessionFilter,
} from "../rules/list-records.ts";
import type { AttemptRecord, SubscriptionRecord } from "../rules/payment-records.ts";
import type { EventRecord, OrderRecord, Partition } from "../rules/records.ts";

/** A page of a list that begins with the newest row. */
export interface NewestQuery extends Partition {
  /** The last row that the caller has seen. */
  readonly after?: { readonly created_at: number; readonly id: string };
  /** At most this many rows. */
  readonly limit: number;
}

/** A range of the time of creation. A bound that is left out is open. */
export interface CreatedRange {
  /** From this time on, in epoch milliseconds. */
  readonly created_from?: number;
  /** Before this time, in epoch milliseconds. */
  readonly created_to?: number;
}

/** Which payment attempts a list shows, the newest first. */
export interface AttemptQuery extends NewestQuery, CreatedRange {
  readonly state?: AttemptRecord["state"];
  readonly order_id?: string;
}

/** Which checkout sessions a list shows. */
export interface SessionQuery extends Partition, SessionFilter {
  /** Id of the last session that the caller has seen. */
  readonly after?: string;
  readonly limit: number;
}

/** Which disputes a list shows. */
export interface DisputeQuery extends Partition {
  readonly status?: DisputeStatus;
  readonly order_id?: string;
  /** The last dispute that the caller has seen. Its id is unique in its order alone. */
  readonly after?: {
    readonly created_at: number;
    readonly order_id: string;
    readonly id: string;
  };
  readonly limit: number;
}

/** Which subscriptions a list of renewals shows. */
export interface DueQuery extends Partition {
  /** Their period ends before this time, in epoch milliseconds. */
  readonly before: number;
  /** The last subscription that the caller has seen. */
  readonly after?: { readonly current_period_end: number; readonly id: string };
  readonly limit: number;
}

/** Which events a list shows. */
export interface EventQuery extends Partition, CreatedRange {
  readonly type?: EventType;
  /** The order that the events tell of. */
  readonly order_id?: string;
  /** The last event that the caller has seen. */
  readonly after?: { readonly created_at: number; readonly sequence: number };
  readonly limit: number;
}

/** Which uses of a coupon a list shows. */
export interface CouponUseQuery extends Partition {
  readonly coupon_id: string;
  /** The number of the last order that the caller has seen. */
  readonly after?: number;
  readonly limit: number;
}

/** How many uses of a coupon are held or consumed in one mode. */
export interface CouponUses {
  readonly coupon_id: string;
  readonly livemode: boolean;
  readonly used: number;
}

/** Which attempts to reach an endpoint are counted. */
export interface AttemptWindow {
  readonly store_id: string;
  readonly endpoint_id: string;
  /** Epoch milliseconds, inclusive. */
  readonly since: number;
  /** At most this many attempts are counted, the newest. */
  readonly limit: number;
}

/** What became of the attempts to reach an endpoint. */
export interface AttemptCount {
  readonly attempts: number;
  /** Attempts that the receiver accepted. */
  readonly accepted: number;
}

/**
 * The lists that a back office shows and no buyer's request reads. Each reads one
 * store and mode, in one statement.
 */
export interface ListingStore {
  listAttempts(query: AttemptQuery): Promise<readonly AttemptWithMoney[]>;
  /** Newest first by id. */
  listSessions(query: SessionQuery): Promise<readonly SessionWithOrder[]>;
  /** Newest first; those of one time by order and id, both from the last on. */
  listDisputes(query: DisputeQuery): Promise<readonly DisputeWithOrder[]>;
  /**
   * Subscriptions that renew at the end of their period, the one that ends first in
   * front. One that is canceled, or ends with its period, does not renew.
   */
  listDue(query: DueQuery): Promise<readonly SubscriptionRecord[]>;
  /** Newest first by time, then by sequence. With `order_id`, pruned ones are left out. */
  listEvents(query: EventQuery): Promise<readonly EventRecord[]>;
  /** The event, also when its bytes were pruned. */
  findEvent(partition: Partition, id: string): Promise<EventRecord | null>;
  /** The orders that use a coupon, the highest number first. */
  listCouponUses(query: CouponUseQuery): Promise<readonly OrderRecord[]>;
  /** The uses in both modes; a coupon that was never used can be missing. */
  countCouponUses(store_id: string, coupon_ids: readonly string[]): Promise<readonly CouponUses[]>;
  countAttempts(window: AttemptWindow): Promise<AttemptCount>;
  /** When the newest accepted attempt began, in epoch milliseconds; null without any. */
  findLastAccepted(store_id: string, endpoint_id: string): Promise<number | null>;
}
