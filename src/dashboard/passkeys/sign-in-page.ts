import { html } from "../../contract/html.ts";
import { rateLimitIp } from "../../domain/client-ip.ts";
import { minuteMs } from "../../domain/durations.ts";
import type { WireReply, WireRequest } from "../../http/wire.ts";
import type { Browser } from "../access/browser.ts";
import { whoIs } from "../access/who.ts";
import { readFields } from "../forms/form-fields.ts";
import { formTag, notice } from "../frame/elements.ts";
import { messageReply, renderPlain } from "../frame/message-page.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { Language, TextName } from "../language.ts";
import { isRelativePath } from "../links.ts";
import type { DashboardSettings } from "../options.ts";
import { pageReply, seeOther } from "../replies.ts";
import { newChallenge } from "./challenge.ts";
import { passkeyButton, signInOptions } from "./passkey-form.ts";
import { signInByPasskey } from "./sign-in.ts";

interface SignInVisit {
  readonly request: WireRequest;
  readonly query: URLSearchParams;
  readonly language: Language;
  readonly browser: Browser;
}

/** The most sign-ins that are checked in a minute from one address, or from all that have none. */
export const mostTries = { known: 20, unknown: 300 };

/** Shows the page to sign in by a passkey, and signs in. */
export async function answerSignIn(
  visit: SignInVisit,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<WireReply> {
  const { request, query, language, browser } = visit;
  const next = readNext(query.get("next"));
  const home = `${settings.publicPath}${next}` || "/";
  const known = await whoIs(request, parts, settings);
  // Whoever the host itself knows needs no session of ours.
  if (known && (known.session === null || request.method !== "POST")) return seeOther(home);
  if (request.method !== "POST") return signInPage(visit, parts, settings);

  const hit = await parts.hit(bucketOf(request));
  if (!hit.allowed) return messageReply(settings, language, "too_many");

  const fields = await readFields(request);
  const { cookie } = browser;
  const answer = fields?.get("credential") ?? "";
  const session = await signInByPasskey({ request, parts, settings, cookie, answer });
  return session === null
    ? signInPage(visit, parts, settings, { status: 403, alert: "sign_in_refused" })
    : seeOther(home, session);
}

const readNext = (next: string | null): string =>
  next !== null && isRelativePath(next) ? next : "";

const bucketOf = ({ ip }: WireRequest) => ({
  bucket: `dashboard-sign-in:${ip === undefined ? "" : rateLimitIp(ip)}`,
  limit: ip === undefined ? mostTries.unknown : mostTries.known,
  window_ms: minuteMs,
});

/** Asks whoever is not signed in for a passkey. The page shows nothing of any store. */
export async function signInPage(
  { language, browser, query }: SignInVisit,
  parts: DashboardParts,
  settings: DashboardSettings,
  { status = 200, alert }: { readonly status?: number; readonly alert?: TextName } = {},
): Promise<WireReply> {
  const { say, lang } = language;
  const challenge = await newChallenge(parts, { cookie: browser.cookie, person: "" });
  const button = passkeyButton(language, {
    label: "sign_in_passkey",
    options: signInOptions(challenge, settings),
  });
  const next = readNext(query.get("next"));
  const address = `${settings.publicPath}/sign-in${next && `?next=${encodeURIComponent(next)}`}`;
  const fault =
    alert === undefined ? null : notice("bad", html`<span role="alert">${say(alert)}</span>`);
  const body = html`${fault}<p>${say("sign_in_lead")}</p>
${formTag({ address, token: "", once: null, body: button })}
<p class="soft">${say("sign_in_else")}</p>`;
  const page = renderPlain(settings, language, { title: say("sign_in_title"), body });
  return pageReply(settings, { status, lang, cookie: browser.setCookie }, page);
}
