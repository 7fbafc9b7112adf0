import { html } from "../../contract/html.ts";
import type { WireReply, WireRequest } from "../../http/wire.ts";
import type { DashboardLinkRecord } from "../../rules/owner/dashboard-records.ts";
import { readFields } from "../forms/form-fields.ts";
import { formTag, hidden, primaryButton } from "../frame/elements.ts";
import { messageReply, renderPlain } from "../frame/message-page.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { Language } from "../language.ts";
import { isRelativePath } from "../links.ts";
import type { DashboardSettings } from "../options.ts";
import { pageReply, seeOther } from "../replies.ts";
import type { Browser } from "./browser.ts";
import { readToken } from "./form-token.ts";
import { isFrom, openSession } from "./open-session.ts";
import { readSecret } from "./secrets.ts";
import { isOwnPass, type Known, maySignIn, whoIs } from "./who.ts";

interface LinkVisit {
  readonly request: WireRequest;
  readonly token: string;
  readonly query: URLSearchParams;
  readonly path: string;
  readonly language: Language;
  readonly browser: Browser;
}

/**
 * Shows whom a link signs in, with a button; only the button spends the link, because
 * mail programs open every link that they carry.
 */
export async function answerLink(
  visit: LinkVisit,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<WireReply> {
  const { request, language, token } = visit;
  const ref = await readSecret(token);
  const link = ref && (await parts.store.findLink(ref, parts.now()));
  const isOwn = link !== null && isOwnPass(link);
  const isTaken = isOwn ? settings.people && (await maySignIn(link, parts)) : settings.links;
  if (!link || !isTaken) return messageReply(settings, language, "link_spent");

  const known = await whoIs(request, parts, settings);
  // A session of ours cannot replace the host's own session, by which it knows someone.
  if (known && known.session === null) return messageReply(settings, language, "link_not_needed");
  if (request.method !== "POST") return askFirst(visit, link, known, { parts, settings });

  const fields = (await readFields(request)) ?? new URLSearchParams();
  const scope = { cookie: visit.browser.cookie, actor: "", path: visit.path };
  const given = { token: fields.get("token") ?? "", now: parts.now() };
  if ((await readToken(parts.keyRing, scope, given)) === null)
    return messageReply(settings, language, "form_expired");
  if (known && fields.get("replace") !== known.access.actor)
    return askFirst(visit, link, known, { parts, settings });

  return signIn(visit, link, { parts, settings });
}

interface Place {
  readonly parts: DashboardParts;
  readonly settings: DashboardSettings;
}

async function signIn(
  { request, language, query }: LinkVisit,
  link: DashboardLinkRecord,
  { parts, settings }: Place,
): Promise<WireReply> {
  const cookie = await openSession(request, link, { parts, settings, action: "links.use" });
  if (cookie === null) return messageReply(settings, language, "link_spent");

  // Whoever was invited is first asked to keep a passkey.
  const next = query.get("next") ?? (isOwnPass(link) ? "/passkeys" : "");
  const target = isRelativePath(next) ? next : "";
  return seeOther(`${settings.publicPath}${target}` || "/", cookie);
}

async function askFirst(
  { language, browser, path, query }: LinkVisit,
  link: DashboardLinkRecord,
  known: Known | null,
  { parts, settings }: Place,
): Promise<WireReply> {
  const store = await parts.owner.stores.retrieve(link.store_id);
  const token = await browser.tokenFor("", path);
  const { say } = language;
  const own = known?.session?.hash ?? null;
  const isKept = own !== null && (await isFrom(link, own, parts));
  const ends = known?.person ? "link_replaces_person" : "link_replaces";
  const warning = isKept ? "link_keeps" : ends;
  const address = query.size === 0 ? path : `${path}?${query}`;

  const body = html`<p>${say("link_lead", { actor: link.actor, store: store.name })}</p>
${known && html`<p class="notice warn">${say(warning, { actor: known.access.actor })}</p>`}
${formTag({
  address,
  token,
  once: null,
  body: html`${known && hidden("replace", known.access.actor)}
${primaryButton(say("link_button"))}`,
})}`;
  const page = renderPlain(settings, language, { title: say("link_title"), body });
  const { lang } = language;
  return pageReply(settings, { status: 200, lang, cookie: browser.setCookie }, page);
}
