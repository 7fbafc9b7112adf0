import type { StockCount } from "../../rules/catalog/stock.ts";
import type { KeyScope } from "../../rules/checkout/checkout-records.ts";
import type { IdempotencyKey } from "../../rules/checkout/key-state.ts";
import type { PoolKey, TakenKey } from "../../rules/entitlements/entitlement-record.ts";
import type { NotedMessage, ScopedKey } from "../../rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../rules/orders/order-snapshot.ts";
import type { CustomerTotal } from "../../rules/orders/order-terms.ts";
import type { StatChange } from "../../rules/owner/stats.ts";
import type { AttemptRecord, DisputeRecord } from "../../rules/payments/payment-records.ts";
import type {
  AlertRecord,
  CouponRecord,
  NoteRecord,
  OrderRecord,
  Partition,
  ProductRecord,
  SessionRecord,
} from "../../rules/records.ts";
import type { StoredDelivery } from "../../rules/webhooks/deliveries.ts";
import type { RenderedEvent } from "../../rules/webhooks/render-event.ts";
import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { OrderRecords } from "../../storage/order-store.ts";

/** The rows that a step writes, each by its id. */
export interface StepRecords extends OrderRecords {
  readonly session: SessionRecord;
  readonly dispute: DisputeRecord;
}

/** The rows that a step finds by their ids. */
export interface NamedRecords extends Pick<StepRecords, "session" | "order" | "subscription"> {
  readonly product: ProductRecord;
  readonly coupon: CouponRecord;
}

/** The rows that belong to an order. */
export type OfOrder = Pick<StepRecords, "attempt" | "payment" | "refund" | "dispute">;

/** The last numbers that were given in a store and mode. */
export interface LastNumbers {
  readonly order_number: number;
  readonly sequence: number;
}

/**
 * What a step reads of a store in one mode. `takeStep` calls these methods before `decide`, and
 * none waits for anything.
 */
export interface StepReads {
  readonly partition: Partition;
  /** How far the clock of the mode is ahead of the real time. */
  readonly offset: number;
  find<Kind extends keyof NamedRecords>(kind: Kind, id: string): NamedRecords[Kind] | null;
  orderOfSession(session_id: string): OrderRecord | null;
  orderOfPeriod(subscription_id: string, period_start: number): OrderRecord | null;
  /** Gives the rows of an order, the oldest first by `created_at`. */
  ofOrder<Kind extends keyof OfOrder>(kind: Kind, order_id: string): readonly OfOrder[Kind][];
  /** Gives the attempts that carry, or once carried, the reference. */
  carriersOf(reference: string): readonly AttemptRecord[];
  stockOf(product_id: string): StockCount | null;
  /** Counts the uses of a coupon by a customer, or with an empty key by all. */
  usesOf(coupon_id: string, customer_key: string): number;
  openHolds(address: string): number;
  /** Gives uploaded keys of a product that nobody has, at most `count`. */
  freeKeys(product_id: string, count: number): readonly PoolKey[];
  findKey(scope: KeyScope): IdempotencyKey | null;
  isSeen(message: NotedMessage): boolean;
  /** Gives the owner's notes on an order, as `notesOf` does. */
  notesOf(order_id: string): readonly NoteRecord[];
}

/**
 * What a step reads and writes of a store in one mode, for a storage that holds all its rows.
 * `takeStep` calls these methods behind `decide`, for what was decided, and nothing else does. A
 * method writes one row, but for `showAnew` and `remove`.
 */
export interface StepRows extends StepReads {
  put<Kind extends keyof StepRecords>(kind: Kind, row: StepRecords[Kind]): void;
  putReference(reference: string, attempt_id: string): void;
  putStock(product_id: string, count: StockCount): void;
  /**
   * Raises the store's `catalog_version` once: these products are sold out now, or no longer. A
   * storage that keeps the documents of products writes theirs anew.
   */
  showAnew(product_ids: readonly string[]): void;
  /** Keeps the uses by a customer, or with an empty key by all. Nothing is left of 0. */
  putUses(coupon_id: string, customer_key: string, used: number): void;
  /** Keeps the open holds of an address. Nothing is left of 0. */
  putOpenHolds(address: string, open: number): void;
  /** Gives a key away and forgets its sealed text. Throws when somebody has it. */
  takeKey(taken: TakenKey): void;
  putKey(key: ScopedKey): void;
  noteSeen(message: NotedMessage): void;
  lastNumbers(): LastNumbers;
  putNumbers(numbers: LastNumbers): void;
  /** Deletes an alert that is not true any more, with its notice. */
  withdrawAlert(alert: Pick<AlertRecord, "type" | "subject">): void;
  /** Stores an alert once for its type and subject, with a notice. */
  raiseAlert(alert: AlertRecord, due_at: number): void;
  /** Gives the endpoints of the store and mode in any order, disabled ones too. */
  endpoints(): readonly EndpointRecord[];
  putEvent(event: RenderedEvent): void;
  putDelivery(delivery: StoredDelivery): void;
  addStat(change: StatChange): void;
  /**
   * Deletes an order and all that belongs to it, as it was found, and keeps what it sold
   * (`keepSales`). `takeStep` has added its session to the numbers.
   */
  remove(found: FoundOrder): void;
  /** Counts what a removed order counted for its customer. */
  keepTotal(total: CustomerTotal): void;
}

/** An order with its session, its money and its notes. */
export interface FoundOrder
  extends Pick<
    OrderSnapshot,
    "session" | "attempts" | "payments" | "refunds" | "disputes" | "notes"
  > {
  readonly order: OrderRecord;
}
