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

const namesOf = ({ customer }: OrderRecord): readonly string[] => [
  customer.id,
  ...(customer.email === null ? [] : [emailTerm(customer.email)]),
];

/** What removed orders sold in an hour. It names no customer. */
export interface RemovedSales extends Partition {
  readonly hour: number;
  readonly sales: readonly Sale[];
}

/**
 * Adds what an order sold that is removed to what is kept of its hour, which `keptOf` gives. The
 * orders are those of its store. Null when it was never paid.
 */
export function keepSales(
  order: OrderRecord,
  orders: Iterable<OrderRecord>,
  keptOf: (hour: number) => RemovedSales | null,
): RemovedSales | null {
  if (!isPaid(order)) return null;

  const { store_id, livemode, paid_at, number } = order;
  const names = namesOf(order);
  const isFirst = ![...orders].some(
    (other) =>
      isIn(order, other) &&
      isPaid(other) &&
      (other.paid_at < paid_at || (other.paid_at === paid_at && other.number < number)) &&
      namesOf(other).some((name) => names.includes(name)),
  );
  const hour = startOfHour(paid_at);
  const sales = mergeSales([...salesOf(order, isFirst), ...(keptOf(hour)?.sales ?? [])]);
  return { store_id, livemode, hour, sales };
}

/** Counts the sales of a store from all of its orders, and what is kept of removed ones. */
export function sumSales(
  orders: Iterable<OrderRecord>,
  { before, from, to, top, ...partition }: SalesQuery,
  removed: Iterable<RemovedSales> = [],
): readonly ComparedSale[] {
  const sold = new Map<string, ComparedSale>();
  const count = (time: number, sales: readonly Sale[]): void => {
    if (time < before || time >= to) return;
    const span = time < from ? "before" : "now";
    for (const sale of sales) {
      const { kind, currency, subject, name } = sale;
      const key = saleKey(sale);
      const sums = sold.get(key) ?? { now: noSales, before: noSales };
      const named = { kind, currency, subject, name, now: sums.now, before: sums.before };
      sold.set(key, { ...named, [span]: addSales(sums[span], sale) });
    }
  };
  for (const kept of removed) if (isIn(partition, kept)) count(kept.hour, kept.sales);

  const paid = [...orders]
    .filter((order) => isIn(partition, order))
    .filter(isPaid)
    .sort((a, b) => a.paid_at - b.paid_at || a.number - b.number);
  const known = new Set<string>();
  for (const order of paid) {
    const names = namesOf(order);
    const isFirst = !names.some((name) => known.has(name));
    for (const name of names) known.add(name);
    count(order.paid_at, salesOf(order, isFirst));
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
