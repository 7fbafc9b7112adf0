import {
  type CustomerTotal,
  customerTotal,
  orderTerms,
  productTerm,
  readOrderSearch,
  sumTotals,
} from "../orders/order-terms.ts";
import { referencesOf } from "../payments/order-money.ts";
import type { AttemptRecord, PaymentRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";

// What the back office asks, for a storage that has all orders at hand.

/** What was tried and paid for an order, by whose references it is found. */
export interface MoneyOfOrder {
  readonly attempts: readonly AttemptRecord[];
  readonly payments: readonly PaymentRecord[];
}

/**
 * Tells whether a search and a product find an order. One that is left out finds every order.
 * The money is read only where a search may name it.
 */
export function findsOrder(
  order: OrderRecord,
  { search, product_id }: { readonly search?: string; readonly product_id?: string },
  readMoney: () => MoneyOfOrder,
): boolean {
  const terms = orderTerms(order);
  if (product_id !== undefined && !terms.includes(productTerm(product_id))) return false;
  if (search === undefined) return true;

  const { text, number, email_prefix } = readOrderSearch(search);
  const { attempts, payments } = readMoney();
  const references = [
    ...attempts.flatMap(referencesOf),
    ...payments.map(({ payment_reference }) => payment_reference),
  ];
  return (
    order.number === number ||
    [order.id, order.session_id, ...references].includes(text) ||
    terms.includes(productTerm(text)) ||
    (email_prefix !== null && terms.some((term) => term.startsWith(email_prefix)))
  );
}

/** A customer with the totals of each currency and the newest order. */
interface CustomerOfOrders {
  readonly id: string;
  readonly totals: readonly CustomerTotal[];
  readonly latest_order: OrderRecord | null;
}

/** Gives the customers with a paid order, by id. Erased ones are left out. */
export function customersOf(orders: readonly OrderRecord[]): readonly CustomerOfOrders[] {
  const totals = sumTotals(orders.flatMap((order) => customerTotal(order) ?? []));
  const ids = [...new Set(totals.map(({ customer_id }) => customer_id))].sort();
  const newestFirst = [...orders].sort((one, other) => other.number - one.number);

  return ids.map((id) => ({
    id,
    totals: totals.filter(({ customer_id }) => customer_id === id),
    latest_order: newestFirst.find(({ customer }) => customer.id === id) ?? null,
  }));
}
