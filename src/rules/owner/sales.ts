import type { OrderRecord, Partition } from "../records.ts";
import { erasedCustomerId } from "./erased-customer.ts";

/** What sales are counted by (docs/contract/back-office.md#sales). */
export type SaleKind = "product" | "channel" | "customers";

/** What sales brought. The amount is in minor units. */
export interface SaleSum {
  readonly orders: number;
  readonly pieces: number;
  readonly amount: number;
}

/** Sales of one product, channel or kind of customers in one currency. */
export interface Sale extends SaleSum {
  readonly kind: SaleKind;
  readonly currency: string;
  /** The id of a product, the channel, which is empty without an agent, or `new` or `returning`. */
  readonly subject: string;
  /** The product's name in its newest order. Empty for other kinds. */
  readonly name: string;
}

/** What the sales of an order are told from. */
export type SoldOrder = Pick<
  OrderRecord,
  "currency" | "amount_total" | "items" | "customer" | "channel"
>;

/**
 * Gives what an order counts, when it is paid. `isFirst` says that its customer had paid none
 * before. An erased customer is neither new nor returning.
 */
export function salesOf(order: SoldOrder, isFirst: boolean): readonly Sale[] {
  const { currency, amount_total, items, customer, channel = "" } = order;
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const whole = { currency, name: "", orders: 1, pieces, amount: amount_total };

  const products = new Map<string, Sale>();
  for (const { product_id, name, quantity, amount_total: amount } of items) {
    const known = products.get(product_id);
    products.set(product_id, {
      kind: "product",
      currency,
      subject: product_id,
      name,
      orders: 1,
      pieces: quantity + (known?.pieces ?? 0),
      amount: amount + (known?.amount ?? 0),
    });
  }

  const customers: Sale = { ...whole, kind: "customers", subject: isFirst ? "new" : "returning" };
  return [
    ...products.values(),
    { ...whole, kind: "channel", subject: channel },
    ...(customer.id === erasedCustomerId ? [] : [customers]),
  ];
}

/** Names what a sale is counted under. */
export const saleKey = ({ kind, currency, subject }: Pick<Sale, "kind" | "currency" | "subject">) =>
  `${kind}\n${currency}\n${subject}`;

/** Adds up sales of the same subject. The last name stays, so give them in the order of time. */
export function mergeSales(sales: Iterable<Sale>): readonly Sale[] {
  const merged = new Map<string, Sale>();
  for (const sale of sales) {
    const key = saleKey(sale);
    const known = merged.get(key);
    const { orders, pieces, amount } = sale;
    merged.set(key, {
      ...sale,
      orders: orders + (known?.orders ?? 0),
      pieces: pieces + (known?.pieces ?? 0),
      amount: amount + (known?.amount ?? 0),
    });
  }
  return [...merged.values()];
}

/** Sales of a span of time, and of the one before it. */
export interface ComparedSale extends Pick<Sale, "kind" | "currency" | "subject"> {
  /** A name that the product had in these orders. Empty for other kinds. */
  readonly name: string;
  readonly now: SaleSum;
  readonly before: SaleSum;
}

/** The sales of a store in two spans of time that lie side by side. */
export interface SalesQuery extends Partition {
  /** The span before begins at this hour, in epoch milliseconds, and ends at `from`. */
  readonly before: number;
  readonly from: number;
  readonly to: number;
  /** The number of subjects with the most pieces, and with the most money, of each kind. */
  readonly top: number;
}
