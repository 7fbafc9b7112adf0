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
import { deliveredField, type StoredFile } from "../../forms/uploads.ts";
import type { StoreVisit } from "../../screen.ts";

/** The choice of license keys that the owner uploads. */
const uploaded = "uploaded_keys";

/** Tells whether buyers get license keys that the owner uploads. */
export const isUploaded = (delivery: OwnerProduct["delivery"]): boolean =>
  delivery?.type === "license_key" && delivery.source === "uploaded";

/** What a product delivers: its type, its text or link, and the limit of a license key. */
export const deliveryField: Field = {
  name: "delivery",
  label: "delivery",
  hint: "delivery_hint",
  kind: "own",
  show({ language, settings }: StoreVisit, values: Values): Html {
    const { say } = language;
    const takesFile = settings.uploads?.putFile !== undefined;
    const options = [
      { value: "", label: say("delivery_none") },
      ...deliveryTypes.map((value) => ({ value, label: say(`delivery_${value}`) })),
      { value: uploaded, label: say("delivery_uploaded") },
    ];
    return html`<div class="field"><label for="delivery.type">${say("delivery_type")}</label>
${chooser("delivery.type", options, firstOf(values, "delivery.type"))}</div>
<div class="field"><label for="delivery.content">${say("delivery_content")}</label>
<textarea id="delivery.content" name="delivery.content" rows="3">
${firstOf(values, "delivery.content")}</textarea></div>
${takesFile ? fileInput(say) : null}
<div class="field"><label for="delivery.name">${say("delivery_name")}</label>
<input id="delivery.name" name="delivery.name" value="${firstOf(values, "delivery.name")}"></div>
<div class="field"><label for="delivery.limit">${say("delivery_limit")}</label>
<input id="delivery.limit" name="delivery.limit" inputmode="numeric"
value="${firstOf(values, "delivery.limit")}" aria-describedby="delivery.limit-hint">
<p class="soft" id="delivery.limit-hint">${say("delivery_limit_hint")}</p></div>`;
  },
  read(values: Values, locale: string): ReadField {
    const type = firstOf(values, "delivery.type");
    if (type === "") return { value: null };

    const content = firstOf(values, "delivery.content").replaceAll("\r\n", "\n").trim();
    const typed = firstOf(values, "delivery.limit").trim();
    const limit = typed === "" ? { value: null } : readNumber(typed, locale, null);
    if (/key|file/.test(type) && "fault" in limit) return limit;

    const most = "value" in limit ? limit.value : null;
    const fields: Readonly<Record<string, object>> = {
      license_key: { activations: most },
      file: {
        file: content,
        name: firstOf(values, "delivery.name").trim() || null,
        max_downloads: most,
      },
      text: { text: content },
      link: { url: content },
    };
    if (type === uploaded)
      return { value: { type: "license_key", source: "uploaded", ...fields["license_key"] } };
    return { value: { type, ...fields[type] } };
  },
};

const fileInput = (say: StoreVisit["language"]["say"]): Html =>
  html`<div class="field"><label for="${deliveredField}">${say("delivery_upload")}</label>
<input id="${deliveredField}" name="${deliveredField}" type="file"
aria-describedby="${deliveredField}-hint">
<p class="soft" id="${deliveredField}-hint">${say("delivery_upload_hint")}</p></div>`;

/** Makes a stored file what the product delivers, under the typed name or its own. */
export const withDelivered = (values: Values, { file, name }: StoredFile): Values => ({
  "delivery.type": ["file"],
  "delivery.content": [file],
  "delivery.name": [firstOf(values, "delivery.name").trim() || name],
});

/** Gives what the field of a stored product holds. */
export const deliveryValues = (delivery: OwnerProduct["delivery"]): Values => {
  const text = delivery?.type === "text" ? delivery.text : null;
  const url = delivery?.type === "link" ? delivery.url : null;
  const file = delivery?.type === "file" ? delivery : null;
  const activations = delivery?.type === "license_key" ? delivery.activations : null;
  return {
    "delivery.limit": [String(activations ?? file?.max_downloads ?? "")],
    "delivery.name": [file?.name ?? ""],
    "delivery.type": [isUploaded(delivery) ? uploaded : (delivery?.type ?? "")],
    "delivery.content": [text ?? url ?? file?.file ?? ""],
  };
};
