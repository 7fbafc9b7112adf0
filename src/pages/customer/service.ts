import { isApiError } from "../../contract/errors.ts";
import { isCleanText } from "../../domain/text/plain.ts";
import { inTime } from "../../http/in-time.ts";
import type { Serve, WireReply, WireRequest } from "../../http/wire.ts";
import { splitTarget } from "../../http/wire.ts";
import { renderStore } from "../../rules/catalog/render.ts";
import { answerAsset } from "../parts/assets.ts";
import { readFields } from "../parts/form-fields.ts";
import { seeOther } from "../replies.ts";
import { isSameOrigin } from "../same-origin.ts";
import { createLanguages } from "../texts/language.ts";
import { brandOf } from "../visit.ts";
import { changeSubscription, readHome, readOrder } from "./answers.ts";
import { boughtPath } from "./bought-form.ts";
import type { Asked, CustomerPageContext, Place } from "./context.ts";
import { answerFile } from "./download.ts";
import { answerLink, enterByToken } from "./enter.ts";
import { enterAfterPaying } from "./enter-after-paying.ts";
import { type CustomerScene, type MessageName, messageReply } from "./frame.ts";
import type { CustomerPageOptions } from "./options.ts";
import { answerStyle } from "./style.ts";
import { createCustomerLanguages } from "./texts/language.ts";
import { endSession, findVisitor, isFormToken, isRefusal, type Visitor } from "./visitor.ts";

export function createService(ctx: CustomerPageContext, options: CustomerPageOptions): Serve {
  const chooseLanguage = createCustomerLanguages(options.texts);
  const place: Place = { ctx, options, base: new URL(options.baseUrl).pathname, chooseLanguage };
  const chooseWords = createLanguages(ctx.settings.texts);

  /** Gives null for a store that is not there any more. */
  const sceneOf = async (request: WireRequest, visitor: Visitor): Promise<CustomerScene | null> => {
    const record = await ctx.http.storage.access.findStore(visitor.partition.store_id);
    if (!record) return null;

    const store = renderStore(record);
    const accepted = request.header("accept-language");
    return {
      place,
      visitor,
      store,
      language: chooseLanguage(accepted, store.locale),
      words: chooseWords(accepted, store.locale),
      brand: await brandOf(ctx, store),
    };
  };

  return async (request) => {
    const { path, query } = splitTarget(request.target);
    const below = path.slice(place.base.length);
    const asset = answerAsset(below.slice(1)) ?? answerStyle(below.slice(1));
    if (asset) return asset;

    const language = chooseLanguage(request.header("accept-language"), null);
    const asked = { place, request, below, query, language };
    try {
      return await inTime(answer(asked, sceneOf), ctx.http);
    } catch (error) {
      return answerError(asked, error);
    }
  };
}

type SceneOf = (request: WireRequest, visitor: Visitor) => Promise<CustomerScene | null>;

const say = ({ place, language }: Asked, name: MessageName, back = false): WireReply =>
  messageReply(place, language, { name, back });

async function answer(asked: Asked, sceneOf: SceneOf): Promise<WireReply> {
  const { place, request, below } = asked;
  const isForm = request.method === "POST";
  if (!isForm && request.method !== "GET" && request.method !== "HEAD") {
    const { headers, ...reply } = say(asked, "foreign_form", true);
    return { ...reply, status: 405, headers: { ...headers, allow: "GET, HEAD, POST" } };
  }
  if (isForm && below === "/enter") return enterByToken(asked);
  if (isForm && below === boughtPath) return enterAfterPaying(asked);
  if (isForm && !isSameOrigin(request, place.options.baseUrl))
    return say(asked, "foreign_form", true);
  if (below.startsWith("/link/")) return answerLink(asked, below.slice("/link/".length));

  if (!isForm && below.startsWith("/files/")) {
    const answered = await answerFile(asked, below.slice("/files/".length));
    return typeof answered === "string" ? say(asked, answered, true) : answered;
  }

  const visitor = await findVisitor(request, place);
  const scene = visitor && (await sceneOf(request, visitor));
  if (!scene) return say(asked, "signed_out");
  return isForm ? takeForm(asked, scene) : showPage(asked, scene);
}

async function showPage(asked: Asked, scene: CustomerScene): Promise<WireReply> {
  const { below, query } = asked;
  if (below === "" || below === "/") {
    const after = new URLSearchParams(query).get("after");
    return isCleanText(after ?? "") ? readHome(scene, after) : say(asked, "not_found", true);
  }

  const [, order] = /^\/orders\/([^/]+)$/.exec(below) ?? [];
  return order === undefined ? say(asked, "not_found", true) : readOrder(scene, order);
}

async function takeForm(asked: Asked, scene: CustomerScene): Promise<WireReply> {
  const { place, request, below: path } = asked;
  const token = (await readFields(request)).get("token") ?? "";
  if (!(await isFormToken(place, scene.visitor, { path, token })))
    return say(asked, "foreign_form", true);
  if (path === "/leave") return seeOther(place.base, endSession(place));

  const [, id, action] = /^\/subscriptions\/([^/]+)\/(cancel|keep|pay)$/.exec(path) ?? [];
  return id === undefined || action === undefined
    ? say(asked, "not_found", true)
    : changeSubscription(scene, id, action);
}

/** Tells a buyer what an error means. A session that was revoked is taken back. */
function answerError(asked: Asked, error: unknown): WireReply {
  const { place } = asked;
  const code = isApiError(error) ? error.code : null;
  if (code !== null && isRefusal(code)) {
    const { headers, ...reply } = say(asked, "signed_out");
    return { ...reply, headers: { ...headers, "set-cookie": endSession(place) } };
  }
  if (code === "resource_not_found" || code === "invalid_cursor" || code === "parameter_invalid")
    return say(asked, "not_found", true);
  if (code === "invalid_transition" || code === "subscription_ended")
    return say(asked, "not_possible", true);

  place.ctx.onError(error, "customer_page");
  return say(asked, "unavailable", true);
}
