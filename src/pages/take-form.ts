import { type ApiError, isApiError } from "../contract/errors.ts";
import type { WireReply } from "../http/wire.ts";
import type { CheckoutView, SubmitResult } from "../payments/checkout/checkout-service.ts";
import { changeCoupon } from "./coupon.ts";
import { hasPayment, isWaiting, stateOf } from "./page-state.ts";
import {
  type BuyerFaults,
  type BuyerForm,
  faultsOf,
  fieldOf,
  readBuyerForm,
} from "./parts/buyer-form.ts";
import { noCoupon, type TypedCoupon } from "./parts/coupon-field.ts";
import { consentText } from "./parts/renewal.ts";
import { shownOf } from "./render-page.ts";
import { seeOther } from "./replies.ts";
import type { TextName } from "./texts/text-names.ts";
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
    case "coupon":
      return takeCoupon(visit, view, fields);
    case "coupon_remove":
      return removeCoupon(visit, view, fields);
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
      input: ctx.hasSandbox && !view.livemode ? { outcome: form.outcome } : {},
      idempotency_key: fields.get("attempt") || null,
      consent: view.recurring && consentText(await sceneOf(visit, view), form.payment_method_id),
      session_version: Number.parseInt(fields.get("version") ?? "", 10) || null,
      ip: visit.request.ip?.slice(0, 100) || null,
    });
    return await afterSubmit(visit, result, form);
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
  if (code === "") return changedForm(visit, { form });
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
  if (!(await sceneOf(visit, view)).takesCoupon) return seeOther(pathOf(visit));
  try {
    const result = await changeCoupon(visit, view, code);
    if (result.outcome === "closed") return seeOther(pathOf(visit));
    if (result.outcome === "refused") {
      const coupon = { code: code ?? "", fault: result.fault };
      return showForm(visit, view, { form, coupon });
    }
    const notice = code === null ? "coupon_removed" : "coupon_applied";
    return await changedForm(visit, { form, notice });
  } catch (error) {
    return refuse(visit, error, form);
  }
}

/** Shows the form of the session as it is now, with all that was typed. */
async function changedForm(
  visit: Visit,
  { form, notice }: Pick<FormReply, "form" | "notice">,
): Promise<WireReply> {
  const view = await visit.ctx.checkout.view(visit.token);
  const reply = await showForm(visit, view, notice === undefined ? { form } : { form, notice });
  return reply.status === 422 ? { ...reply, status: 200 } : reply;
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
      return soldOut(visit, view);
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
/** Says which products are sold out, as far as the catalog counts them. */
async function soldOut(visit: Visit, view: CheckoutView): Promise<WireReply> {
  const scene = await sceneOf(visit, view);
  return pageReply(
    scene,
    { kind: "end", name: "sold_out", goods: await goneGoods(visit, view) },
    409,
  );
}

/** Names the products of which fewer are left than the session has. */
async function goneGoods(
  { ctx }: Visit,
  { store, livemode, session }: CheckoutView,
): Promise<readonly string[]> {
  const wanted = new Map<string, { readonly name: string; readonly quantity: number }>();
  for (const { product_id, name, quantity } of session.line_items)
    wanted.set(product_id, { name, quantity: quantity + (wanted.get(product_id)?.quantity ?? 0) });

  try {
    const partition = { store_id: store.id, livemode };
    const { products } = await ctx.http.catalog.loadCart(partition, [...wanted.keys()], null);
    const left = new Map(products.map(({ id, on_hand }) => [id, on_hand]));
    return [...wanted].flatMap(([id, { name, quantity }]) =>
      (left.get(id) ?? quantity) < quantity ? [name] : [],
    );
  } catch (error) {
    // The page says without the names that something is sold out.
    ctx.onError(error, "checkout_page");
    return [];
  }
}

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

interface StateReply {
  readonly status?: number;
  readonly notice?: TextName;
}

async function showState(
  visit: Visit,
  view: CheckoutView,
  { status = 200, notice }: StateReply,
): Promise<WireReply> {
  const scene = await sceneOf(visit, view);
  return pageReply(scene, shownOf(scene, stateOf(view, scene.now), notice), status);
}

interface FormReply {
  readonly form: BuyerForm;
  readonly faults?: BuyerFaults;
  readonly notice?: TextName;
  readonly coupon?: TypedCoupon;
}

/**
 * Shows the form again, with all that was typed. A session that is paid, or whose payment runs,
 * shows its page instead, by its own address: nobody is offered to pay twice. A form that was
 * opened to change the payment that runs is shown while it runs.
 */
async function showForm(
  visit: Visit,
  view: CheckoutView,
  { form, faults = {}, notice, coupon }: FormReply,
): Promise<WireReply> {
  const now = stateOf(view, visit.now);
  if (hasPayment(now) && !(isWaiting(now) && form.isChange)) return seeOther(pathOf(visit));

  const scene = await sceneOf(visit, view);
  const state = { form, faults, notice: notice ?? null, coupon: coupon ?? noCoupon };
  return pageReply(scene, { kind: "form", state }, 422);
}
