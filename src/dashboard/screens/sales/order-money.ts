import { type Html, html } from "../../../contract/html.ts";
import type { OwnerOrder } from "../../../owner/sales/orders.ts";
import { choicesOf } from "../../../rules/catalog/groups/product-options.ts";
import type { OrderPayment } from "../../../rules/payments/render-payment.ts";
import { amountText, timeTag } from "../../format.ts";
import { picture } from "../../forms/pictures.ts";
import { actionLink, badge, card, type Tone, table } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import { orderAddress } from "./order-parts.ts";

/** Shows what was bought, and what it costs. */
export function itemsCard(visit: StoreVisit, order: OwnerOrder): Html {
  const { language, settings } = visit;
  const { say } = language;
  const amount = (minor: number): string => amountText(visit, minor, order.currency);

  const rows = order.items.map((item) => [
    html`<div class="thing">${
      picture(item.image_url, 40, settings) ??
      html`<span class="blank"
aria-hidden="true"></span>`
    }<div><strong>${item.name}</strong>${choicesOf(item).map(
      ([key, value]) => html`<small>${key}: ${value}</small>`,
    )}</div></div>`,
    html`${item.quantity} × <span class="whole">${amount(item.unit_amount)}</span>`,
    amount(item.amount_subtotal),
  ]);
  const columns = [say("product"), say("quantity"), say("total")];
  return card(
    say("items_title"),
    html`${table({ caption: say("items_title"), columns, rows, amounts: 2 })}
${sums(visit, order, "store")}`,
  );
}

/**
 * Lists the sums of an order. A line whose sum is zero is left out, and so is what the store
 * keeps where the buyer reads it.
 */
export function sums(visit: StoreVisit, order: OwnerOrder, reader: "store" | "buyer"): Html {
  const { say } = visit.language;
  const { coupon_code, amount_discount, amount_total, amount_refunded, amount_refunding } = order;
  const discount =
    coupon_code === null ? say("discount") : say("discount_by", { code: coupon_code });
  const goesBack = amount_refunded + amount_refunding;

  const lines = [
    { label: say("subtotal"), amount: order.amount_subtotal, isShown: amount_discount > 0 },
    { label: discount, amount: -amount_discount, isShown: amount_discount > 0 },
    { label: say("total"), amount: amount_total, isShown: true },
    { label: say("refunded"), amount: -amount_refunded, isShown: amount_refunded > 0 },
    { label: say("refunding"), amount: -amount_refunding, isShown: amount_refunding > 0 },
    {
      label: say("kept"),
      amount: amount_total - goesBack,
      isShown: goesBack > 0 && reader === "store",
    },
  ];
  return html`<dl class="sums">${lines
    .filter(({ isShown }) => isShown)
    .map(
      ({ label, amount }) =>
        html`<div><dt>${label}</dt><dd>${amountText(visit, amount, order.currency)}</dd></div>`,
    )}</dl>`;
}

const moneyTones: Readonly<Record<OrderPayment["status"], Tone>> = {
  booked: "good",
  duplicate: "warn",
  unapplied: "warn",
  returning: "plain",
  returned: "plain",
  return_failed: "bad",
};

export const moneyBadge = ({ language }: StoreVisit, status: OrderPayment["status"]): Html =>
  badge(moneyTones[status], language.say(`money_${status}`));

/**
 * Tells whether the gateway that took the money can send it back: this is only for
 * money that pays for nothing. A booked payment is refunded instead.
 */
export const isReturnable = ({ status, gateway }: OrderPayment): boolean =>
  gateway !== "host" &&
  (status === "duplicate" || status === "unapplied" || status === "return_failed");

/** Lists the money that came for an order. */
export function moneyCard(visit: StoreVisit, payments: readonly OrderPayment[]): Html {
  const { say } = visit.language;
  const rows = payments.map((payment) => [
    html`${say("paid_by", { gateway: payment.gateway })}
<small>${timeTag(visit, payment.created_at)}</small>
<small><code>${payment.payment_reference}</code></small>`,
    html`${moneyBadge(visit, payment.status)} ${
      isReturnable(payment)
        ? actionLink(visit, "orders.return_payment", {
            label: "payment_return",
            address: orderAddress(visit, payment.order_id, "return", payment.id),
            kind: "small",
          })
        : null
    }`,
    amountText(visit, payment.amount, payment.currency),
  ]);
  const columns = [say("payment"), say("state"), say("amount")];
  const title = say("money_title");
  return card(
    title,
    rows.length === 0
      ? html`<p class="soft">${say("money_none")}</p>`
      : table({ caption: title, columns, rows, amounts: 2 }),
  );
}
