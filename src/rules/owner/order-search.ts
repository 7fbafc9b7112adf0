import {
  type CustomerTotal,
  channelTerm,
  customerTotal,
  orderTerms,
  productTerm,
  readOrderSearch,
  sumTotals,
} from "../orders/order-terms.ts";
import { referencesOf } from "../payments/order-money.ts";
import type { AttemptRecord, PaymentRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";

// A storage that holds all orders in memory answers the back office by these rules.

/** The attempts and payments of an order. A search for one of their references finds the order. */
export interface MoneyOfOrder {
  readonly attempts: readonly AttemptRecord[];
  readonly payments: readonly PaymentRecord[];
}

/** What an order is found by. */
interface OrderFinders {
  readonly search?: string;
  readonly product_id?: string;
  readonly channel?: string;
  readonly terms?: readonly string[];
}

/**
 * Tells whether orders are listed by their time, and then by number. Everything that finds them by
 * itself lists them by number.
 */
export const isListedByTime = ({ created_from, created_to, ...found }: ListedOrders): boolean =>
  (created_from ?? created_to) !== undefined &&
  [found.search, found.product_id, found.channel].every((finder) => finder === undefined);

interface ListedOrders extends OrderFinders {
  readonly created_from?: number;
  readonly created_to?: number;
}

/**
 * Tells whether an order matches a search, a product, a channel and terms. A filter that is left
 * out matches every order. Calls `readMoney` only when there is a search.
 */
export function findsOrder(
  order: OrderRecord,
  { search, product_id, channel, terms: wanted }: OrderFinders,
  readMoney: () => MoneyOfOrder,
): boolean {
  const terms = orderTerms(order);
  if (wanted && !wanted.some((term) => terms.includes(term))) return false;
  if (product_id !== undefined && !terms.includes(productTerm(product_id))) return false;
  if (channel !== undefined && !terms.includes(channelTerm(channel))) return false;
  if (search === undefined) return true;

  const { text, number, prefixes } = readOrderSearch(search);
  const { attempts, payments } = readMoney();
  const references = [
    ...attempts.flatMap(referencesOf),
    ...payments.map(({ payment_reference }) => payment_reference),
  ];
  return (
    order.number === number ||
    [order.id, order.session_id, ...references].includes(text) ||
    terms.includes(productTerm(text)) ||
    prefixes.some((prefix) => terms.some((term) => term.startsWith(prefix)))
  );
}

/** A customer with the totals of each currency and the newest order. */
export interface CustomerRow {
  readonly id: string;
  /** The totals are sorted by currency. */
  readonly totals: readonly CustomerTotal[];
  /** Null when another order step has moved the customer's last order away meanwhile. */
  readonly latest_order: OrderRecord | null;
}

/** Gives what a customer has spent in a currency. Null for one who paid no order in it. */
export const spentIn = ({ totals }: CustomerRow, currency: string): number | null =>
  totals.find((total) => total.currency === currency)?.spent ?? null;

/**
 * Gives the customers with a paid order, by id. Erased ones are left out. `kept` has the totals of
 * removed orders.
 */
export function customersOf(
  orders: readonly OrderRecord[],
  kept: readonly CustomerTotal[] = [],
): readonly CustomerRow[] {
  const totals = sumTotals([...kept, ...orders.flatMap((order) => customerTotal(order) ?? [])]);
  const ids = [...new Set(totals.map(({ customer_id }) => customer_id))].sort();
  const newestFirst = [...orders].sort((one, other) => other.number - one.number);

  return ids.map((id) => ({
    id,
    totals: totals.filter(({ customer_id }) => customer_id === id),
    latest_order: newestFirst.find(({ customer }) => customer.id === id) ?? null,
  }));
}
