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
import { setCookie } from "./cookies.ts";
import { readToken } from "./form-token.ts";
import { newSecret, readSecret } from "./secrets.ts";
import { findSession, type Known, signerOfPass, whoIs } from "./who.ts";

export const sessionSeconds = 12 * 3_600;

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
  if (!ref || !link) return messageReply(settings, language, "link_spent");

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

/** Opens a session under a new secret, and ends the one that it replaces. */
async function signIn(
  { request, language, query }: LinkVisit,
  link: DashboardLinkRecord,
  { parts, settings }: Place,
): Promise<WireReply> {
  const { hash: session_hash, text: value } = await newSecret(link.store_id, parts.randomBytes);
  const expires_at = parts.now() + sessionSeconds * 1_000;
  const store = await parts.storeAs(signerOfPass(link), "links.use");
  const ref = { store_id: link.store_id, hash: link.link_hash };
  const spent = await store.spendLink(ref, { session_hash, expires_at }, parts.now());
  if (spent.outcome === "unknown") return messageReply(settings, language, "link_spent");

  const old = await findSession(request, parts, settings);
  // The end of the session that this link comes from would end what it has just opened.
  if (old && !(await isFrom(link, old.session_hash, parts))) {
    const ending = await parts.storeAs(signerOfPass(old), "sessions.end");
    await ending.endSession({ store_id: old.store_id, hash: old.session_hash });
  }

  const next = query.get("next") ?? "";
  const target = isRelativePath(next) ? next : "";
  const cookie = setCookie("session", { value, maxAgeSeconds: sessionSeconds }, settings);
  return seeOther(`${settings.publicPath}${target}` || "/", cookie);
}

/** Says whether a link was made in a session, or in one that a link of it has opened. */
async function isFrom(
  { store_id, made_in }: DashboardLinkRecord,
  session_hash: string,
  { store, now }: DashboardParts,
): Promise<boolean> {
  let hash = made_in;
  while (hash !== null && hash !== session_hash)
    hash = (await store.findSession({ store_id, hash }, now()))?.made_in ?? null;
  return hash !== null;
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
  const warning = own !== null && (await isFrom(link, own, parts)) ? "link_keeps" : "link_replaces";
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
