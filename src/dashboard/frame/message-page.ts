import { type Html, html } from "../../contract/html.ts";
import type { WireReply } from "../../http/wire.ts";
import type { Language } from "../language.ts";
import type { DashboardSettings } from "../options.ts";
import { pageReply } from "../replies.ts";
import { assetAddresses } from "../style/assets.ts";
import { renderDocument } from "./document.ts";

/** Says what a page without a screen says, and with which status it is answered. */
const messages = {
  signed_out: 401,
  signed_out_links: 401,
  forbidden: 403,
  foreign_form: 403,
  foreign_download: 403,
  form_expired: 403,
  not_found: 404,
  gone: 404,
  method_not_allowed: 405,
  form_repeated: 409,
  link_spent: 410,
  link_not_needed: 409,
  too_large: 413,
  unreadable: 400,
  too_many: 429,
  failed: 500,
  unavailable: 503,
} as const;

export type Message = keyof typeof messages;

/**
 * Says what happened and what to do next; it shows nothing of any store. `typed` is what was typed
 * into a form that was refused.
 */
export function messageReply(
  settings: DashboardSettings,
  language: Language,
  message: Message,
  typed: Html | null = null,
): WireReply {
  const { say, lang } = language;
  const body = html`<p>${say(`${message}_next`)}</p>
${typed}
<p><a class="button" href="${settings.publicPath || "/"}">${say("to_dashboard")}</a></p>`;

  const page = renderPlain(settings, language, { title: say(`${message}_title`), body });
  const reply = pageReply(settings, { status: messages[message], lang }, page);
  return message === "method_not_allowed"
    ? { ...reply, headers: { ...reply.headers, allow: "GET, HEAD, POST" } }
    : reply;
}

/** Renders a page without the menu. */
export const renderPlain = (
  settings: DashboardSettings,
  language: Language,
  { title, body }: { readonly title: string; readonly body: Html },
): string =>
  renderDocument({
    title: `${title} · ${language.say("dashboard")}`,
    lang: language.lang,
    files: assetAddresses(settings),
    body: html`<body class="plain"><main><h1>${title}</h1>${body}</main></body>`,
  });
