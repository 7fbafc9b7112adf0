import { type Html, html, raw } from "../contract/html.ts";
import { formatMoney } from "../domain/money.ts";
import type { CheckoutView } from "../payments/checkout-service.ts";
import type { SandboxOutcome } from "../payments/sandbox-gateway.ts";
import { style } from "./sandbox-style.ts";

/** Renders the page of a session; `message` tells how the last form went. */
export function renderPage(view: CheckoutView, message: string | null): string {
  const { session, store } = view;
  return page(`Pay ${store.name}`, [
    html`<section>
<span class="badge">Sandbox, no real money</span>
<h1>${store.name}</h1>
<p class="note">Session ${session.id}</p>
</section>`,
    message === null ? raw("") : notice("status", html`${message}`),
    lines(view),
    session.status === "open" ? form(view) : ended(view),
  ]);
}

export const renderMessage = (view: CheckoutView, message: string): string =>
  page(view.store.name, [notice("alert", html`${message}`)]);

export const renderNotFound = (): string =>
  page("Not found", [notice("alert", html`There is no such checkout.`)]);

function lines({ session }: CheckoutView): Html {
  const { amount_discount, amount_total, coupon_code, currency } = session;
  const discount =
    amount_discount > 0
      ? row(`Discount ${coupon_code ?? ""}`, `−${money(amount_discount, currency)}`)
      : null;
  const rows = session.line_items.map(({ quantity, name, amount_subtotal }) =>
    row(`${quantity} × ${name}`, money(amount_subtotal, currency)),
  );
  return html`<section><table>
${rows}${discount}
<tr class="total"><td>Total</td><td>${money(amount_total, currency)}</td></tr>
</table></section>`;
}

const row = (label: string, amount: string): Html =>
  html`<tr><td>${label}</td><td>${amount}</td></tr>`;

function ended({ session, store, success_url, cancel_url }: CheckoutView): Html {
  const url = session.status === "complete" ? success_url : cancel_url;
  const link = html`<a href="${url}">Back to ${store.name}</a>`;
  return notice("status", html`This checkout is ${session.status}. ${link}`);
}

function form(view: CheckoutView): Html {
  const { session, order, payment_methods } = view;
  if (order?.status === "pending" && session.payment_status === "pending")
    return notice("status", html`The payment is being processed.${resumeForm}`);

  const due = session.amount_total > 0;
  if (due && payment_methods.length === 0)
    return notice("alert", html`This store has no payment method for this amount.`);

  // Forms that were rendered from one state of the order have one key, and are submitted once.
  const attempt = `${session.id}:${order?.updated_at ?? "first"}`;
  return html`<section><form method="post">
<input type="hidden" name="attempt" value="${attempt}">
${buyerFields(view)}
${due ? paymentChoice(view) : null}
<div class="buttons">
<button class="pay" name="action" value="succeed">Pay ${total(view)}</button>
${due ? html`<button name="action" value="decline">Decline</button>` : null}
<button name="action" value="cancel" formnovalidate>Cancel</button>
</div>
${due ? otherOutcomes : null}
</form></section>`;
}

const resumeForm = html`<form method="post"><div class="buttons">
<button name="action" value="resume">Look again</button>
</div></form>`;

function buyerFields({ session, order }: CheckoutView): Html {
  const name = order?.customer.name ?? "";
  const email = order?.customer.email ?? session.customer.email ?? "";
  return html`<label for="name">Name</label>
<input type="text" id="name" name="name" maxlength="200" autocomplete="name" value="${name}">
<label for="email">E-mail</label>
<input type="email" id="email" name="email" maxlength="254" autocomplete="email" value="${email}">
<label for="tax_id">CPF or CNPJ (optional)</label>
<input type="text" id="tax_id" name="tax_id" maxlength="30" inputmode="numeric">`;
}

function paymentChoice({ payment_methods }: CheckoutView): Html {
  const choices = payment_methods.map(({ id, name }, index) => {
    const checked = index === 0 ? raw("checked") : null;
    return html`<span class="choice">
<input type="radio" id="m${index}" name="payment_method_id" value="${id}" ${checked}>
<label for="m${index}">${name}</label>
</span>`;
  });
  return html`<fieldset><label>Pay with</label>${choices}</fieldset>`;
}

const outcomes: readonly (readonly [outcome: SandboxOutcome, label: string])[] = [
  ["decline_then_succeed", "Decline, succeed the next time"],
  ["pending_then_succeed", "Succeed later"],
  ["pending_then_fail", "Fail later"],
  ["qr_code", "Pix code"],
  ["three_d_secure", "3-D Secure page"],
  ["timeout", "No answer"],
];

const outcomeButtons = outcomes.map(
  ([outcome, label]) => html`<button name="action" value="${outcome}">${label}</button>`,
);

const otherOutcomes = html`<details><summary>Other outcomes</summary>
<div class="buttons">${outcomeButtons}</div>
</details>`;

/** A section for a message that screen readers announce. */
const notice = (role: "status" | "alert", content: Html): Html =>
  html`<section class="words" role="${role}">${content}</section>`;

function page(title: string, sections: readonly Html[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body><main>${sections}</main></body>
</html>`.html;
}

const total = ({ session }: CheckoutView): string => money(session.amount_total, session.currency);

/** The amount with its currency code, e.g. `BRL 10.00` for 1,000 minor units. */
const money = (amount: number, currency: string): string =>
  formatMoney(amount, currency, { locale: "en", currencyDisplay: "code" });
