import { type Html, html } from "../../contract/html.ts";
import type { Order, Subscription } from "../../contract/schemas.ts";
import { linkButton } from "../parts/elements.ts";
import { renewalWords } from "../parts/renewal.ts";
import { amountOf, buttonForm, type CustomerScene, dayOf, when } from "./frame.ts";

/** A page of a buyer's orders, with all of the buyer's subscriptions. */
export interface Home {
  readonly orders: readonly Order[];
  readonly subscriptions: readonly Subscription[];
  /** The last order that is shown, where older ones follow. */
  readonly older: string | null;
  /** True on the first page. */
  readonly isNewest: boolean;
  /** True where the buyer can pay a period at this library's checkout page. */
  readonly takesPayment: boolean;
}

export async function renderHome(scene: CustomerScene, home: Home): Promise<Html> {
  const { say } = scene.language;
  const { base } = scene.place;
  const cards = await Promise.all(
    home.subscriptions.map((each) => subscriptionCard(scene, each, home.takesPayment)),
  );
  const more = home.older === null ? null : `${base}?after=${encodeURIComponent(home.older)}`;

  return html`<h1>${say("title")}</h1>
${when(cards.length > 0, html`<section><h2>${say("subscriptions")}</h2>${cards}</section>`)}
<section><h2>${say("orders")}</h2>
${when(home.orders.length === 0, html`<p class="card">${say("no_orders")}</p>`)}
${home.orders.map((order) => orderCard(scene, order))}</section>
${linkButton(say("older"), more, "plain")}
${linkButton(say("newest"), home.isNewest ? null : base, "quiet")}`;
}

/** Tells how an order stands, in words and by its colour. */
export const orderState = ({ language }: CustomerScene, { status }: Order): Html =>
  html`<p class="state-of ${orderTones[status]}">${language.say(`status_${status}`)}</p>`;

const orderTones = {
  pending: "",
  paid: "good",
  failed: "bad",
  partially_refunded: "",
  refunded: "",
  chargeback: "bad",
} as const satisfies Record<Order["status"], string>;

function orderCard(scene: CustomerScene, order: Order): Html {
  const { language, place } = scene;
  const number = String(order.number);
  const names = order.items.map(({ name, quantity }) => `${quantity} × ${name}`);
  return html`<article class="card">
<div class="row"><h3><a href="${place.base}/orders/${order.id}"
aria-label="${language.say("show_order", { number })}">${language.say("order", { number })}</a></h3>
<span class="price">${amountOf(scene, order.amount_total, order.currency)}</span></div>
<p>${new Intl.ListFormat(language.locale).format(names)}</p>
<div class="row">${orderState(scene, order)}
<p class="soft">${dayOf(scene, order.created_at)}</p></div></article>`;
}

async function subscriptionCard(
  scene: CustomerScene,
  subscription: Subscription,
  takesPayment: boolean,
): Promise<Html> {
  const { language, words } = scene;
  const { id, product_name, quantity, currency, saved_method } = subscription;
  const amount = amountOf(scene, subscription.amount, currency);
  const method = saved_method?.label ?? "";
  const isOver = subscription.status === "canceled";
  return html`<article class="card" id="${id}">
<div class="row"><h3>${quantity > 1 ? `${quantity} × ` : null}${product_name}</h3>
${subscriptionState(scene, subscription)}</div>
<p>${renewalWords(words, subscription, amount)}</p>
<p class="soft">${whatIsNext(scene, subscription)}</p>
${when(
  !isOver && method !== "",
  html`<p class="soft">${language.say("charged_by", { method })}</p>`,
)}
${isOver ? null : await forms(scene, subscription, { amount, takesPayment })}</article>`;
}

function subscriptionState({ language }: CustomerScene, subscription: Subscription): Html {
  const { status, paused_at } = subscription;
  const isPaused = status !== "canceled" && paused_at !== null;
  const tone = { trialing: "good", active: "good", past_due: "bad", canceled: "" }[status];
  return html`<p class="state-of ${isPaused ? "" : tone}">
${language.say(isPaused ? "subscription_paused" : `subscription_${status}`)}</p>`;
}

/** Says what comes next: a charge, an end, or what the buyer owes. */
function whatIsNext(scene: CustomerScene, subscription: Subscription): string {
  const { say } = scene.language;
  const { status, current_period_end, next_charge_at, ended_at } = subscription;
  const amount = amountOf(scene, subscription.amount, subscription.currency);
  const day = dayOf(scene, current_period_end);
  if (status === "canceled")
    return say("ended_on", { day: dayOf(scene, ended_at ?? current_period_end) });
  if (subscription.cancel_at_period_end) return say("ends_on", { day });
  if (status === "past_due") return say("is_open", { amount });
  if (status === "trialing")
    return say(next_charge_at === null ? "trial_until" : "trial_then", { amount, day });
  if (next_charge_at !== null)
    return say("next_charge", { amount, day: dayOf(scene, next_charge_at) });
  return say("paid_until", { day });
}

interface FormFacts {
  readonly amount: string;
  readonly takesPayment: boolean;
}

async function forms(
  scene: CustomerScene,
  subscription: Subscription,
  { amount, takesPayment }: FormFacts,
): Promise<readonly Html[]> {
  const { say } = scene.language;
  const { id, product_name: product, status } = subscription;
  const path = `/subscriptions/${id}`;
  if (subscription.cancel_at_period_end)
    return [await buttonForm(scene, { path: `${path}/keep`, label: say("keep", { product }) })];

  const pay = { path: `${path}/pay` };
  const open = { ...pay, label: say("pay_open", { amount }), kind: "primary" } as const;
  const change = async (): Promise<Html> => html`<details class="screen">
<summary>${say("change_method")}</summary><p class="soft">${say("change_note", { amount })}</p>
${await buttonForm(scene, { ...pay, label: say("pay_open", { amount }) })}</details>`;
  const isOpen = status === "past_due";
  const cancel = { path: `${path}/cancel`, label: say("cancel", { product }) };
  const day = dayOf(scene, subscription.current_period_end);
  const note = status === "trialing" ? "cancel_note_trial" : "cancel_note";
  return [
    ...(takesPayment ? [await (isOpen ? buttonForm(scene, open) : change())] : []),
    html`<details class="screen"><summary>${say("cancel_fold")}</summary>
<p class="soft">${say(note, { day })}</p>${await buttonForm(scene, cancel)}</details>`,
  ];
}
