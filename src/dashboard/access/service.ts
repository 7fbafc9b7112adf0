import { isApiError } from "../../contract/errors.ts";
import { exportReply } from "../../http/replies/export-reply.ts";
import type { Serve, WireReply, WireRequest } from "../../http/wire.ts";
import { splitTarget } from "../../http/wire.ts";
import { answerDownload } from "../answer-download.ts";
import { maxFormBytes, readForm, type SentForm } from "../forms/form-fields.ts";
import { takeForm } from "../forms/take-form.ts";
import { typedText } from "../forms/typed-text.ts";
import { isOffered } from "../frame/menu.ts";
import { type Message, messageReply } from "../frame/message-page.ts";
import { renderPage, withParts } from "../frame/page.ts";
import type { DashboardParts } from "../frame/parts.ts";
import { chooseLanguage, type Language } from "../language.ts";
import type { DashboardSettings } from "../options.ts";
import { answerSignIn, signInPage } from "../passkeys/sign-in-page.ts";
import { downloadReply, pageReply, seeOther } from "../replies.ts";
import { matchScreen, type Place, placeOf } from "../router.ts";
import type { FormResult, Screen, ScreenForm, StoreVisit, View, Visit } from "../screen.ts";
import { globalScreens, storePlaces } from "../screens.ts";
import { answerAsset } from "../style/assets.ts";
import { may, reaches } from "./access.ts";
import { type Browser, browserOf, isSameOrigin } from "./browser.ts";
import { sealMessage } from "./form-token.ts";
import { answerLink } from "./link-page.ts";
import { type Known, whoIs } from "./who.ts";

/** One request below the dashboard's path. */
interface Arrival {
  readonly request: WireRequest;
  readonly place: Place;
  readonly query: URLSearchParams;
  /** The browser sees this path. */
  readonly path: string;
  readonly language: Language;
  readonly browser: Browser;
}

/** Answers the dashboard's requests. Gives null for a path that is not below it. */
export function createService(parts: DashboardParts, settings: DashboardSettings): Serve {
  return async (request) => {
    const { path, query } = splitTarget(request.target);
    const place = placeOf(path, settings.path);
    if (place === null) return null;

    const language = chooseLanguage(request.header("accept-language"), null);
    const refuse = (message: Message): WireReply => messageReply(settings, language, message);
    if (place === "unreadable") return refuse("not_found");
    if (place.kind === "asset")
      return answerAsset(place.name, settings.brandColor) ?? refuse("not_found");

    const isPost = request.method === "POST";
    if (!isPost && request.method !== "GET" && request.method !== "HEAD")
      return refuse("method_not_allowed");
    if (isPost && !isSameOrigin(request, settings)) return refuse("foreign_form");

    const arrival: Arrival = {
      request,
      place,
      query: new URLSearchParams(query),
      path: settings.publicPath + path.slice(settings.path.length).replace(/\/$/, ""),
      language,
      browser: browserOf(request, parts, settings),
    };
    try {
      return await answer(arrival, parts, settings);
    } catch (error) {
      return refuse(messageOf(error, parts));
    }
  };
}

/** Gives what a page says of an error. Only what nobody foresaw is reported. */
function messageOf(error: unknown, { onError }: DashboardParts, isForm = false): Message {
  const code = isApiError(error) ? error.code : null;
  // The forms say what is wrong with them. The other errors come from an address or
  // a hidden field that nobody got from a page.
  const isOfInput = isApiError(error) && error.param !== null && code !== "invalid_option";
  if (code === "resource_not_found") return isForm ? "gone" : "not_found";
  if (isOfInput) return "not_found";

  onError(error, "dashboard");
  return code === "service_unavailable" ? "unavailable" : "failed";
}

