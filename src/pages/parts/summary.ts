import { type Html, html } from "../../contract/html.ts";
import type { CheckoutSession } from "../../contract/schemas.ts";
import { chosenValues } from "../../rules/catalog/groups/product-options.ts";
import { amountText, type Scene } from "../scene.ts";
import { flag } from "./elements.ts";
import { picture, webLink } from "./links.ts";
import { isTrial, renewalText } from "./renewal.ts";

/** More lines than this are folded, so that the form stays near the top on a phone. */
const maxOpenLines = 3;

/** The summary stands beside one of these. */
export type SummaryKind = "form" | "waiting" | "paid" | "unpaid";

/**
 * Renders the store, what is bought, and what it costs. The lines are open beside
 * the form, and where the order is paid: there they are what the buyer keeps.
 */
export function renderSummary(scene: Scene, kind: SummaryKind): Html {
  const { view, language } = scene;
  const { session, store } = view;
  const count = session.line_items.reduce((sum, { quantity }) => sum + quantity, 0);
  const isShort = session.line_items.length <= maxOpenLines;
  const open = kind === "paid" || (kind === "form" && isShort);
  const title = kind === "form" || kind === "waiting" ? "pay_store" : "order_at_store";
  const items = session.line_items.map((line) => lineItem(scene, line));
  const heading = html`<summary>${language.sayCount("items", count)}</summary>`;

  return html`<header class="summary"><div class="inner">
${storeLink(scene, kind === "paid")}
<h1>${language.say(title, { store: store.name })}</h1>
<p class="amount">${amountText(scene, session.amount_total)}</p>
${renewal(scene)}
<details class="lines" ${flag("open", open)}>${heading}<ul>${items}</ul>
${kind === "form" ? null : sums(scene)}</details>
${kind === "form" ? sums(scene) : null}
</div></header>`;
}

function renewal(scene: Scene): Html | null {
  const text = renewalText(scene);
  return text === null ? null : html`<p class="soft">${text}</p>`;
}

/** Leads back to the store, unless the order is paid: then the page's button leads on. */
function storeLink(scene: Scene, isPaid: boolean): Html {
  const { store, cancel_url } = scene.view;
  const logo = picture(scene, store.logo_url, { width: 32, height: 32 });
  const name = html`<span>${store.name}</span>`;
  const back = isPaid ? null : webLink(cancel_url);
  if (back === null) return html`<p class="store">${logo}${name}</p>`;

  const label = scene.language.say("back_to_store", { store: store.name });
  return html`<a class="store" href="${back}" aria-label="${label}">
<span aria-hidden="true">←</span>${logo}${name}</a>`;
}

function lineItem(scene: Scene, line: CheckoutSession["line_items"][number]): Html {
  const { quantity, name, image_url, amount_subtotal } = line;
  const chosen = chosenValues(line);
  const choices = chosen.length > 0 ? html`<small>${chosen.join(" · ")}</small>` : null;
  return html`<li>${picture(scene, image_url, { width: 48, height: 48 })}
<span class="what">${quantity} × ${name}${choices}</span>
<span class="price">${amountText(scene, amount_subtotal)}</span></li>`;
}

function sums(scene: Scene): Html {
  const { language, view } = scene;
  const { amount_subtotal, amount_discount, amount_total, coupon_code } = view.session;
  const row = (label: string, amount: string, kind = ""): Html =>
    html`<dt class="${kind}">${label}</dt><dd class="${kind}">${amount}</dd>`;

  const discount =
    coupon_code === null
      ? language.say(isTrial(view.recurring) ? "trial_discount" : "discount")
      : language.say("discount_code", { code: coupon_code });
  const discounted =
    amount_discount > 0
      ? [
          row(language.say("subtotal"), amountText(scene, amount_subtotal)),
          row(discount, `−${amountText(scene, amount_discount)}`),
        ]
      : [];
  return html`<dl class="sums">${discounted}
${row(language.say("total"), amountText(scene, amount_total), "whole")}</dl>`;
}
