import { type Html, html } from "../../../../contract/html.ts";
import type { OwnerOrder } from "../../../../owner/sales/orders.ts";
import { chosenValues } from "../../../../rules/catalog/groups/product-options.ts";
import { refundable } from "../../../../rules/orders/refundable.ts";
import { samePage } from "../../../addresses.ts";
import { amountText } from "../../../format.ts";
import { card, table } from "../../../frame/elements.ts";
import type { StoreVisit } from "../../../screen.ts";

/** Lists what each item cost after its discount, with links that fill the form with it. */
export function refundItems(visit: StoreVisit, order: OwnerOrder): Html {
  const { say } = visit.language;
  const left = refundable(order);
  const shown = (minor: number): string => amountText(visit, minor, order.currency);
  const link = (minor: number, about: string, before = ""): Html | null =>
    minor === 0 || minor > left
      ? null
      : html`<a class="button small"
href="${samePage(visit, { amount: String(minor) })}">${before}${shown(minor)}<span
class="unseen"> ${about}</span></a>`;

  const rows = order.items.map(({ quantity, amount_total, ...item }) => {
    const name = [item.name, ...chosenValues(item)].join(" · ");
    const piece = Math.floor(amount_total / quantity);
    const pieces = quantity > 1 ? link(piece, name, "1 × ") : null;
    return [
      html`${quantity} × ${name}`,
      shown(amount_total),
      html`${link(amount_total, name)} ${pieces}`,
    ];
  });
  const caption = say("items_title");
  const columns = [say("product"), say("refund_paid"), say("refund_do")];
  return card(caption, table({ caption, columns, rows, amounts: 1 }));
}
