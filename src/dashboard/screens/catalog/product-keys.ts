import { isApiError } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { may } from "../../access/access.ts";
import { countText } from "../../format.ts";
import { linesOf } from "../../forms/form-field.ts";
import { card, screenForm } from "../../frame/elements.ts";
import { explain } from "../../frame/explain.ts";
import type { FormResult, StoreVisit } from "../../screen.ts";
import { isUploaded } from "./product-delivery.ts";

/** Shows how many uploaded keys are left, and takes more. */
export async function keysCard(
  visit: StoreVisit,
  product: OwnerProduct,
  { text = "", fault = null }: { readonly text?: string; readonly fault?: string | null } = {},
): Promise<Html | null> {
  if (!isUploaded(product.delivery)) return null;

  const { parts, store, livemode, language } = visit;
  const { say } = language;
  const pool = { store_id: store.id, livemode, product_id: product.id };
  const { left } = await parts.owner.products.countKeys(pool);
  const form = html`<div class="field"><label for="keys">${say("keys_upload")}</label>
<textarea id="keys" name="keys" rows="4" autocomplete="off" spellcheck="false"
aria-describedby="${fault === null ? "" : "keys-error "}keys-hint">
${text}</textarea>
${fault === null ? null : html`<p class="error" id="keys-error" role="alert">${fault}</p>`}
<p class="soft" id="keys-hint">${say("keys_hint")}</p></div>
<div class="actions"><button class="button">${say("keys_add")}</button></div>`;
  const mayAdd = may(visit.access, "products.upload_keys");
  return card(
    say("keys_title"),
    html`<p>${say("keys_left")} <strong>${countText(visit, left)}</strong></p>
${mayAdd ? screenForm(visit, { name: "keys", body: form }) : null}`,
  );
}

/** Uploads the keys of the form, one on each line. Gives a fault to show beside the field. */
export async function sendKeys(
  visit: StoreVisit,
  fields: URLSearchParams,
): Promise<FormResult | { readonly fault: string }> {
  const { parts, store, livemode, language, path, params } = visit;
  const keys = linesOf(fields.get("keys") ?? "");
  if (keys.length === 0) return { fault: language.say("fault_missing") };

  try {
    const pool = { store_id: store.id, livemode, product_id: params["id"] ?? "" };
    await parts.owner.products.uploadKeys({ ...pool, keys });
    return { kind: "done", address: path, message: "done_added" };
  } catch (error) {
    if (!isApiError(error) || error.code !== "parameter_invalid") throw error;
    return { fault: explain(language, error) };
  }
}
