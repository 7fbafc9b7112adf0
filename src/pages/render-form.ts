import { type Html, html, raw } from "../contract/html.ts";
import type { PaymentMethod } from "../contract/schemas.ts";
import { sandboxOutcomes } from "../payments/sandbox/sandbox-outcomes.ts";
import { awaitsPayment } from "../rules/orders/order-states.ts";
import { attemptKey, payLabel } from "./element/render-element.ts";
import { fieldRules } from "./fields/field-rules.ts";
import {
  asksTaxId,
  type BuyerFaults,
  type BuyerForm,
  buyerFields,
  taxIdUse,
  typedFields,
} from "./parts/buyer-form.ts";
import {
  couponFaultText,
  couponField,
  enterButton,
  type TypedCoupon,
} from "./parts/coupon-field.ts";
import { actionButton, flag, note } from "./parts/elements.ts";
import { methodIcons } from "./parts/icons.ts";
import { picture } from "./parts/links.ts";
import { countdown, lastMinutesMs, momentText } from "./parts/moments.ts";
import { asksMethod, consentText } from "./parts/renewal.ts";
import type { Scene } from "./scene.ts";
import type { TextName } from "./texts/text-names.ts";

export interface FormState {
  readonly form: BuyerForm;
  readonly faults: BuyerFaults;
  /** What happened before, e.g. that a payment was declined. */
  readonly notice: TextName | null;
  readonly coupon: TypedCoupon;
}

/** Renders the form by which the buyer pays, for the first time or again. */
export function renderForm(scene: Scene, state: FormState): Html {
  const { view, language, path, now } = scene;
  const { session, order } = view;
  const isDue = asksMethod(view);

  const pay = payLabel(scene);
  const expires_at = Date.parse(session.expires_at);
  // Who has had the trial may also have typed another address than their own.
  const offersLeave = state.notice === "trial_used" && order === null;
  const isSwitch = order !== null && awaitsPayment(order.status);

  return html`${noticeOf(scene, state)}
<form method="post" action="${path}" novalidate data-rules="${rulesText(scene)}"
data-errors="${language.say("errors_title")}">
${scene.takesCoupon ? enterButton(pay) : null}
<input type="hidden" name="attempt" value="${attemptKey(scene)}">
<input type="hidden" name="on_page" data-scripted>
<input type="hidden" name="version" value="${String(session.version)}">
${isSwitch ? html`<input type="hidden" name="change" value="1">` : null}
${details(scene, state)}
${isDue ? methodChoice(scene, state) : null}
${scene.takesCoupon ? couponField(scene, state.coupon) : null}
${scene.sandbox && isDue ? outcomeChoice(scene, state.form) : null}
<div class="actions">
${offersLeave ? actionButton(language.say("trial_leave"), "without_trial", "primary") : null}
${actionButton(pay, "pay", offersLeave ? "plain" : "primary")}
${isSwitch ? note(language.say("switch_note")) : null}
${now < expires_at ? momentText(scene, "open_until", expires_at) : null}
${countdown(scene, expires_at, lastMinutesMs)}
</div>
</form>`;
}

/** Gives the script the rules of the fields with their words. */
function rulesText({ language, view }: Scene): string {
  const shown = typedFields(view);
  const rules = fieldRules.filter(({ field }) => shown.includes(field));
  return JSON.stringify(
    rules.map(({ fault, ...rule }) => ({ ...rule, text: language.say(fault) })),
  );
}

/** A notice that tells of no fault looks mild or good. */
const noticeTones: Readonly<Partial<Record<TextName, "mild" | "good">>> = {
  payment_canceled: "mild",
  payment_expired: "mild",
  coupon_applied: "good",
  coupon_removed: "good",
  goods_removed: "good",
  goods_and_coupon_removed: "mild",
  trial_left: "mild",
};

/** Screen readers announce it, because the page is another one now. */
function noticeOf(scene: Scene, { faults, notice, coupon }: FormState): Html | null {
  const { language } = scene;
  const wrong = buyerFields.flatMap((field) => {
    const fault = faults[field];
    const target = field === "payment_method_id" ? "method-0" : field;
    return fault ? [html`<li><a href="#${target}">${language.say(fault)}</a></li>`] : [];
  });
  const fault = couponFaultText(scene, coupon);
  if (fault !== null) wrong.push(html`<li><a href="#coupon">${fault}</a></li>`);
  if (wrong.length > 0) {
    const title = language.say("errors_title");
    return html`<div class="notice" role="alert"><p>${title}</p><ul>${wrong}</ul></div>`;
  }
  if (notice === null) return null;

  return html`<p class="notice ${noticeTones[notice] ?? ""}"
role="alert">${language.say(notice)}</p>`;
}

