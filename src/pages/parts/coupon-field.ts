import { type Html, html, raw } from "../../contract/html.ts";
import { amountText, type Scene } from "../scene.ts";
import type { TextName } from "../texts/text-names.ts";
import { actionButton } from "./elements.ts";

/** A coupon as it was typed, with the reason why it does not apply. */
export interface TypedCoupon {
  readonly code: string;
  readonly fault: { readonly text: TextName; readonly amount?: number } | null;
}

export const noCoupon: TypedCoupon = { code: "", fault: null };

/** Says why the coupon does not apply. Gives null where it does, or where none was typed. */
export function couponFaultText(scene: Scene, { fault }: TypedCoupon): string | null {
  if (fault === null) return null;
  const { text, amount } = fault;
  return scene.language.say(
    text,
    amount === undefined ? {} : { amount: amountText(scene, amount) },
  );
}

/**
 * Sends the form when the buyer presses Enter in one of its fields: browsers take the first
 * button for it, which is else that of the coupon.
 */
export const enterButton = (label: string): Html =>
  html`<button class="enter" name="action" value="pay" tabindex="-1"
aria-hidden="true">${label}</button>`;

/** Renders the field of a coupon, or the coupon that applies and the button that removes it. */
export function couponField(scene: Scene, typed: TypedCoupon): Html {
  const { language, view } = scene;
  const { coupon_code } = view.session;
  if (coupon_code !== null)
    return html`<div class="coupon">
<span>${language.say("discount_code", { code: coupon_code })}</span>
${actionButton(language.say("coupon_remove"), "coupon_remove", "quiet")}</div>`;

  const fault = couponFaultText(scene, typed);
  const marks = raw('aria-invalid="true" aria-describedby="coupon-error" autofocus');
  return html`<div><label for="coupon">${language.say("coupon_label")} <span
class="soft">(${language.say("optional")})</span></label>
<div class="coupon"><input id="coupon" name="coupon" type="text" value="${typed.code}"
maxlength="100" autocomplete="off" autocapitalize="characters" spellcheck="false"
${fault === null ? null : marks}>
${actionButton(language.say("coupon_apply"), "coupon")}</div>
${fault === null ? null : html`<p class="error" id="coupon-error">${fault}</p>`}</div>`;
}
