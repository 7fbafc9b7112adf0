import { type Html, html } from "../../contract/html.ts";
import type { Entitlement, Order } from "../../contract/schemas.ts";
import { chosenValues } from "../../rules/catalog/groups/product-options.ts";
import { linkButton } from "../parts/elements.ts";
import { webLink } from "../parts/links.ts";
import { amountOf, type CustomerScene, dayOf, when } from "./frame.ts";
import type { ReceiptSeller } from "./options.ts";
import { orderState } from "./render-home.ts";

/** Renders an order: what the buyer has got, and the receipt, which alone is printed. */
export function renderOrderPage(
  scene: CustomerScene,
  { order, seller }: { readonly order: Order; readonly seller: ReceiptSeller | null },
): Html {
  const { say } = scene.language;
  const number = String(order.number);
  const goods = order.entitlements ?? [];
  const isMoneyIn = order.paid_at !== null;
  return html`<h1>${say(isMoneyIn ? "receipt_of" : "order", { number })}</h1>
<div class="screen">${orderState(scene, order)}</div>
${when(
  goods.length > 0,
  html`<section class="screen"><h2>${say("got")}</h2>
${goods.map((each) => entitlementCard(scene, order, each))}</section>`,
)}
<section class="card receipt ${densityOf(order)}">
${facts(scene, order, seller)}${lines(scene, order)}${sums(scene, order)}</section>
${when(isMoneyIn, html`<p class="soft screen">${say("print_note")}</p>`)}
<div class="screen">${linkButton(say("back"), scene.place.base, "plain")}</div>`;
}

/**
 * A receipt of more lines than these is printed in smaller letters, and then in two columns, so
 * that it stays on one page.
 */
const denseFrom = 16;
const columnsFrom = 36;

/** A name of more letters than this takes another line. */
const lettersOfLine = 70;

function densityOf({ items }: Order): string {
  const texts = items.map((item) => [item.name, chosenValues(item).join(" · ")] as const);
  const count = (all: readonly string[]): number =>
    all.reduce((sum, { length }) => sum + Math.ceil(length / lettersOfLine), 0);
  // In smaller letters what was chosen stands beside the name.
  if (count(texts.map((both) => both.join(" "))) > columnsFrom) return "dense columned";
  return count(texts.flat()) > denseFrom ? "dense" : "";
}

function entitlementCard(scene: CustomerScene, order: Order, given: Entitlement): Html {
  const { say } = scene.language;
  const product = order.items.find(({ id }) => id === given.item_id)?.name ?? "";
  const content =
    given.revoked_at === null
      ? contentOf(scene, given, product)
      : html`<p class="soft">${say("taken_back", { day: dayOf(scene, given.revoked_at) })}</p>`;
  return html`<article class="card goods"><h3>${product}</h3>${content}</article>`;
}

const soft = (text: string): Html => html`<p class="soft">${text}</p>`;

function contentOf({ language }: CustomerScene, given: Entitlement, product: string): Html | null {
  const { status, text, license_key, license_key_last4 } = given;
  const { activation_limit, activation_usage, file_name, download_limit, downloads } = given;
  const used = { usage: String(activation_usage), limit: String(activation_limit) };
  const { say, sayCount } = language;
  if (status === "pending") return html`<p class="soft">${say("license_key_waits")}</p>`;
  if (license_key !== null)
    return html`${soft(say("license_key"))}<code>${license_key}</code>${when(
      activation_limit !== null,
      soft(say("activations_used", used)),
    )}`;
  if (license_key_last4 !== null)
    return html`<p class="soft">${say("license_key_hidden", { last: license_key_last4 })}</p>`;
  if (text !== null) return html`<p>${text}</p>`;
  if (file_name !== null) {
    const counted = sayCount("downloads_used", downloads ?? 0, { limit: String(download_limit) });
    const button = linkButton(say("download", { name: file_name }), webLink(given.url));
    return html`${button}${when(download_limit !== null, soft(counted))}`;
  }
  return linkButton(say("open_link", { product }), webLink(given.url));
}

function facts(scene: CustomerScene, order: Order, seller: ReceiptSeller | null): Html {
  const { store, language } = scene;
  const { say } = language;
  const { customer, payment_method, paid_at } = order;
  const sold = [seller?.legal_name ?? store.name, seller?.tax_id, seller?.address];
  const { name, email, tax_id } = customer;
  const bought = [name, email, tax_id && `${say("tax_id")}: ${tax_id}`];
  const rows: readonly (readonly [string, string | null])[] = [
    [say("sold_by"), linesOf(sold)],
    [say("buyer"), linesOf(bought)],
    [say("date"), dayOf(scene, order.created_at)],
    [say("status"), say(`status_${order.status}`)],
    [say("paid_on"), paid_at === null ? null : dayOf(scene, paid_at)],
    [say("paid_by"), payment_method && say(`method_${payment_method.type}`)],
  ];
  const shown = rows.filter(([, value]) => value !== null && value !== "");
  return html`<dl class="facts">${shown.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

const linesOf = (texts: readonly (string | null | undefined)[]): string =>
  texts.filter((text) => text).join("\n");

function lines(scene: CustomerScene, { items, currency }: Order): Html {
  const { say } = scene.language;
  const rows = items.map((item) => {
    const chosen = chosenValues(item);
    return html`<tr><td>${item.quantity} × ${item.name}
${when(chosen.length > 0, html`<small>${chosen.join(" · ")}</small>`)}</td>
<td class="price">${amountOf(scene, item.amount_subtotal, currency)}</td></tr>`;
  });
  return html`<table class="items"><thead><tr><th scope="col">${say("item")}</th>
<th scope="col" class="price">${say("amount")}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function sums(scene: CustomerScene, order: Order): Html {
  const { say } = scene.language;
  const { amount_subtotal, amount_discount, amount_total, amount_refunded, coupon_code } = order;
  const row = (label: string, amount: number, { sign = "", kind = "" } = {}): Html =>
    html`<dt class="${kind}">${label}</dt>
<dd class="${kind}">${sign}${amountOf(scene, amount, order.currency)}</dd>`;
  const discount = [say("discount"), coupon_code].filter((part) => part !== null).join(" ");
  return html`<dl class="sums">
${when(amount_discount > 0, [
  row(say("subtotal"), amount_subtotal),
  row(discount, amount_discount, { sign: "−" }),
])}
${row(say("total"), amount_total, { kind: "whole" })}
${when(amount_refunded > 0, row(say("refunded"), amount_refunded, { sign: "−" }))}</dl>`;
}
