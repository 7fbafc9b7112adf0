import { type Html, html } from "../../contract/html.ts";
import { minuteMs } from "../../domain/durations.ts";
import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import { erasedCustomerId } from "../../rules/owner/erased-customer.ts";
import type { Scene } from "../scene.ts";

/** The path below the customer page's own to which the form is sent. */
export const boughtPath = "/bought";

/** The address of a checkout may be shared or stay in a history, so the way is open this long. */
export const boughtOpenMs = 30 * minuteMs;

/** Gives the order that leads to the customer page now. Null means that none does. */
export function justPaidOrder({ order }: CheckoutView, now: number) {
  if (order?.status !== "paid" || order.paid_at === null) return null;
  if (order.customer.id === erasedCustomerId) return null;
  const paid_at = Date.parse(order.paid_at);
  return now - paid_at < boughtOpenMs ? { ...order, paid_at: order.paid_at } : null;
}

/** Renders the button that leads a buyer who has just paid to the order at the customer page. */
export function boughtForm({ customerPageUrl, view, now, language, token }: Scene): Html | null {
  if (customerPageUrl === null || justPaidOrder(view, now) === null) return null;

  return html`<form class="screen" method="post" action="${customerPageUrl}${boughtPath}">
<input type="hidden" name="checkout" value="${token}">
<button class="button plain">${language.say("see_order")}</button></form>`;
}
