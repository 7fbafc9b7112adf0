import { emailTerm } from "../rules/orders/order-terms.ts";
import {
  type ComparedSale,
  mergeSales,
  type Sale,
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
  const sold: Record<"now" | "before", Sale[]> = { now: [], before: [] };
  for (const order of paid) {
    const { customer, paid_at } = order;
    const names = [customer.id, ...(customer.email === null ? [] : [emailTerm(customer.email)])];
    const sales = salesOf(order, !names.some((name) => known.has(name)));
    for (const name of names) known.add(name);
    if (paid_at >= before && paid_at < to) sold[paid_at < from ? "before" : "now"].push(...sales);
  }
  return mostSold(compare(mergeSales(sold.now), mergeSales(sold.before)), top);
}

/** Sets the sales of two spans side by side. */
function compare(now: readonly Sale[], before: readonly Sale[]): readonly ComparedSale[] {
  const sums = (sales: readonly Sale[]) => new Map(sales.map((sale) => [saleKey(sale), sale]));
  const [nowByKey, beforeByKey] = [sums(now), sums(before)];
  const sumOf = (sale: Sale | undefined): SaleSum =>
    sale ? { orders: sale.orders, pieces: sale.pieces, amount: sale.amount } : none;

  return [...new Map([...beforeByKey, ...nowByKey])].map(
    ([key, { kind, currency, subject, name }]) => ({
      kind,
      currency,
      subject,
      name,
      now: sumOf(nowByKey.get(key)),
      before: sumOf(beforeByKey.get(key)),
    }),
  );
}

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
