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

export const noSales: SaleSum = { orders: 0, pieces: 0, amount: 0 };

export const addSales = (a: SaleSum, b: SaleSum): SaleSum => ({
  orders: a.orders + b.orders,
  pieces: a.pieces + b.pieces,
  amount: a.amount + b.amount,
});

/** Adds up sales of the same subject. The last name stays, so give them in the order of time. */
export function mergeSales<Of extends Sale>(sales: Iterable<Of>): readonly Of[] {
  const merged = new Map<string, Of>();
  for (const sale of sales) {
    const key = saleKey(sale);
    merged.set(key, { ...sale, ...addSales(sale, merged.get(key) ?? noSales) });
  }
  return [...merged.values()];
}

/** A span of time in which orders were paid. `to` is not included. */
export interface PaidSpan {
  readonly from: number;
  readonly to: number;
}

/** Sales of a span of time, and of the one before it. */
export interface ComparedSale extends Pick<Sale, "kind" | "currency" | "subject"> {
  /** The product's name in the newest of these orders. Empty for other kinds. */
  readonly name: string;
  readonly now: SaleSum;
  readonly before: SaleSum;
}

/** Gives the first of those that sold most. */
export const mostSold = (
  sales: readonly ComparedSale[],
  by: "pieces" | "amount",
  top: number,
): readonly ComparedSale[] =>
  sales.toSorted((a, b) => b.now[by] - a.now[by] || (a.subject < b.subject ? -1 : 1)).slice(0, top);

/** The sales of a store in two spans of time that lie side by side. */
export interface SalesQuery extends Partition {
  /** The span before begins at this hour, in epoch milliseconds, and ends at `from`. */
  readonly before: number;
  readonly from: number;
  readonly to: number;
  /** The number of subjects with the most pieces, and with the most money, of each kind. */
  readonly top: number;
}
