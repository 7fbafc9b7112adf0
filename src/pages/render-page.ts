import { type Html, html } from "../contract/html.ts";
import type { PaymentElement } from "../payments/gateway/payment-element.ts";
import { elementName } from "./element/declared.ts";
import { isWaiting, type StateName, versionOf, type WaitingState } from "./page-state.ts";
import { knownBuyer } from "./parts/buyer-form.ts";
import { noCoupon } from "./parts/coupon-field.ts";
import { renderDocument } from "./parts/document.ts";
import { mailLink, webLink } from "./parts/links.ts";
import { renderSummary, type SummaryKind } from "./parts/summary.ts";
import { type EndName, endTitle, renderEnd, type ShownEnd } from "./render-end.ts";
import { type FormState, renderForm } from "./render-form.ts";
import { renderWaiting, waitingTitles } from "./render-waiting.ts";
import type { Scene } from "./scene.ts";
import { formatTime } from "./texts/format.ts";
import type { TextName } from "./texts/text-names.ts";

/** The page shows this of a session: the form, a payment that runs, or an end. */
export type Shown =
  | { readonly kind: "form"; readonly state: FormState }
  | { readonly kind: "waiting"; readonly state: WaitingState; readonly notice: TextName | null }
  | ({ readonly kind: "end" } & ShownEnd);

/** Gives what a state shows where the buyer has sent nothing. */
export function shownOf(scene: Scene, state: StateName, notice: TextName | null = null): Shown {
  if (isWaiting(state)) return { kind: "waiting", state, notice };
  if (state === "form") {
    const form = knownBuyer(scene.view);
    return {
      kind: "form",
      state: { form, faults: {}, notice: notice ?? lastFailure(scene), coupon: noCoupon },
    };
  }
  return { kind: "end", name: endOf(state) };
}

const endOf = (state: StateName): EndName =>
  state === "paid" || state === "refunded" || state === "no_methods" ? state : "expired";

/** Tells a buyer who may pay again how the last payment ended. */
function lastFailure({ view: { order, refusal } }: Scene): TextName | null {
  if (order?.status !== "failed") return null;
  switch (order.failure_code) {
    case "canceled":
      return "payment_canceled";
    case "expired":
      return "payment_expired";
    case "error":
      return "payment_error";
    default:
      return refusal === null ? "declined" : `declined_${refusal}`;
  }
}

export function renderPage(scene: Scene, shown: Shown): string {
  const { view, language, now, path, files } = scene;
  const version = shown.kind === "waiting" ? versionOf(view, shown.state) : "";

  const body = html`<body>
${view.livemode ? null : html`<aside class="test-mode">${testMode(scene)}</aside>`}
<div class="page">
${renderSummary(scene, summaryKind(shown))}
<main data-now="${now}" data-version="${version}"><div class="inner">
${content(scene, shown)}
</div></main>
${footer(scene)}
</div>
</body>`;

  return renderDocument({
    title: titleOf(scene, shown),
    scripts: elementScripts(scene, shown),
    language,
    files,
    body,
    scripted: shown.kind !== "end",
    refresh: shown.kind === "waiting" ? `${path}?return` : null,
  });
}

/** Gives the provider's element where the page shows it now, and null in any other state. */
export const elementOf = ({ view }: Pick<Scene, "view">, shown: Shown): PaymentElement | null =>
  shown.kind === "waiting" && shown.state === "client_secret" ? view.element : null;

function elementScripts(scene: Scene, shown: Shown): readonly string[] {
  const element = elementOf(scene, shown);
  return element === null ? [] : [element.script, `${scene.base}/${elementName(element)}`];
}

/** Says that nobody pays here, and the time of a test mode whose clock was turned. */
function testMode({ view, language, now, isTurned }: Scene): string {
  const text = language.say("test_mode");
  if (!isTurned) return text;
  const style = { locale: language.locale, timezone: view.store.timezone };
  return `${text} · ${formatTime(now, style)}`;
}

const summaryKind = (shown: Shown): SummaryKind => {
  if (shown.kind !== "end") return shown.kind;
  return shown.name === "paid" || shown.name === "refunded" ? "paid" : "unpaid";
};

/** Writes the title. The state comes first, because a screen reader begins with the title. */
function titleOf({ view, language }: Scene, shown: Shown): string {
  const store = view.store.name;
  if (shown.kind === "form") return language.say("pay_store", { store });

  const waiting = elementOf({ view }, shown) ? "element_title" : null;
  const title =
    shown.kind === "waiting" ? (waiting ?? waitingTitles[shown.state]) : endTitle(shown.name);
  return `${language.say(title)} · ${store}`;
}

function content(scene: Scene, shown: Shown): Html {
  switch (shown.kind) {
    case "form":
      return renderForm(scene, shown.state);
    case "waiting":
      return renderWaiting(scene, shown.state, shown.notice);
    default:
      return renderEnd(scene, shown);
  }
}

function footer(scene: Scene): Html | null {
  const { view, language } = scene;
  const { support_email, support_url, terms_url, privacy_url } = view.store;
  const help = webLink(support_url) ?? mailLink(support_email);
  const link = (address: string | null, label: TextName): readonly Html[] =>
    address === null ? [] : [html`<li><a href="${address}">${language.say(label)}</a></li>`];

  const links = [
    ...link(help, "support"),
    ...link(webLink(terms_url), "terms"),
    ...link(webLink(privacy_url), "privacy"),
  ];
  const list = links.length === 0 ? [] : [html`<ul>${links}</ul>`];
  const parts = [...imprint(scene), ...list];
  return parts.length === 0 ? null : html`<footer><div class="inner">${parts}</div></footer>`;
}

/** Says who sells, and who takes the payment. */
function imprint({ view, language, seller }: Scene): readonly Html[] {
  const { legal_name, tax_id, address } = seller ?? {};
  const sold = legal_name ? language.say("sold_by", { name: legal_name }) : null;
  const facts = [sold, tax_id, address?.split("\n").join(", ")].filter((fact) => fact);
  const providers = new Intl.ListFormat(language.locale).format(view.providers);
  const paid = providers === "" ? [] : [language.say("paid_by", { name: providers })];
  const lines = [...(facts.length > 0 ? [facts.join(" · ")] : []), ...paid];
  return lines.map((line) => html`<p class="soft">${line}</p>`);
}
