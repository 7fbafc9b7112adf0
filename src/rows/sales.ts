import { emailTerm } from "../rules/orders/order-terms.ts";
import {
  addSales,
  type ComparedSale,
  mostSold,
  noSales,
  type SalesQuery,
  saleKey,
  salesOf,
} from "../rules/owner/sales.ts";
import type { OrderRecord } from "../rules/records.ts";
import { isIn } from "./page.ts";

type PaidOrder = OrderRecord & { readonly paid_at: number };

const isPaid = (order: OrderRecord): order is PaidOrder => order.paid_at !== null;

/** Counts the sales of a store from all of its orders. */
export function sumSales(
  orders: Iterable<OrderRecord>,
  { before, from, to, top, ...partition }: SalesQuery,
): readonly ComparedSale[] {
  const paid = [...orders]
    .filter((order) => isIn(partition, order))
    .filter(isPaid)
    .sort((a, b) => a.paid_at - b.paid_at || a.number - b.number);
  const known = new Set<string>();
  const sold = new Map<string, ComparedSale>();
  for (const order of paid) {
    const { customer, paid_at } = order;
    const names = [customer.id, ...(customer.email === null ? [] : [emailTerm(customer.email)])];
    const isFirst = !names.some((name) => known.has(name));
    for (const name of names) known.add(name);
    if (paid_at < before || paid_at >= to) continue;

    const span = paid_at < from ? "before" : "now";
    for (const sale of salesOf(order, isFirst)) {
      const { kind, currency, subject, name } = sale;
      const key = saleKey(sale);
      const sums = sold.get(key) ?? { now: noSales, before: noSales };
      const named = { kind, currency, subject, name, now: sums.now, before: sums.before };
      sold.set(key, { ...named, [span]: addSales(sums[span], sale) });
    }
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
