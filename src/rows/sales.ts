import { emailTerm } from "../rules/orders/order-terms.ts";
import {
  addSales,
  type ComparedSale,
  mergeSales,
  mostSold,
  noSales,
  type Sale,
  type SalesQuery,
  saleKey,
  salesOf,
} from "../rules/owner/sales.ts";
import { startOfHour } from "../rules/owner/stats.ts";
import type { OrderRecord, Partition } from "../rules/records.ts";
import { isIn } from "./page.ts";

type PaidOrder = OrderRecord & { readonly paid_at: number };

const isPaid = (order: OrderRecord): order is PaidOrder => order.paid_at !== null;

/** Gives the paid orders of a store, the oldest first, and whether each is its customer's first. */
function paidOf(
  orders: Iterable<OrderRecord>,
  partition: Partition,
): readonly { readonly order: PaidOrder; readonly isFirst: boolean }[] {
  const known = new Set<string>();
  return [...orders]
    .filter((order) => isIn(partition, order))
    .filter(isPaid)
    .sort((a, b) => a.paid_at - b.paid_at || a.number - b.number)
    .map((order) => {
      const { customer } = order;
      const names = [customer.id, ...(customer.email === null ? [] : [emailTerm(customer.email)])];
      const isFirst = !names.some((name) => known.has(name));
      for (const name of names) known.add(name);
      return { order, isFirst };
    });
}

/** A sale with the time of its last order, in which the product had the name. */
export interface TimedSale extends Sale {
  readonly sold_at: number;
}

/** What removed orders sold in an hour. It names no customer. */
export interface RemovedSales extends Partition {
  readonly hour: number;
  readonly sales: readonly TimedSale[];
}

const salesIn = ({ order, isFirst }: ReturnType<typeof paidOf>[number]): readonly TimedSale[] =>
  salesOf(order, isFirst).map((sale) => ({ ...sale, sold_at: order.paid_at }));

const byTime = (sales: readonly TimedSale[]): readonly TimedSale[] =>
  sales.toSorted((a, b) => a.sold_at - b.sold_at);

/**
 * Adds what an order sold to what is kept of its hour, which `keptOf` gives. Call it with all
 * orders of the store before the order is removed. Null when it was never paid.
 */
export function keepSales(
  { store_id, livemode, id }: OrderRecord,
  orders: Iterable<OrderRecord>,
  keptOf: (hour: number) => RemovedSales | null,
): RemovedSales | null {
  const paid = paidOf(orders, { store_id, livemode }).find(({ order }) => order.id === id);
  if (!paid) return null;

  const hour = startOfHour(paid.order.paid_at);
  const sales = byTime([...(keptOf(hour)?.sales ?? []), ...salesIn(paid)]);
  return { store_id, livemode, hour, sales: mergeSales(sales) };
}

/** Counts the sales of a store from all of its orders, and what is kept of removed ones. */
export function sumSales(
  orders: Iterable<OrderRecord>,
  { before, from, to, top, ...partition }: SalesQuery,
  removed: Iterable<RemovedSales> = [],
): readonly ComparedSale[] {
  const kept = [...removed].filter((each) => isIn(partition, each)).flatMap(({ sales }) => sales);
  const sold = new Map<string, ComparedSale>();
  for (const sale of byTime([...kept, ...paidOf(orders, partition).flatMap(salesIn)])) {
    const { kind, currency, subject, name, sold_at } = sale;
    if (sold_at < before || sold_at >= to) continue;
    const key = saleKey(sale);
    const sums = sold.get(key) ?? { now: noSales, before: noSales };
    const span = sold_at < from ? "before" : "now";
    const added = { [span]: addSales(sums[span], sale) };
    sold.set(key, { ...sums, kind, currency, subject, name, ...added });
  }
  // A product that was sold before alone is no best seller.
  const shown = [...sold.values()].filter(({ kind, now }) => kind !== "product" || now.orders > 0);
  return mostOfEach(shown, top);
}

/** Leaves the subjects of each kind and currency with the most pieces, or the most money. */
function mostOfEach(sales: readonly ComparedSale[], top: number): readonly ComparedSale[] {
  const groups = new Map<string, ComparedSale[]>();
  for (const sale of sales) {
    const name = `${sale.kind}\n${sale.currency}`;
    groups.set(name, [...(groups.get(name) ?? []), sale]);
  }
  return [...groups.values()].flatMap((group) => [
    ...new Set([...mostSold(group, "pieces", top), ...mostSold(group, "amount", top)]),
  ]);
}
