import { type Html, html, raw } from "../contract/html.ts";
import type { CheckoutView } from "../payments/checkout-service.ts";
import type { SandboxOutcome } from "../payments/sandbox-gateway.ts";

const style = `
:root{color-scheme:light dark;--ink:#1d1d28;--soft:#6b6b7b;--line:#d9d9e3;--paper:#fff;--back:#f4f4f8;--brand:#3b3bd6}
@media(prefers-color-scheme:dark){:root{--ink:#f2f2f7;--soft:#a0a0b2;--line:#34343f;--paper:#1c1c24;--back:#121218;--brand:#8c8cff}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:2rem auto;padding:0 1rem}section{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:1.25rem;margin-bottom:1rem}
h1{font-size:1.25rem;margin:0 0 .25rem}.note{color:var(--soft);margin:0}.badge{display:inline-block;background:#ffd76a;color:#3a2c00;border-radius:6px;padding:0 .5rem;font-size:.8rem;font-weight:600}
table{width:100%;border-collapse:collapse}td{padding:.4rem 0;border-bottom:1px solid var(--line)}td:last-child{text-align:right;white-space:nowrap}tr.total td{border:0;font-weight:700;font-size:1.1rem}
label{display:block;margin:.6rem 0 .2rem;font-size:.9rem}input[type=text],input[type=email]{width:100%;padding:.6rem;border:1px solid var(--line);border-radius:8px;background:transparent;color:inherit;font:inherit}
fieldset{border:0;padding:0;margin:0}.choice{display:flex;gap:.5rem;align-items:center;margin:.3rem 0}.buttons{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:1rem}
button{font:inherit;padding:.65rem 1.1rem;border-radius:8px;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}button.pay{background:var(--brand);border-color:var(--brand);color:var(--paper);font-weight:600;flex:1}
.words{border-left:4px solid var(--brand);padding-left:.75rem}
`.trim();

/** The style's hash for the CSP: the page has no other style and no script. */
export const styleHash = "sha256-JlHZ5/sdYoJTJxZibWFwseT2utF2Fy9tvab6MOw5lU4=";

export function renderPage(view: CheckoutView, words: string | null): string {
  const { session } = view;
  return page(`Pay ${view.store.name}`, [
    html`<section><span class="badge">Sandbox, no real money</span><h1>${view.store.name}</h1><p class="note">Session ${session.id}</p></section>`,
    words === null ? raw("") : html`<section class="words" role="status">${words}</section>`,
    html`<section><table>${session.line_items.map((line) => html`<tr><td>${line.quantity} × ${line.name}</td><td>${money(line.amount_subtotal, session.currency)}</td></tr>`)}${
      session.amount_discount > 0
        ? html`<tr><td>Discount ${session.coupon_code ?? ""}</td><td>−${money(session.amount_discount, session.currency)}</td></tr>`
        : null
    }<tr class="total"><td>Total</td><td>${money(session.amount_total, session.currency)}</td></tr></table></section>`,
    session.status === "open"
      ? form(view)
      : html`<section class="words" role="status">This checkout is ${session.status}.${continueLink(view)}</section>`,
  ]);
}

function form(view: CheckoutView): Html {
  const { session, payment_methods } = view;
  if (view.order?.status === "pending" && session.payment_status === "pending")
    return html`<section class="words" role="status">The payment is being processed.<form method="post"><div class="buttons"><button name="action" value="resume">Look again</button></div></form></section>`;
  const due = session.amount_total > 0;
  if (due && payment_methods.length === 0)
    return html`<section class="words" role="alert">This store has no payment method for this amount.</section>`;
  return html`<section><form method="post"><input type="hidden" name="attempt" value="${`${session.id}:${view.order?.updated_at ?? "first"}`}">
<label for="name">Name</label><input type="text" id="name" name="name" maxlength="200" autocomplete="name" value="${view.order?.customer.name ?? ""}">
<label for="email">E-mail</label><input type="email" id="email" name="email" maxlength="254" autocomplete="email" value="${view.order?.customer.email ?? session.customer.email ?? ""}">
<label for="tax_id">CPF or CNPJ (optional)</label><input type="text" id="tax_id" name="tax_id" maxlength="30" inputmode="numeric">
${due ? html`<fieldset><label>Pay with</label>${payment_methods.map((method, index) => html`<span class="choice"><input type="radio" id="m${index}" name="payment_method_id" value="${method.id}" ${index === 0 ? raw("checked") : null}><label for="m${index}">${method.name}</label></span>`)}</fieldset>` : null}
<div class="buttons"><button class="pay" name="action" value="succeed">Pay ${money(session.amount_total, session.currency)}</button>${
    due ? html`<button name="action" value="decline">Decline</button>` : null
  }<button name="action" value="cancel" formnovalidate>Cancel</button></div>${
    due
      ? html`<details><summary>Other outcomes</summary><div class="buttons">${otherOutcomes.map(([value, words]) => html`<button name="action" value="${value}">${words}</button>`)}</div></details>`
      : null
  }</form></section>`;
}

const otherOutcomes: readonly (readonly [outcome: SandboxOutcome, words: string])[] = [
  ["decline_then_succeed", "Decline, succeed the next time"],
  ["pending_then_succeed", "Succeed later"],
  ["pending_then_fail", "Fail later"],
  ["succeed_then_dispute", "Succeed, then a chargeback"],
  ["timeout", "No answer"],
];

const continueLink = (view: CheckoutView): Html =>
  html` <a href="${view.session.status === "complete" ? view.success_url : view.cancel_url}">Back to ${view.store.name}</a>`;

export const renderStatus = (view: CheckoutView, words: string): string =>
  page(view.store.name, [html`<section class="words" role="alert">${words}</section>`]);

export const renderGone = (): string =>
  page("Not found", [
    html`<section class="words" role="alert">There is no such checkout.</section>`,
  ]);

function page(title: string, sections: readonly Html[]): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${raw(style)}</style></head><body><main>${sections}</main></body></html>`
    .html;
}

function money(amount: number, currency: string): string {
  const digits =
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
      .maximumFractionDigits ?? 2;
  const text = String(amount).padStart(digits + 1, "0");
  return digits === 0
    ? `${currency} ${text}`
    : `${currency} ${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
