import { isApiError } from "../contract/errors.ts";
import { inTime } from "../http/in-time.ts";
import type { WireReply, WireRequest } from "../http/wire.ts";
import { answerElement } from "./element/declared.ts";
import { answerAsset } from "./parts/assets.ts";
import { renderMessage } from "./parts/document.ts";
import { readFields } from "./parts/form-fields.ts";
import { htmlReply } from "./replies.ts";
import { isSameOrigin } from "./same-origin.ts";
import { type MayAsk, showPage } from "./show-page.ts";
import { takeForm } from "./take-form.ts";
import { createLanguages, type Language } from "./texts/language.ts";
import type { TextName } from "./texts/text-names.ts";
import { filesOf, type PageContext, pathOf, type Visit } from "./visit.ts";

/** A request for one name below the path of the page. */
export interface PageRequest {
  readonly request: WireRequest;
  /** The page and its files are below this path, which has no slash at its end. */
  readonly base: string;
  /** A token, or the name of one of the page's own files. */
  readonly name: string;
  readonly query: string;
  /** Whether live sessions are answered too. */
  readonly live: boolean;
}

export interface PageService {
  answer(request: PageRequest): Promise<WireReply>;
  /** Says that there is no such checkout. */
  notFound(request: WireRequest, base: string): WireReply;
}

export function createPageService(ctx: PageContext): PageService {
  const chooseLanguage = createLanguages(ctx.settings.texts);
  const mayAsk = createQuestionLimit(ctx);
  const languageOf = (request: WireRequest): Language =>
    chooseLanguage(request.header("accept-language"), null);

  const notFound = (request: WireRequest, base: string): WireReply =>
    message({ status: 404, language: languageOf(request), base, text: "not_found", path: null });

  return {
    notFound,

    async answer(page) {
      const { request, base, name, query, live } = page;
      const asset = answerAsset(name) ?? answerElement(ctx.gateways, name);
      if (asset) return asset;

      const visit = { ctx, chooseLanguage, request, base, token: name, query };
      try {
        const answered = await inTime(answerVisit(visit, { live, mayAsk }), ctx.http);
        return answered ?? notFound(request, base);
      } catch (error) {
        if (isApiError(error) && error.code === "resource_not_found")
          return notFound(request, base);
        ctx.onError(error, "checkout_page");
        const path = pathOf(visit);
        const language = languageOf(request);
        return message({ status: 503, language, base, text: "unavailable", path });
      }
    },
  };
}

interface VisitRules {
  readonly live: boolean;
  readonly mayAsk: MayAsk;
}

/** Answers a visit. Gives null when there is no such page here. */
async function answerVisit(
  untimed: Omit<Visit, "now" | "isTurned">,
  { live, mayAsk }: VisitRules,
): Promise<WireReply | null> {
  const { ctx, request, base, token, chooseLanguage } = untimed;
  const view = await ctx.checkout.view(token);
  if (view.livemode && !live) return null;

  const partition = { store_id: view.store.id, livemode: view.livemode };
  const { now, offset } = await ctx.clock.of(partition);
  const visit: Visit = { ...untimed, now, isTurned: offset > 0 };
  const { method } = request;
  if (method === "GET" || method === "HEAD") return showPage(visit, view, mayAsk);

  const language = chooseLanguage(request.header("accept-language"), view.store.locale);
  const path = pathOf(visit);
  const refusal = { language, base, text: "foreign_form", path } as const;
  if (method !== "POST") {
    const { headers, ...reply } = message({ ...refusal, status: 405 });
    return { ...reply, headers: { ...headers, allow: "GET, HEAD, POST" } };
  }
  if (!isSameOrigin(request, view.session.checkout_url))
    return message({ ...refusal, status: 403 });
  return takeForm(visit, view, await readFields(request));
}

interface Message {
  readonly status: number;
  readonly language: Language;
  readonly base: string;
  readonly text: "not_found" | "unavailable" | "foreign_form";
  /** The path of the checkout to go back to. Null means that there is none. */
  readonly path: string | null;
}

function message({ status, language, base, text, path }: Message): WireReply {
  const title: TextName = `${text}_title`;
  const next: TextName = `${text}_next`;
  const page = renderMessage({
    language,
    files: filesOf(base, null),
    title: language.say(title),
    next: language.say(next),
    link: path === null ? null : { address: path, label: language.say("try_again") },
  });
  return htmlReply({ status, lang: language.lang, view: null }, page);
}

const askAgainMs = 3_000;
const maxRemembered = 10_000;

/** Lets a session's visits ask its gateway once in three seconds. */
function createQuestionLimit({ now }: PageContext): MayAsk {
  const asked = new Map<string, number>();

  return (token) => {
    const time = now();
    const last = asked.get(token);
    // A clock that was set back must not forbid the question.
    if (last !== undefined && last <= time && time - last < askAgainMs) return false;

    asked.delete(token);
    asked.set(token, time);
    const [oldest] = asked.keys();
    if (asked.size > maxRemembered && oldest !== undefined) asked.delete(oldest);
    return true;
  };
}