async function answer(
  arrival: Arrival,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<WireReply> {
  const { place, request, language } = arrival;
  const refuse = (message: Message): WireReply => messageReply(settings, language, message);
  const { links, people, rpId } = settings;
  if (place.kind === "link")
    return links || people
      ? answerLink({ ...arrival, token: place.token }, parts, settings)
      : refuse("not_found");
  const takesPasskeys = people && rpId !== null;
  if (place.kind === "sign_in" && takesPasskeys) return answerSignIn(arrival, parts, settings);

  const known = await whoIs(request, parts, settings);
  if (!known && takesPasskeys && request.method !== "POST")
    return askForPasskey(arrival, parts, settings);
  if (!known) {
    const message = links || people ? "signed_out_links" : "signed_out";
    // A session may end while someone types. A large file is not read from a sender nobody knows.
    const reading = request.method === "POST" ? readForm(request, maxFormBytes) : null;
    const sent = await reading?.catch(() => null);
    const typed = sent && typeof sent === "object" ? typedText(language, sent.fields) : null;
    return messageReply(settings, language, message, typed);
  }
  if (place.kind === "asset" || place.kind === "sign_in") return refuse("not_found");
  if (place.kind === "global") return answerGlobal(arrival, known, parts, settings);

  // A store out of reach is not looked up, so that nothing tells whether it exists.
  const isServed = parts.modes[place.livemode ? "live" : "test"];
  if (!isServed || !reaches(known.access, place.store_id)) return refuse("not_found");
  const store = await parts.owner.stores.retrieve(place.store_id);
  const matched = matchScreen(storePlaces, place.segments);
  if (!matched) return refuse("not_found");

  const spoken = chooseLanguage(request.header("accept-language"), store.locale);
  const visit = await visitOf({ ...arrival, language: spoken }, known, matched.params, {
    parts,
    settings,
  });
  const here: StoreVisit = { ...visit, store, livemode: place.livemode };
  const { screen } = matched;
  return "open" in screen
    ? answerDownload(here, screen, parts)
    : visitScreen(here, screen, arrival.browser);
}

/** Asks for a passkey, which leads back to the page. */
function askForPasskey(
  { path, ...arrival }: Arrival,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<WireReply> {
  const query = new URLSearchParams({ next: path.slice(settings.publicPath.length) });
  return signInPage({ ...arrival, query }, parts, settings, { status: 401 });
}

async function answerGlobal(
  arrival: Arrival,
  known: Known,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<WireReply> {
  const { place, language, request } = arrival;
  const segments = place.kind === "global" ? place.segments : [];
  const { stores } = known.access;
  const [only] = stores;
  if (segments.length === 0 && stores !== "all" && stores.length === 1 && only !== undefined) {
    const mode = parts.modes.live ? "live" : "test";
    if (request.method !== "POST")
      return seeOther(`${settings.publicPath}/${encodeURIComponent(only)}/${mode}`);
  }

  const matched = matchScreen(globalScreens, segments);
  if (!matched) return messageReply(settings, language, "not_found");
  const visit = await visitOf(arrival, known, matched.params, { parts, settings });
  return visitScreen(visit, matched.screen, arrival.browser);
}

const visitOf = async (
  { request, query, path, language, browser }: Arrival,
  { access, signer, session, person, maker }: Known,
  params: Visit["params"],
  { parts, settings }: Pick<Visit, "parts" | "settings">,
): Promise<Visit> => {
  const token = await browser.tokenFor(access.actor, path);
  // The screens write under this name.
  const { owner, orders, subscriptions } = parts.as(signer);
  const own = { ...parts, owner, orders, subscriptions };
  const files: ReadonlyMap<string, File> = new Map();
  return {
    parts: own,
    settings,
    request,
    language,
    access,
    signer,
    session,
    person,
    maker,
    cookie: browser.cookie,
    params,
    query,
    path,
    token,
    seal: (text) => browser.seal(text, access.actor, path),
    files,
  };
};

async function visitScreen<V extends Visit>(
  visit: V,
  screen: Screen<V>,
  browser: Browser,
): Promise<WireReply> {
  const { request, settings, language, access } = visit;
  const refuse = (message: Message): WireReply => messageReply(settings, language, message);
  if (!isOffered(screen.section, settings)) return refuse("not_found");
  if (!may(access, screen.action)) return refuse("forbidden");
  if (request.method !== "POST")
    return showView(visit, { view: await screen.show(visit), status: 200, screen, browser });

  const sent = await readForm(request, screen.mostFileBytes?.(settings.uploads) ?? 0);
  if (typeof sent === "string") return refuse(sent);
  try {
    return await visitForm(visit, sent, { screen, browser });
  } catch (error) {
    const typed = typedText(language, sent.fields);
    return messageReply(settings, language, messageOf(error, visit.parts, typed !== null), typed);
  }
}

interface ScreenPlace<V extends Visit> {
  readonly screen: Screen<V>;
  readonly browser: Browser;
}

async function visitForm<V extends Visit>(
  visit: V,
  { fields, files }: SentForm,
  { screen, browser }: ScreenPlace<V>,
): Promise<WireReply> {
  const { settings, language, access } = visit;
  const refuse = (message: Message): WireReply =>
    messageReply(settings, language, message, typedText(language, fields));
  const name = fields.get("do") ?? "";
  const forms: Readonly<Record<string, ScreenForm<V>>> = screen.forms ?? {};
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (!form) return refuse("not_found");
  if (!may(access, form.action)) return refuse("forbidden");

  const { isQuestion = false } = form;
  const taken = await takeForm(visit, fields, { cookie: browser.cookie, isQuestion });
  if (taken === "form_repeated") return refuse(taken);
  if (taken === "form_expired") {
    const view = await (form.again ? form.again(visit, fields) : screen.show(visit));
    const alert = language.say("form_expired_again");
    return showView(visit, { view: { ...view, alert }, status: 403, screen, browser });
  }
  return afterForm(visit, await form.send({ ...visit, files }, fields), { screen, browser });
}

async function afterForm<V extends Visit>(
  visit: V,
  result: FormResult,
  place: ScreenPlace<V>,
): Promise<WireReply> {
  if (result.kind === "view") return showView(visit, { ...result, ...place });
  if (result.kind === "file")
    return downloadReply(
      exportReply(result.file, (error) => visit.parts.onError(error, "dashboard")),
    );
  const { address, message, cookie = null } = result;
  if (message === null) return seeOther(address, cookie);

  const [path = ""] = address.split("?", 1);
  const scope = { cookie: place.browser.cookie, actor: visit.access.actor, path };
  const seal = await sealMessage(visit.parts.keyRing, message, scope);
  const mark = address.includes("?") ? "&" : "?";
  return seeOther(`${address}${mark}done=${message}.${seal}`, cookie);
}

interface Shown<V extends Visit> extends ScreenPlace<V> {
  readonly view: View;
  readonly status: number;
}

async function showView<V extends Visit>(
  visit: V,
  { view, status, screen, browser }: Shown<V>,
): Promise<WireReply> {
  const { settings, language } = visit;
  const page = await renderPage(visit, view, { section: screen.section, cookie: browser.cookie });
  const body = view.parts ? withParts(page, view.parts) : page;
  return pageReply(settings, { status, lang: language.lang, cookie: browser.setCookie }, body);
}
