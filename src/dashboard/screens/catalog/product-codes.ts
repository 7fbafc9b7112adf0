import { html } from "../../../contract/html.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import {
  type Field,
  firstOf,
  namedLines,
  quoteWith,
  type ReadField,
  type Values,
} from "../../forms/form-field.ts";
import type { StoreVisit } from "../../screen.ts";

const optionsField = "options";

/** The codes of a product, and the group that it is a variant of. */
export const variantFields: readonly Field[] = [
  { name: "sku", label: "sku", hint: "sku_hint", kind: "text" },
  { name: "external_id", label: "external_id", hint: "external_id_hint", kind: "text" },
  { name: "group", label: "product_group", hint: "product_group_hint", kind: "text" },
  {
    name: optionsField,
    label: "product_options",
    hint: "product_options_hint",
    kind: "own",
    show: ({ language }: StoreVisit, values: Values) => html`<textarea name="${optionsField}"
rows="3" aria-label="${language.say("product_options")}" aria-describedby="${optionsField}-hint">
${firstOf(values, optionsField)}</textarea>`,
    read: readOptions,
  },
];

const writeOption = ({ name, value }: { readonly name: string; readonly value: string }): string =>
  `${quoteWith(name, ":")}: ${value}`;

/** Reads one option a line, such as `Size: M`. A line without a value is refused by the call. */
function readOptions(values: Values): ReadField {
  const lines = namedLines(firstOf(values, optionsField));
  return { value: lines.map(([name, value]) => ({ name, value })) };
}

/** Gives what the fields of a stored product hold. */
export const variantValues = ({ sku, external_id, group, options }: OwnerProduct): Values => ({
  sku: [sku ?? ""],
  external_id: [external_id ?? ""],
  group: [group ?? ""],
  [optionsField]: [(options ?? []).map(writeOption).join("\n")],
});
