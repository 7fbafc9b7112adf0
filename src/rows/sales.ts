import { emailTerm } from "../rules/orders/order-terms.ts";
import {
  type ComparedSale,
  type SaleSum,
  type SalesQuery,
  saleKey,
  salesOf,
} from "../rules/owner/sales.ts";
import type { OrderRecord } from "../rules/records.ts";
import { isIn } from "./page.ts";

const none: SaleSum = { orders: 0, pieces: 0, amount: 0 };

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
      const sums = sold.get(key) ?? { now: none, before: none };
      const named = { kind, currency, subject, name, now: sums.now, before: sums.before };
      sold.set(key, { ...named, [span]: add(sums[span], sale) });
    }
  }
  return mostSold([...sold.values()], top);
}

const add = (a: SaleSum, b: SaleSum): SaleSum => ({
  orders: a.orders + b.orders,
  pieces: a.pieces + b.pieces,
  amount: a.amount + b.amount,
});

/** Leaves the subjects of each kind and currency with the most pieces, or the most money. */
function mostSold(sales: readonly ComparedSale[], top: number): readonly ComparedSale[] {
  const groups = new Map<string, ComparedSale[]>();
  for (const sale of sales) {
    const name = `${sale.kind}\n${sale.currency}`;
    groups.set(name, [...(groups.get(name) ?? []), sale]);
  }
  return [...groups.values()].flatMap((group) => {
    const most = (by: "pieces" | "amount") =>
      group
        .toSorted((a, b) => b.now[by] - a.now[by] || (a.subject < b.subject ? -1 : 1))
        .slice(0, top);
    return [...new Set([...most("pieces"), ...most("amount")])];
  });
}
