import { type Html, html } from "../../../contract/html.ts";
import type { OrderStatus } from "../../../contract/schemas.ts";
import type { OwnerOrder } from "../../../owner/sales/orders.ts";
import { inStore } from "../../addresses.ts";
import { amountText, timeTag } from "../../format.ts";
import { badge, breakable, type Head, type Table, type Tone } from "../../frame/elements.ts";
import { readFew } from "../../read-few.ts";
import type { Crumb, StoreVisit } from "../../screen.ts";
import { buyerName } from "./customer-parts.ts";

// Several screens use these parts of an order.

const tones: Readonly<Record<OrderStatus, Tone>> = {
  pending: "warn",
  paid: "good",
  failed: "plain",
  partially_refunded: "plain",
  refunded: "plain",
  chargeback: "bad",
};

export const orderBadge = ({ language }: StoreVisit, status: OrderStatus): Html =>
  badge(tones[status], language.say(`order_${status}`));

export const orderAddress = (visit: StoreVisit, id: string, ...steps: string[]): string =>
  inStore(visit, ["orders", id, ...steps]);

export const orderName = ({ number }: Pick<OwnerOrder, "number">): string => `#${number}`;

export const orderLink = (visit: StoreVisit, order: Pick<OwnerOrder, "id" | "number">): Html =>
  html`<a href="${orderAddress(visit, order.id)}">${orderName(order)}</a>`;

/** Gives the links that lead to a page below an order. */
export const orderCrumbs = (visit: StoreVisit, order: OwnerOrder): readonly Crumb[] => [
  { label: visit.language.say("section_orders"), address: inStore(visit, ["orders"]) },
  { label: orderName(order), address: orderAddress(visit, order.id) },
];

export const findOrder = ({ parts, store, livemode, params }: StoreVisit): Promise<OwnerOrder> =>
  parts.owner.orders.retrieve({ store_id: store.id, livemode, order_id: params["id"] ?? "" });

/** Names what was bought in one line: the first product, and how many others. */
function goodsText({ language }: StoreVisit, { items }: OwnerOrder): string {
  const [first] = items;
  if (!first) return "";
  const name = first.quantity === 1 ? first.name : `${first.quantity} × ${first.name}`;
  return items.length === 1 ? name : language.sayCount("goods_more", items.length - 1, { name });
}

function buyerCell(visit: StoreVisit, { customer }: OwnerOrder): Html {
  const name = buyerName(visit, customer);
  const email = customer.email === name ? null : customer.email;
  return html`${breakable(name)}<small>${email === null ? null : breakable(email)}</small>`;
}

/** Renders a list of orders; on the page of a customer it names no customer. */
export function orderTable(
  visit: StoreVisit,
  orders: readonly OwnerOrder[],
  { hasCustomer = true, created }: { readonly hasCustomer?: boolean; readonly created?: Head } = {},
): Omit<Table, "caption"> {
  const { say } = visit.language;
  const rows = orders.map((order) => {
    return [
      html`${orderLink(visit, order)}<small>${goodsText(visit, order)}</small>`,
      ...(hasCustomer ? [buyerCell(visit, order)] : []),
      timeTag(visit, order.created_at),
      orderBadge(visit, order.status),
      amountText(visit, order.amount_total, order.currency),
    ];
  });
  const columns = [
    say("order"),
    ...(hasCustomer ? [say("customer")] : []),
    created ?? say("created_at"),
    say("state"),
    say("total"),
  ];
  return { columns, rows, amounts: columns.length - 1 };
}

/** Reads orders by their ids. An order that is gone is left out. */
export const ordersById = (
  { parts, store, livemode }: StoreVisit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OwnerOrder>> =>
  readFew(ids, (order_id) =>
    parts.owner.orders.retrieve({ store_id: store.id, livemode, order_id }),
  );
