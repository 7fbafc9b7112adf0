import type { EventType } from "../../contract/events.ts";
import type { StockCount } from "../../rules/catalog/stock.ts";
import type { SessionWithOrder } from "../../rules/checkout/checkout-records.ts";
import type {
  AttemptWithMoney,
  DisputeStatus,
  DisputeWithOrder,
  SessionFilter,
} from "../../rules/owner/list-records.ts";
import type { AttemptRecord, SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { EventRecord, OrderRecord, Partition } from "../../rules/records.ts";

/** The direction of a list that begins with the newest row. */
export interface AgeOrder {
  /** True lists the oldest rows first, and a page behind its cursor goes on to newer ones. */
  readonly oldest_first?: true;
}

/** A page of a list that begins with the newest row. */
export interface NewestQuery extends Partition, AgeOrder {
  /** The last row that the caller has seen. */
  readonly after?: { readonly created_at: number; readonly id: string };
  /** The most rows that the page has. */
  readonly limit: number;
}

/** A range of the time of creation. A bound that is left out is open. */
export interface CreatedRange {
  /** The rows were created at this time or later, in epoch milliseconds. */
  readonly created_from?: number;
  /** The time before which the rows were created, in epoch milliseconds. */
  readonly created_to?: number;
}

/**
 * Selects rows by the time at which they moved money. They come the oldest first, and no other
 * filter stands beside.
 */
export interface MovedRange<Place> {
  /** The money moved at this time or later, in epoch milliseconds. */
  readonly from: number;
  /** The time before which the money moved, in epoch milliseconds. */
  readonly to: number;
  /** The last row that the caller has seen. */
  readonly after?: Place & { readonly at: number };
}

/** Selects the payment attempts of a list, the newest first. */
export interface AttemptQuery extends NewestQuery, CreatedRange {
  readonly state?: AttemptRecord["state"];
  readonly order_id?: string;
}

/** Selects the checkout sessions of a list. */
export interface SessionQuery extends Partition, SessionFilter, AgeOrder {
  /** The id of the last session that the caller has seen. */
  readonly after?: string;
  readonly limit: number;
}

/** Selects the disputes of a list. */
export interface DisputeQuery extends Partition, AgeOrder {
  readonly status?: DisputeStatus;
  readonly order_id?: string;
  /** The last dispute that the caller has seen. Its id is unique in its order alone. */
  readonly after?: {
    readonly created_at: number;
    readonly order_id: string;
    readonly id: string;
  };
  /** Selects the disputes that were lost in a span of time. */
  readonly lost?: MovedRange<{ readonly order_id: string; readonly id: string }>;
  readonly limit: number;
}

/** Selects the subscriptions of a list of renewals. */
export interface DueQuery extends Partition {
  /** Their period ends before this time, in epoch milliseconds. */
  readonly before: number;
  /** The last subscription that the caller has seen. */
  readonly after?: { readonly current_period_end: number; readonly id: string };
  readonly limit: number;
}

/** Selects the events of a list. */
export interface EventQuery extends Partition, CreatedRange, AgeOrder {
  readonly type?: EventType;
  /** The events tell of this order. */
  readonly order_id?: string;
  /** The last event that the caller has seen. */
  readonly after?: { readonly created_at: number; readonly sequence: number };
  readonly limit: number;
}

/** Selects the uses of a coupon that a list shows. */
export interface CouponUseQuery extends Partition, AgeOrder {
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

/** Counts the pieces of a product in one mode. */
export interface ProductStock extends StockCount {
  readonly product_id: string;
}

/** Selects the attempts to reach an endpoint that are counted. */
export interface AttemptWindow {
  readonly store_id: string;
  readonly endpoint_id: string;
  /** Attempts from this time on, in epoch milliseconds, are counted. */
  readonly since: number;
  /** At most this many attempts are counted. They are the newest. */
  readonly limit: number;
}

/** What became of the attempts to reach an endpoint. */
export interface AttemptCount {
  readonly attempts: number;
  /** The receiver accepted this many attempts: they have no `error`. */
  readonly accepted: number;
  /**
   * The time at which the newest accepted attempt began, in epoch milliseconds, also before the
   * window. Null when none was accepted.
   */
  readonly last_accepted_at: number | null;
}

/**
 * Gives the lists that a back office shows and no buyer's request reads. Each reads
 * one store and mode, in one statement. `oldest_first` turns the whole order around, that of
 * rows of one time included.
 */
export interface ListingStore {
  listAttempts(query: AttemptQuery): Promise<readonly AttemptWithMoney[]>;
  /** Gives sessions, newest first by id. */
  listSessions(query: SessionQuery): Promise<readonly SessionWithOrder[]>;
  /**
   * Gives disputes, newest first. Those of one time come by order and id, both from
   * the last on. With `lost` they come the oldest verdict first, then by order and id.
   */
  listDisputes(query: DisputeQuery): Promise<readonly DisputeWithOrder[]>;
  /**
   * Gives subscriptions that renew at the end of their period, the one that ends
   * first in front. One that is canceled, or ends with its period, does not renew.
   */
  listDue(query: DueQuery): Promise<readonly SubscriptionRecord[]>;
  /**
   * Gives events, newest first by time, then by sequence. With `order_id`, pruned
   * ones are left out.
   */
  listEvents(query: EventQuery): Promise<readonly EventRecord[]>;
  /** Gives the event, also when its bytes were pruned. */
  findEvent(partition: Partition, id: string): Promise<EventRecord | null>;
  /** Gives the orders that use a coupon, the highest number first. */
  listCouponUses(query: CouponUseQuery): Promise<readonly OrderRecord[]>;
  /** Gives the uses in both modes. A coupon that was never used can be missing. */
  countCouponUses(store_id: string, coupon_ids: readonly string[]): Promise<readonly CouponUses[]>;
  /** Counts pieces, in any order. A product whose stock was never counted can be missing. */
  countStock(
    partition: Partition,
    product_ids: readonly string[],
  ): Promise<readonly ProductStock[]>;
  /** Counts the attempts to reach an endpoint. */
  countAttempts(window: AttemptWindow): Promise<AttemptCount>;
}