function details(scene: Scene, state: FormState): Html {
  const { language, view } = scene;
  const hint = taxIdHint(view);

  return html`<section class="fields"><h2>${language.say("details_title")}</h2>
${textField(scene, state, {
  name: "email",
  label: language.say("email_label"),
  attributes: raw('type="email" inputmode="email" autocomplete="email" maxlength="254" required'),
})}
${textField(scene, state, {
  name: "name",
  label: language.say("name_label"),
  attributes: raw('type="text" inputmode="text" autocomplete="name" maxlength="200" required'),
})}
${
  asksTaxId(view)
    ? textField(scene, state, {
        name: "tax_id",
        label: language.say("tax_id_label"),
        ...(hint !== null && { hint: language.say(hint) }),
        // The keyboard is not one of digits: since 2026 a CNPJ can hold letters.
        attributes: raw(
          'type="text" inputmode="text" autocomplete="off" autocapitalize="characters" ' +
            'spellcheck="false" maxlength="30"',
        ),
      })
    : null
}</section>`;
}

/** Says which of the methods need the tax id. Null means that all of them do. */
function taxIdHint(view: Scene["view"]): TextName | null {
  const uses = view.payment_methods.map((method) => taxIdUse(view, method));
  if (uses.length > 0 && !uses.includes(null)) return null;
  if (!uses.includes("saved")) return uses.includes("boleto") ? "optional_but_boleto" : "optional";
  return uses.includes("boleto") ? "optional_but_boleto_saved" : "optional_but_saved";
}

interface TextField {
  readonly name: "name" | "email" | "tax_id";
  readonly label: string;
  readonly hint?: string;
  readonly attributes: Html;
}

function textField({ language }: Scene, state: FormState, field: TextField): Html {
  const { name, label, hint, attributes } = field;
  const fault = state.faults[name];
  const isFirst = fault !== undefined && buyerFields.find((each) => state.faults[each]) === name;
  const marks = fault ? html`aria-invalid="true" aria-describedby="${name}-error"` : null;
  return html`<div>
<label for="${name}">${label}${hint ? html` <span class="soft">(${hint})</span>` : null}</label>
<input id="${name}" name="${name}" value="${state.form[name]}"
${attributes} ${marks} ${flag("autofocus", isFirst)}>
${fault ? html`<p class="error" id="${name}-error">${language.say(fault)}</p>` : null}
</div>`;
}

function methodChoice(scene: Scene, { form, faults }: FormState): Html {
  const { language, view } = scene;
  const fault = faults.payment_method_id;
  const choices = view.payment_methods.map((method, index) =>
    methodOption(scene, method, { index, checked: method.id === form.payment_method_id }),
  );
  return html`<fieldset ${flag('aria-describedby="method-error"', fault !== undefined)}>
<legend>${language.say("method_title")}</legend>
${fault ? html`<p class="error" id="method-error">${language.say(fault)}</p>` : null}
<div class="choices">${choices}</div>
</fieldset>`;
}

function methodOption(
  scene: Scene,
  method: PaymentMethod,
  { index, checked }: { readonly index: number; readonly checked: boolean },
): Html {
  const { id, name, type, icon_url, settlement } = method;
  const use = taxIdUse(scene.view, method) ?? "";
  const icon = picture(scene, icon_url, { width: 32, height: 24 }) ?? methodIcons[type];
  const { language } = scene;
  const consent = consentText(scene, id);
  const delay = settlement === "delayed" ? language.say("method_delayed") : null;
  const notes = [delay, consent].flatMap((text) =>
    text === null ? [] : [html`<small>${text}</small>`],
  );
  return html`<label class="choice" for="method-${index}">
<input type="radio" id="method-${index}" data-use="${use}"
name="payment_method_id" value="${id}"
${flag("checked", checked)}>
${icon}<span>${name}${notes}</span></label>`;
}

function outcomeChoice({ language }: Scene, { outcome }: BuyerForm): Html {
  const options = sandboxOutcomes.map((name) => {
    const selected = flag("selected", name === outcome);
    return html`<option value="${name}" ${selected}>${name.replaceAll("_", " ")}</option>`;
  });
  return html`<div class="test-box"><label for="outcome">${language.say("outcome_label")}</label>
<select id="outcome" name="outcome" aria-describedby="outcome-note">${options}</select>
<p class="soft" id="outcome-note">${language.say("outcome_note")}</p></div>`;
}
