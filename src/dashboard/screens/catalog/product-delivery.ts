import { deliveryTypes } from "../../../contract/entitlement-schema.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { chooser } from "../../forms/chooser.ts";
import {
  type Field,
  firstOf,
  type ReadField,
  readNumber,
  type Values,
} from "../../forms/form-field.ts";
import type { StoreVisit } from "../../screen.ts";

/** What a product delivers: its type, its text or link, and the limit of a license key. */
export const deliveryField: Field = {
  name: "delivery",
  label: "delivery",
  hint: "delivery_hint",
  kind: "own",
  show({ language }: StoreVisit, values: Values): Html {
    const { say } = language;
    const options = [
      { value: "", label: say("delivery_none") },
      ...deliveryTypes.map((value) => ({ value, label: say(`delivery_${value}`) })),
    ];
    return html`<div class="field"><label for="delivery.type">${say("delivery_type")}</label>
${chooser("delivery.type", options, firstOf(values, "delivery.type"))}</div>
<div class="field"><label for="delivery.content">${say("delivery_content")}</label>
<textarea id="delivery.content" name="delivery.content" rows="3">
${firstOf(values, "delivery.content")}</textarea></div>
<div class="field"><label for="delivery.activations">${say("delivery_activations")}</label>
<input id="delivery.activations" name="delivery.activations" inputmode="numeric"
value="${firstOf(values, "delivery.activations")}" aria-describedby="delivery.activations-hint">
<p class="soft" id="delivery.activations-hint">${say("delivery_activations_hint")}</p></div>`;
  },
  read(values: Values, locale: string): ReadField {
    const type = firstOf(values, "delivery.type");
    if (type === "") return { value: null };

    const content = firstOf(values, "delivery.content").replaceAll("\r\n", "\n").trim();
    const typed = firstOf(values, "delivery.activations").trim();
    const activations = typed === "" ? { value: null } : readNumber(typed, locale, null);
    if (type === "license_key" && "fault" in activations) return activations;

    const fields: Readonly<Record<string, object>> = {
      license_key: { activations: "value" in activations ? activations.value : null },
      text: { text: content },
      link: { url: content },
    };
    return { value: { type, ...fields[type] } };
  },
};

/** Gives what the field of a stored product holds. */
export const deliveryValues = (delivery: OwnerProduct["delivery"]): Values => {
  const content = delivery?.type === "text" ? delivery.text : null;
  const url = delivery?.type === "link" ? delivery.url : null;
  const activations = delivery?.type === "license_key" ? delivery.activations : null;
  return {
    "delivery.activations": [String(activations ?? "")],
    "delivery.type": [delivery?.type ?? ""],
    "delivery.content": [content ?? url ?? ""],
  };
};
