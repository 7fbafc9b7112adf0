import type { OrderStatus } from "../contract/schemas.ts";
import type { CustomerRow } from "../rules/owner/order-search.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
} from "../rules/payments/payment-records.ts";
import type { NoteRecord, OrderRecord, Partition } from "../rules/records.ts";
import type { OrderList } from "./order-store.ts";
import type { AgeOrder, MovedRange } from "./reads/listing-store.ts";

/** Selects the orders that an owner looks for. A filter that is left out matches every order. */
export interface OrderSearch extends Partition, AgeOrder {
  readonly status?: OrderStatus;
  readonly customer_id?: string;
  /** A number, id, reference, or beginning of an e-mail or name. `readOrderSearch` reads it. */
  readonly search?: string;
  readonly product_id?: string;
  /** The agent that sold it (`ucp:agent.example`), or its protocol alone for all of its agents. */
  readonly channel?: string;
  /**
   * One of the order's terms is among these, as `keyTerm` and `waitingTerm` make them. They stand
   * alone, without `search`, `product_id` and `channel`.
   */
  readonly terms?: readonly string[];
  /** The earliest time at which the order was created, in epoch milliseconds. */
  readonly created_from?: number;
  /** The time before which the order was created, in epoch milliseconds. */
  readonly created_to?: number;
  /** The id of the last order that the caller has seen. */
  readonly after?: string;
  /** Selects the orders that were paid in a span of time. */
  readonly paid?: MovedRange<{ readonly number: number }>;
  readonly limit: number;
}

/** An order with all that happened to it. */
export interface OrderHistory {
  readonly order: OrderRecord;
  readonly attempts: readonly AttemptRecord[];
  readonly payments: readonly PaymentRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly disputes: readonly DisputeRecord[];
  readonly notes: readonly NoteRecord[];
}

/** The place of a customer in a list by what was spent. */
export interface SpentPlace {
  readonly spent: number;
  readonly id: string;
}

/** Selects a page of the customers who paid in a currency, by what they spent in it, then by id. */
export interface SpentQuery {
  readonly spent_in: string;
  readonly after: SpentPlace | null;
  /** True lists them from the one who spent most. */
  readonly descending?: true;
  readonly limit: number;
}

/** Selects customers: those with these ids, or a page from the one behind `after`. */
export type CustomerQuery =
  | { readonly ids: readonly string[] }
  | {
      readonly after: string | null;
      /** True lists them from the last id to the first. */
      readonly descending?: true;
      readonly limit: number;
    }
  | SpentQuery;

/** Answers an owner's questions about orders and customers. No buyer's request waits for it. */
export interface BackOfficeStore {
  /**
   * Gives at most `limit + 1` orders, newest first by number. With a time range,
   * and neither search nor product, they are newest first by the time of creation,
   * then number. With `paid` they are oldest first by the time of payment, then number.
   */
  searchOrders(search: OrderSearch): Promise<OrderList>;
  findHistory(partition: Partition, order_id: string): Promise<OrderHistory | null>;
  /** Gives notes, newest first by id. */
  listNotes(
    partition: Partition,
    order_id: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly NoteRecord[]>;
  /** Gives customers with a paid order, by id or by what they spent. */
  listCustomers(partition: Partition, query: CustomerQuery): Promise<readonly CustomerRow[]>;
  /**
   * Makes at most `limit` orders of an older version known to search, time ranges
   * and totals, each once. It gives how many.
   */
  indexOrders(limit: number): Promise<number>;
  /**
   * Makes the places of at most `limit` products of an older version, in their categories by
   * price and by time, known to an index. It gives how many.
   */
  indexProducts(limit: number): Promise<number>;
}
