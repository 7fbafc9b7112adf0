import { type Html, html } from "../../../contract/html.ts";
import type { OwnerOrder } from "../../../owner/sales/orders.ts";
import { choicesOf } from "../../../rules/catalog/groups/product-options.ts";
import { erasedCustomerId } from "../../../rules/owner/erased-customer.ts";
import type { OrderPayment } from "../../../rules/payments/render-payment.ts";
import type { Refund } from "../../../rules/refunds/render-refund.ts";
import { amountText, timeTag } from "../../format.ts";
import { facts } from "../../frame/elements.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { buyerName } from "./customer-parts.ts";
import { sums } from "./order-money.ts";
import { findOrder, orderBadge, orderCrumbs } from "./order-parts.ts";

type Fact = readonly [name: string, value: Html | string];

/** The receipt lists this many refunds, the newest first. Its sums have all of them. */
const maxRefunds = 10;

/** An order of more lines than these is set in smaller letters, and then in two columns. */
const denseFrom = 16;
const columnsFrom = 32;

/** Shows an order on one page of paper: the frame and the buttons are left out in print. */
export const receiptScreen: Screen = {
  path: "orders/{id}/receipt",
  section: "orders",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const order = await findOrder(visit);
    const partition = { store_id: store.id, livemode };
    const [payments, refunds] = await Promise.all([
      parts.orders.listPayments(order.id, partition),
      parts.owner.refunds.list({ ...partition, order_id: order.id, limit: maxRefunds }),
    ]);
    const moved = refunds.data.filter(({ status }) => status !== "failed");

    return {
      title: say(order.paid_at === null ? "order_title" : "receipt_title", {
        number: String(order.number),
      }),
      crumbs: orderCrumbs(visit, order),
      lead: html`${orderBadge(visit, order.status)} ${dateText(visit, order.created_at)}`,
      primary: html`<button class="button" type="button" hidden
data-print>${say("receipt_print")}</button>`,
      body: html`<p class="soft unprinted">${say("receipt_hint")}</p>
<article class="card receipt ${densityOf(order)}">
<header><strong>${store.name}</strong>${storeFacts(visit)}</header>
${facts([...buyerFacts(visit, order), ...paymentFacts(visit, order, payments)])}
<ol>${order.items.map((item) => lineOf(visit, order, item))}</ol>
${sums(visit, order, "buyer")}
${refundList(visit, order, moved)}
<p class="soft">${say("receipt_no_invoice")}</p></article>`,
    };
  },
};

/** Names the zone beside the time, because paper tells no more than what stands on it. */
const dateText = (visit: StoreVisit, iso: string): Html =>
  html`${timeTag(visit, iso)} <span class="soft">${visit.store.timezone}</span>`;

function densityOf({ items }: OwnerOrder): string {
  const lines = items.reduce((all, item) => all + 1 + choicesOf(item).length, 0);
  if (lines > columnsFrom) return "dense columned";
  return lines > denseFrom ? "dense" : "";
}

function storeFacts({ store }: StoreVisit): Html {
  const lines = [store.website_url, store.support_email].filter((line) => line !== null);
  return html`${lines.map((line) => html`<span>${line}</span>`)}`;
}

/** Records hold no more of a tax id than its third group, so paper shows no more either. */
function buyerFacts(visit: StoreVisit, { customer }: OwnerOrder): readonly Fact[] {
  const { say } = visit.language;
  const name: Fact = [say("customer"), buyerName(visit, customer)];
  if (customer.id === erasedCustomerId) return [name];

  const email = customer.email === name[1] ? null : customer.email;
  const known = [
    [say("email"), email],
    [say("tax_id"), customer.tax_id],
    [say("store_country"), customer.country],
  ] as const;
  return [
    name,
    ...known.flatMap(([label, value]): Fact[] => (value === null ? [] : [[label, value]])),
  ];
}

/** Says when, how and by which money the order was paid. */
function paymentFacts(
  visit: StoreVisit,
  { payment_method, paid_at }: OwnerOrder,
  payments: readonly OrderPayment[],
): readonly Fact[] {
  const { say } = visit.language;
  const method: Fact[] =
    payment_method === null ? [] : [[say("payment_method"), say(`method_${payment_method.type}`)]];
  const paid: Fact[] = paid_at === null ? [] : [[say("order_paid"), dateText(visit, paid_at)]];
  const money = payments
    .filter(({ status }) => status === "booked")
    .map(
      ({ gateway, payment_reference }): Fact => [
        say("payment"),
        html`${say("paid_by", { gateway })} <code>${payment_reference}</code>`,
      ],
    );
  return [...method, ...paid, ...money];
}

function lineOf(visit: StoreVisit, order: OwnerOrder, item: OwnerOrder["items"][number]): Html {
  const chosen = choicesOf(item).map(([key, value]) => html`<small>${key}: ${value}</small>`);
  const unit = amountText(visit, item.unit_amount, order.currency);
  return html`<li><div><strong>${item.name}</strong>${chosen}</div>
<span>${item.quantity} × ${unit}</span>
<b>${amountText(visit, item.amount_subtotal, order.currency)}</b></li>`;
}

function refundList(
  visit: StoreVisit,
  { currency }: OwnerOrder,
  refunds: readonly Refund[],
): Html | null {
  if (refunds.length === 0) return null;
  const { say } = visit.language;
  const lines = refunds.map(({ amount, status, created_at }) => {
    const text = say("history_refund", { amount: amountText(visit, amount, currency) });
    const state = status === "pending" ? html` (${say("refund_pending")})` : null;
    return html`<li>${text}${state} <span class="soft">${timeTag(visit, created_at)}</span></li>`;
  });
  return html`<section><h2>${say("section_refunds")}</h2><ul>${lines}</ul></section>`;
}
