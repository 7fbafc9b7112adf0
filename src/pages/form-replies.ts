import type { WireReply } from "../http/wire.ts";
import type { CheckoutView } from "../payments/checkout/checkout-service.ts";
import { hasPayment, isWaiting, stateOf } from "./page-state.ts";
import type { BuyerFaults, BuyerForm } from "./parts/buyer-form.ts";
import { noCoupon, type TypedCoupon } from "./parts/coupon-field.ts";
import { shownOf } from "./render-page.ts";
import { seeOther } from "./replies.ts";
import type { TextName } from "./texts/text-names.ts";
import { pageReply, pathOf, sceneOf, type Visit } from "./visit.ts";

interface StateReply {
  readonly status?: number;
  readonly notice?: TextName;
}

export async function showState(
  visit: Visit,
  view: CheckoutView,
  { status = 200, notice }: StateReply,
): Promise<WireReply> {
  const scene = await sceneOf(visit, view);
  return pageReply(scene, shownOf(scene, stateOf(view, scene.now), notice), status);
}

export interface FormReply {
  readonly form: BuyerForm;
  readonly faults?: BuyerFaults;
  readonly notice?: TextName;
  readonly coupon?: TypedCoupon;
}

/**
 * Shows the form again, with all that was typed. When the session is paid, or a payment runs, the
 * buyer is sent to the page of that state, so that nobody pays twice. The exception is a form that
 * was opened to change the running payment.
 */
export async function showForm(
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

/** Shows the form of a session that the buyer has changed, with all that was typed. */
export async function changedForm(
  visit: Visit,
  view: CheckoutView,
  reply: Pick<FormReply, "form" | "notice">,
): Promise<WireReply> {
  const shown = await showForm(visit, view, reply);
  return shown.status === 422 ? { ...shown, status: 200 } : shown;
}
