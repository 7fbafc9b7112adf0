import { timeBox } from "../domain/async/time-box.ts";
import type { WireReply } from "../http/wire.ts";
import type { CheckoutView } from "../payments/checkout/checkout-service.ts";
import { buyerReason } from "../rules/payments/decline-reasons.ts";
import { isFreshlyPaid, isWaiting, stateOf, versionOf } from "./page-state.ts";
import { knownBuyer } from "./parts/buyer-form.ts";
import { noCoupon } from "./parts/coupon-field.ts";
import { shownOf } from "./render-page.ts";
import { jsonReply, seeOther } from "./replies.ts";
import { wasLedHere } from "./same-origin.ts";
import { pageReply, pathOf, sceneOf, type Visit } from "./visit.ts";

/** Decides whether a visit may ask the gateway: reloads must not ask it again and again. */
export type MayAsk = (token: string) => boolean;

/** Answers a GET with the page as the session stands now. */
export async function showPage(
  visit: Visit,
  found: CheckoutView,
  mayAsk: MayAsk,
): Promise<WireReply> {
  const { query } = visit;
  // A provider that has led the buyer away adds what it knows to the address: none of it counts.
  if (query.startsWith("return&")) return seeOther(`${pathOf(visit)}?return`);
  if (query.startsWith("refused=")) return jsonReply({ text: refusalText(visit, found) });
  if (query === "poll") return jsonReply({ version: versionOf(found, stateOf(found, visit.now)) });

  const view = await afterReturn(visit, found, mayAsk);
  const isReturn = query === "return" || wasLedHere(visit.request);
  const leadsOn = isReturn && !visit.ctx.settings.endPage;
  if (leadsOn && isFreshlyPaid(view, visit.now)) return seeOther(view.success_url);

  const scene = await sceneOf(visit, view);
  const state = stateOf(view, visit.now);
  const mayChange = isWaiting(state) && view.session.status === "open";
  if (query === "change" && mayChange && view.payment_methods.length > 0) {
    const form = knownBuyer(view);
    return pageReply(scene, {
      kind: "form",
      state: { form, faults: {}, notice: null, coupon: noCoupon },
    });
  }
  const isAsked = query === "return" && isInElement(view);
  return pageReply(scene, shownOf(scene, state, isAsked ? "not_yet_paid" : null));
}

/** Explains a provider's code of a refusal, as the form does when a payment has failed. */
function refusalText({ query, request, chooseLanguage }: Visit, { store }: CheckoutView): string {
  const code = new URLSearchParams(query).get("refused");
  const reason = buyerReason(code);
  const language = chooseLanguage(request.header("accept-language"), store.locale);
  return language.say(reason === null ? "declined" : `declined_${reason}`);
}

const isInElement = ({ element }: CheckoutView): boolean => element !== null;

/**
 * A buyer waits at most this long for the gateway's answer; one that comes later is
 * written all the same.
 */
const maxQuestionMs = 8_000;

/**
 * Asks the gateway when a buyer may come back from the provider's page: the
 * provider knows more than we do.
 */
async function afterReturn(
  { ctx, token, query, request, now }: Visit,
  view: CheckoutView,
  mayAsk: MayAsk,
): Promise<CheckoutView> {
  const isPaying = query === "return" && isInElement(view);
  const isAway = stateOf(view, now) === "redirect" || isPaying;
  const isVisit = request.method === "GET" && query !== "change";
  if (!isAway || !isVisit || !mayAsk(token)) return view;

  const result = await timeBox(ctx.checkout.resume(token), maxQuestionMs, () => null);
  return result === null ? view : ctx.checkout.view(token);
}
