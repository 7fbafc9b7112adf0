import { type Html, html } from "../../contract/html.ts";
import type { Store } from "../../contract/schemas.ts";
import type { WireReply } from "../../http/wire.ts";
import { iconName, scriptName } from "../parts/assets.ts";
import { renderDocument, renderMessage } from "../parts/document.ts";
import { mailLink, webLink } from "../parts/links.ts";
import { htmlReply } from "../replies.ts";
import type { PageFiles } from "../scene.ts";
import { formatAmount, formatDate } from "../texts/format.ts";
import type { Language } from "../texts/language.ts";
import type { Place } from "./context.ts";
import { customerStyleName } from "./style.ts";
import type { CustomerLanguage } from "./texts/language.ts";
import type { CustomerTextName } from "./texts/text-names.ts";
import { formToken, type Visitor } from "./visitor.ts";

/** What every part of a buyer's page is rendered from. */
export interface CustomerScene {
  readonly place: Place;
  readonly visitor: Visitor;
  readonly store: Store;
  readonly language: CustomerLanguage;
  /** The words of the checkout page, in which a price for each period is told. */
  readonly words: Language;
  readonly brand: string | null;
}

/** Renders a part of a page where it applies. */
export const when = (applies: boolean, part: Html | readonly Html[]): Html | null =>
  applies ? html`${part}` : null;

export const amountOf = ({ language }: CustomerScene, amount: number, currency: string): string =>
  formatAmount(amount, currency, language.locale);

/** Writes a time of the API as a day of the store's zone. */
export const dayOf = ({ language, store }: CustomerScene, time: string): string =>
  formatDate(Date.parse(time), { locale: language.locale, timezone: store.timezone });

export const filesOf = ({ base }: Place, brand: string | null): PageFiles => ({
  style: `${base}/${customerStyleName(brand)}`,
  script: `${base}/${scriptName}`,
  icon: `${base}/${iconName(brand)}`,
});

interface ButtonForm {
  /** The path below the page's own to which the form is sent. */
  readonly path: string;
  readonly label: string;
  readonly kind?: "primary" | "plain" | "quiet";
}

/** Renders a form that is one button. */
export async function buttonForm(
  { place, visitor }: CustomerScene,
  { path, label, kind = "plain" }: ButtonForm,
): Promise<Html> {
  const token = await formToken(place, visitor, path);
  return html`<form class="screen" method="post" action="${place.base}${path}">
<input type="hidden" name="token" value="${token}">
<button class="button ${kind}">${label}</button></form>`;
}

/** Answers with a page of the buyer's. */
export async function sceneReply(
  scene: CustomerScene,
  { title, body }: { readonly title: string; readonly body: Html },
): Promise<WireReply> {
  const { place, store, language, visitor, brand } = scene;
  const out = { path: "/leave", label: language.say("sign_out"), kind: "quiet" } as const;
  const page = html`<body class="customer">
${
  visitor.partition.livemode
    ? null
    : html`<section class="test-mode" aria-label="${language.say("test_label")}">
${language.say("test_mode")}</section>`
}
<div class="sheet"><header class="top"><p class="store">${store.name}</p>
${visitor.hasSession ? await buttonForm(scene, out) : null}</header>
<main>${body}</main>${footer(scene)}</div></body>`;
  return htmlReply(
    { status: 200, lang: language.lang, view: null, address: place.options.baseUrl },
    renderDocument({ title, language, files: filesOf(place, brand), body: page }),
  );
}

function footer({ store, language }: CustomerScene): Html | null {
  const links: readonly (readonly [CustomerTextName, string | null])[] = [
    ["support", webLink(store.support_url) ?? mailLink(store.support_email)],
    ["terms", webLink(store.terms_url)],
    ["privacy", webLink(store.privacy_url)],
  ];
  const shown = links.filter(([, address]) => address !== null);
  if (shown.length === 0) return null;
  return html`<footer class="screen"><ul>${shown.map(
    ([name, address]) => html`<li><a href="${address}">${language.say(name)}</a></li>`,
  )}</ul></footer>`;
}

/** What a page without a buyer's data can say. */
export type MessageName =
  | "signed_out"
  | "spent"
  | "download_over"
  | "download_limit"
  | "not_found"
  | "foreign_form"
  | "not_possible"
  | "unavailable";

const statuses = {
  signed_out: 401,
  spent: 410,
  download_over: 410,
  download_limit: 403,
  not_found: 404,
  foreign_form: 403,
  not_possible: 409,
  unavailable: 503,
} as const satisfies Record<MessageName, number>;

/** Answers without a buyer's data. `back` leads to the page, where the buyer may go on. */
export function messageReply(
  place: Place,
  language: CustomerLanguage,
  { name, back }: { readonly name: MessageName; readonly back: boolean },
): WireReply {
  const link = back ? { address: place.base, label: language.say("back") } : null;
  const text = renderMessage({
    language,
    files: filesOf(place, null),
    title: language.say(`${name}_title`),
    next: language.say(`${name}_next`),
    link,
  });
  return htmlReply({ status: statuses[name], lang: language.lang, view: null }, text);
}
