import { type Html, html } from "../../../contract/html.ts";
import type { OwnerSales, ProductSales, SalesNumbers } from "../../../owner/stats/sales.ts";
import { inStore } from "../../addresses.ts";
import { amountText, changeText, countText, fullName, shareText } from "../../format.ts";
import { badge, breakable, card, table } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import { changeFrom, type Figures, gross, sales as meaning, toneOf } from "./overview-metrics.ts";

type Sales = OwnerSales["currencies"][number];
type Measure = "orders" | "pieces" | "amount";

/** Shows what sold most, who bought, and where, in one currency. */
export function salesCards(
  visit: StoreVisit,
  sales: OwnerSales,
  { currency, points }: Figures,
): Html | null {
  const sold = sales.currencies.find((each) => each.currency === currency);
  if (!sold) return null;

  return html`<div class="cards">${productsCard(visit, sold, "pieces")}
${productsCard(visit, sold, "amount")}</div>${customersCard(visit, sold)}
${channelsCard(visit, sold, gross.of(points))}`;
}

const numberText = (
  visit: StoreVisit,
  measure: Measure,
  value: number,
  currency: string,
): string => (measure === "amount" ? amountText(visit, value, currency) : countText(visit, value));

/** Shows the number of the period before, and how it has changed where that one rests on enough. */
function beforeCell(
  visit: StoreVisit,
  { currency }: Sales,
  numbers: SalesNumbers,
  measure: Measure,
): Html | null {
  const { before } = numbers;
  if (!before) return null;
  const then = before[measure];
  const text = numberText(visit, measure, then, currency);
  const change = changeFrom(then, numbers[measure], before.orders);
  if (change === null) return html`${text}`;

  return html`${text} ${badge(toneOf(change, meaning), changeText(visit, change))}`;
}

function productName(visit: StoreVisit, product: ProductSales): Html {
  const { say } = visit.language;
  const { product_id, deleted } = product;
  const name = fullName(product);
  if (deleted) return html`${breakable(name)} ${badge("plain", say("sold_deleted"))}`;
  return html`<a href="${inStore(visit, ["products", product_id])}">${breakable(name)}</a>`;
}

function productsCard(visit: StoreVisit, sold: Sales, measure: "pieces" | "amount"): Html | null {
  const { say } = visit.language;
  const products = sold[`products_by_${measure}`];
  if (products.length === 0) return null;

  const caption = say(`best_${measure}`);
  const rows = products.map((product) => [
    productName(visit, product),
    numberText(visit, measure, product[measure], sold.currency),
    beforeCell(visit, sold, product, measure),
  ]);
  const columns = [
    say("product"),
    say(measure === "pieces" ? "sold_pieces" : "metric_gross"),
    say("period_amount_before"),
  ];
  return card(caption, table({ caption, columns, rows, amounts: 1 }));
}

/** A line of a table that divides all orders: its name and numbers. */
interface Part {
  readonly name: Html | string;
  readonly numbers: SalesNumbers;
}

interface Parts {
  readonly caption: string;
  readonly head: string;
  readonly parts: readonly Part[];
  /** The amount of all parts, listed or not. By default the sum of those that are listed. */
  readonly whole?: number | null;
}

const sumOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { numbers }) => sum + numbers.amount, 0);

function partsCard(
  visit: StoreVisit,
  sold: Sales,
  { caption, head, parts, whole = sumOf(parts) }: Parts,
): Html {
  const { say } = visit.language;
  const rows = parts.map(({ name, numbers }) => [
    name,
    countText(visit, numbers.orders),
    amountText(visit, numbers.amount, sold.currency),
    whole ? shareText(visit, numbers.amount / whole) : "—",
    beforeCell(visit, sold, numbers, "amount"),
  ]);
  const columns = [
    head,
    say("metric_orders"),
    say("metric_gross"),
    say("method_share"),
    say("period_amount_before"),
  ];
  return card(caption, table({ caption, columns, rows, amounts: 2 }));
}

function customersCard(visit: StoreVisit, sold: Sales): Html {
  const { say } = visit.language;
  const kinds = ["new", "returning"] as const;
  return partsCard(visit, sold, {
    caption: say("customers_kinds"),
    head: say("section_customers"),
    parts: kinds.map((kind) => ({
      name: say(`customers_${kind}`),
      numbers: sold.customers[kind],
    })),
  });
}

/** Divides the orders by channel, where an agent sold at all. */
function channelsCard(visit: StoreVisit, sold: Sales, whole: number | null): Html | null {
  const { say } = visit.language;
  const { channels } = sold;
  if (channels.every(({ channel }) => channel === null)) return null;

  return partsCard(visit, sold, {
    caption: say("channels_title"),
    head: say("sold_by_agent"),
    whole,
    parts: channels.map(({ channel, ...numbers }) => ({
      name:
        channel === null
          ? say("channel_own")
          : html`<a href="${inStore(visit, ["orders"], { channel })}">${breakable(channel)}</a>`,
      numbers,
    })),
  });
}
