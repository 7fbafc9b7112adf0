import { type ApiError, isApiError } from "../contract/errors.ts";
import type { WireReply } from "../http/wire.ts";
import type { CheckoutView, SubmitResult } from "../payments/checkout/checkout-service.ts";
import { changeCoupon } from "./changes/coupon.ts";
import { takeWithoutTrial } from "./changes/without-trial.ts";
import { providerSubmission } from "./element/take-provider.ts";
import { changedForm, showForm, showState } from "./form-replies.ts";
import { hasPayment, isWaiting, stateOf } from "./page-state.ts";
import {
  type BuyerForm,
  faultsOf,
  fieldOf,
  knownBuyer,
  readBuyerForm,
} from "./parts/buyer-form.ts";
import { attemptKey, shownVersion } from "./parts/form-fields.ts";
import { consentText } from "./parts/renewal.ts";
import { shownOf } from "./render-page.ts";
import { seeOther } from "./replies.ts";
import { soldOut, takeGoOn } from "./sold-out.ts";
import { pageReply, pathOf, sceneOf, type Visit } from "./visit.ts";

/** Does what a form of the page asks for. */
export function takeForm(
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<WireReply> {
  switch (fields.get("action")) {
    case "pay":
      return pay(visit, view, fields);
    case "provider":
      return payAtProvider(visit, view, fields);
    case "coupon":
      return takeCoupon(visit, view, fields);
    case "coupon_remove":
      return removeCoupon(visit, view, fields);
    case "go_on":
      return takeGoOn(visit, view, fields);
    case "without_trial":
      return withoutTrial(visit, view, fields);
    case "check":
      return checkPayment(visit, view);
    case "restart":
      return giveUp(visit, pathOf(visit));
    case "cancel":
      return giveUp(visit, view.cancel_url);
    default:
      return Promise.resolve(seeOther(pathOf(visit)));
  }
}

async function pay(visit: Visit, view: CheckoutView, fields: URLSearchParams): Promise<WireReply> {
  const { ctx, token } = visit;
  const state = stateOf(view, visit.now);
  if (state === "expired" || state === "no_methods" || state === "refunded")
    return showState(visit, view, { status: 409 });

  // A coupon that was typed and not applied would be lost: the buyer sees the new total first.
  if (typedCoupon(fields) !== "" && (await sceneOf(visit, view)).takesCoupon)
    return takeCoupon(visit, view, fields);

  const form = readBuyerForm(fields);
  const faults = faultsOf(view, form);
  if (Object.keys(faults).length > 0) return showForm(visit, view, { form, faults });

  try {
    const result = await ctx.checkout.submit(token, {
      payment_method_id: form.payment_method_id || null,
      customer: { name: form.name, email: form.email, tax_id: form.tax_id || null },
      on_page: fields.get("on_page") === "1",
      input: ctx.hasSandbox && !view.livemode ? { outcome: form.outcome } : {},
      idempotency_key: attemptKey(fields),
      consent: view.recurring && consentText(await sceneOf(visit, view), form.payment_method_id),
      session_version: shownVersion(fields),
      ip: visit.request.ip?.slice(0, 100) || null,
    });
    return await afterSubmit(visit, result, form);
  } catch (error) {
    return refuse(visit, error, form);
  }
}

/** Leads on to the provider's page, instead of the provider's form on this one. */
async function payAtProvider(
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<WireReply> {
  const submission = await providerSubmission(visit, view, fields);
  if (submission === null) {
    // An earlier click has begun it.
    const { next_action } = view;
    return seeOther(next_action?.type === "redirect" ? next_action.url : pathOf(visit));
  }

  const form = { ...knownBuyer(view), payment_method_id: submission.payment_method_id ?? "" };
  try {
    const result = await visit.ctx.checkout.submit(visit.token, submission);
    if (result.next_action?.type !== "client_secret") return await afterSubmit(visit, result, form);

    // The payment in the form could not be canceled for this one.
    const now = await visit.ctx.checkout.view(visit.token);
    return await showState(visit, now, { status: 409, notice: "not_canceled" });
  } catch (error) {
    return refuse(visit, error, form);
  }
}

const typedCoupon = (fields: URLSearchParams): string => fields.get("coupon")?.trim() ?? "";

/** Applies the coupon, and shows the form again with the new total or the reason against it. */
async function takeCoupon(
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<WireReply> {
  const code = typedCoupon(fields).slice(0, 100);
  const form = readBuyerForm(fields);
  if (code === "") return changedForm(visit, await visit.ctx.checkout.view(visit.token), { form });
  return applyCoupon(visit, view, { form, code });
}

const removeCoupon = (
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<WireReply> => applyCoupon(visit, view, { form: readBuyerForm(fields), code: null });

async function applyCoupon(
  visit: Visit,
  view: CheckoutView,
  { form, code }: { readonly form: BuyerForm; readonly code: string | null },
): Promise<WireReply> {
  const { ctx, token } = visit;
  if (!(await sceneOf(visit, view)).takesCoupon) return seeOther(pathOf(visit));
  try {
    const result = await changeCoupon(visit, view, code);
    if (result.outcome === "closed") return seeOther(pathOf(visit));
    if (result.outcome === "refused") {
      const coupon = { code: code ?? "", fault: result.fault };
      return showForm(visit, view, { form, coupon });
    }
    const notice = code === null ? "coupon_removed" : "coupon_applied";
    return await changedForm(visit, await ctx.checkout.view(token), { form, notice });
  } catch (error) {
    return refuse(visit, error, form);
  }
}

async function withoutTrial(
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<WireReply> {
  try {
    return await takeWithoutTrial(visit, view, fields);
  } catch (error) {
    return refuse(visit, error, readBuyerForm(fields));
  }
}

async function afterSubmit(
  visit: Visit,
  { status, redirect_url, order }: SubmitResult,
  form: BuyerForm,
): Promise<WireReply> {
  const stays = status === "paid" && visit.ctx.settings.endPage;
  if (redirect_url !== null) return seeOther(stays ? pathOf(visit) : redirect_url);

  const view = await visit.ctx.checkout.view(visit.token);
  if (status === "failed") {
    const scene = await sceneOf(visit, view);
    const shown = shownOf(scene, stateOf(view, scene.now));
    if (shown.kind !== "form") return seeOther(pathOf(visit));

    // The page shows again what was typed, because the tax id is stored nowhere.
    return pageReply(scene, { ...shown, state: { ...shown.state, form } });
  }

  // The payment that was begun before could not be canceled for this one.
  const chosen = view.payment_methods.find(({ id }) => id === form.payment_method_id);
  if (chosen && order.payment_method && order.payment_method.type !== chosen.type)
    return showState(visit, view, { status: 409, notice: "not_canceled" });
  return seeOther(pathOf(visit));
}

/** Says why no payment was begun. An error that the page has no words for is thrown on. */
async function refuse(visit: Visit, error: unknown, form: BuyerForm): Promise<WireReply> {
  if (!isApiError(error)) throw error;

  const view = await visit.ctx.checkout.view(visit.token);
  switch (error.code) {
    case "insufficient_stock":
      return soldOut(visit, view, form);
    case "coupon_invalid":
      if ((await sceneOf(visit, view)).takesCoupon)
        return showForm(visit, view, { form, notice: "coupon_title" });
      return pageReply(await sceneOf(visit, view), { kind: "end", name: "coupon" }, 409);
    case "session_expired":
    case "session_not_open":
      if (hasPayment(stateOf(view, visit.now))) return seeOther(pathOf(visit));
      return showState(visit, view, { status: 409 });
    case "session_changed":
      return showForm(visit, view, { form, notice: "cart_changed" });
    case "trial_used":
      return showForm(visit, view, { form, notice: "trial_used" });
    case "too_many_attempts":
      return pageReply(await sceneOf(visit, view), { kind: "end", name: "too_many" }, 409);
    case "rate_limit_exceeded":
      return tooFast(await showForm(visit, view, { form, notice: "too_fast" }), error);
    case "gateway_error":
      return showForm(visit, view, { form, notice: "not_started" });
  }

  // The other errors are about one field, e.g. a method whose provider refuses the amount.
  const field = fieldOf(error.param);
  if (field === null) throw error;
  const fault = field === "payment_method_id" ? "method_gone" : "value_invalid";
  return showForm(visit, view, { form, faults: { [field]: fault } });
}

const tooFast = (reply: WireReply, { details }: ApiError): WireReply => ({
  ...reply,
  status: 429,
  headers: { ...reply.headers, "retry-after": String(details.retry_after ?? 1) },
});

/** Asks the gateway for the result, because the buyer says that they have paid. */
async function checkPayment(visit: Visit, view: CheckoutView): Promise<WireReply> {
  const { ctx, token } = visit;
  if (view.order === null) return seeOther(pathOf(visit));

  const { status, redirect_url } = await ctx.checkout.resume(token);
  const ended = status === "paid" || status === "failed";
  if (status === "paid" && redirect_url !== null && !ctx.settings.endPage)
    return seeOther(redirect_url);
  if (ended) return seeOther(pathOf(visit));
  return showState(visit, await ctx.checkout.view(token), { notice: "not_yet_paid" });
}

/** Ends the payment that runs, and leads on once it is over. */
async function giveUp(visit: Visit, target: string): Promise<WireReply> {
  const view = await visit.ctx.checkout.cancel(visit.token);
  const state = stateOf(view, visit.now);
  if (isWaiting(state)) return showState(visit, view, { status: 409, notice: "not_canceled" });

  // The payment has succeeded in the meantime: the page says so.
  if (state === "paid" || state === "refunded") return seeOther(pathOf(visit));
  return seeOther(target);
}
