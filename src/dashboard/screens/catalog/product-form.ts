import { html } from "../../../contract/html.ts";
import { intervals } from "../../../contract/schemas.ts";
import type { DashboardAction } from "../../../owner/actions.ts";
import type { OwnerCategory } from "../../../owner/catalog/categories.ts";
import { ProductInput } from "../../../owner/catalog/product-input.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { amountInput } from "../../forms/amount-input.ts";
import { chooser } from "../../forms/chooser.ts";
import type { FormSpec, Prepared } from "../../forms/form.ts";
import {
  type Field,
  firstOf,
  type ReadField,
  readNumber,
  type Values,
} from "../../forms/form-field.ts";
import { pictureTypes } from "../../forms/picture-type.ts";
import { deliveredField, pictureField, storeDelivered, storePicture } from "../../forms/uploads.ts";
import type { StoreVisit } from "../../screen.ts";
import { variantFields, variantValues } from "./product-codes.ts";
import { deliveryField, deliveryValues, withDelivered } from "./product-delivery.ts";
import { readVariables, showVariables, variableValues } from "./product-variables.ts";

interface ProductPlace {
  readonly currency: string;
  readonly categories: readonly OwnerCategory[];
  /** True when the host stores pictures. */
  readonly hasUploads: boolean;
  /** What is left of the stock of a stored product. */
  readonly stockNow: readonly Field[];
}

/** The file is chosen here. Its address is added to the pictures when it was stored. */
const uploadField: Field = {
  name: pictureField,
  label: "picture_upload",
  hint: "picture_upload_hint",
  kind: "file",
  accept: pictureTypes.join(","),
};

/**
 * Hands the chosen files to the host. The address of a picture is the last of the product's
 * pictures, and a file is what the product delivers.
 */
export async function addFiles(visit: StoreVisit, values: Values): Promise<Prepared> {
  const { files, settings, store, access, language, parts } = visit;
  const { uploads } = settings;
  const faults = new Map<string, string>();
  const prepared = { ...values };
  const sender = { store_id: store.id, actor: access.actor, onError: parts.onError };

  const picture = files.get(pictureField);
  if (picture && uploads) {
    const stored = await storePicture(uploads, picture, sender);
    if ("fault" in stored) faults.set(pictureField, language.say(stored.fault));
    else prepared["images"] = [`${firstOf(values, "images")}\n${stored.url}`.trim()];
  }

  const file = files.get(deliveredField);
  if (file && uploads?.putFile) {
    const stored = await storeDelivered(uploads.putFile.bind(uploads), file, sender);
    if ("fault" in stored) faults.set("delivery", language.say(stored.fault));
    else Object.assign(prepared, withDelivered(values, stored));
  }
  return { values: prepared, faults };
}

export interface FormName {
  readonly name: string;
  readonly action: DashboardAction;
}

/** Describes the form of a product in one currency. */
export const productForm = (
  { currency, categories, hasUploads, stockNow }: ProductPlace,
  { name, action }: FormName,
): FormSpec<typeof ProductInput> => ({
  name,
  action,
  schema: ProductInput,
  submit: "save",
  groups: [
    {
      title: "group_shown",
      fields: [
        { name: "name", label: "name", kind: "text" },
        { name: "description", label: "description", kind: "area", rows: 5 },
        { name: "images", label: "images", hint: "images_hint", kind: "lines", rows: 3 },
        ...(hasUploads ? [uploadField] : []),
        { name: "slug", label: "slug", hint: "slug_hint", kind: "text" },
      ],
    },
    {
      title: "group_price",
      fields: [
        { name: "price", label: "price", kind: "amount", currency },
        {
          name: "compare_at_price",
          label: "compare_at_price",
          hint: "compare_at_price_hint",
          kind: "amount",
          currency,
        },
        promotionField(currency),
        recurringField,
      ],
    },
    {
      title: "group_stock",
      fields: [
        { name: "stock", label: "stock", hint: "stock_hint", kind: "number" },
        ...stockNow,
        { name: "max_quantity", label: "max_quantity", hint: "max_quantity_hint", kind: "number" },
      ],
    },
    { title: "group_codes", fields: variantFields },
    { title: "group_delivery", fields: [deliveryField] },
    { title: "group_order", side: true, fields: orderFields(categories) },
    {
      title: "group_variables",
      fields: [
        {
          name: "variables",
          label: "variables",
          hint: "variables_hint",
          kind: "own",
          show: showVariables,
          read: readVariables,
        },
      ],
    },
  ],
});

const orderFields = (categories: readonly OwnerCategory[]): readonly Field[] => [
  { name: "active", label: "product_active", hint: "product_active_hint", kind: "check" },
  { name: "blocked", label: "product_blocked", hint: "product_blocked_hint", kind: "check" },
  ...(categories.length === 0
    ? []
    : [
        {
          name: "category_ids",
          label: "section_categories",
          kind: "many",
          options: categories.map(({ id, name }) => ({ value: id, label: name })),
        } as const,
      ]),
  { name: "position", label: "position", hint: "position_hint", kind: "number" },
];

const promotionField = (currency: string): Field => ({
  name: "promotion",
  label: "promotion",
  kind: "own",
  show({ language }: StoreVisit, values: Values) {
    const { say } = language;
    const options = (["none", "percentage", "fixed"] as const).map((value) => ({
      value: value === "none" ? "" : value,
      label: say(`discount_${value}`),
    }));
    return html`<div class="row"><div class="field">
<label for="promotion.type">${say("discount_type")}</label>
${chooser("promotion.type", options, firstOf(values, "promotion.type"))}</div>
<div class="field"><label for="promotion.amount">${say("discount_amount")}</label>
<input id="promotion.amount" name="promotion.amount" inputmode="decimal"
value="${firstOf(values, "promotion.amount")}"></div></div>`;
  },
  read(values: Values, locale: string): ReadField {
    const discount_type = firstOf(values, "promotion.type");
    if (discount_type === "") return { value: null };

    const text = firstOf(values, "promotion.amount").trim();
    const read = readNumber(text, locale, discount_type === "fixed" ? currency : null);
    return "fault" in read ? read : { value: { discount_type, discount_amount: read.value } };
  },
});

const recurringField: Field = {
  name: "recurring",
  label: "recurring",
  hint: "recurring_hint",
  kind: "own",
  show({ language }: StoreVisit, values: Values) {
    const { say } = language;
    const options = [
      { value: "", label: say("recurring_none") },
      ...intervals.map((value) => ({ value, label: say(`interval_${value}`) })),
    ];
    return html`<div class="row"><div class="field">
<label for="recurring.interval">${say("interval")}</label>
${chooser("recurring.interval", options, firstOf(values, "recurring.interval"))}</div>
<div class="field"><label for="recurring.count">${say("interval_count")}</label>
<input id="recurring.count" name="recurring.count" inputmode="numeric"
value="${firstOf(values, "recurring.count")}"></div></div>
<div class="field"><label for="recurring.trial">${say("trial_days")}</label>
<input id="recurring.trial" name="recurring.trial" inputmode="numeric"
value="${firstOf(values, "recurring.trial")}" aria-describedby="recurring.trial-hint">
<p class="soft" id="recurring.trial-hint">${say("trial_days_hint")}</p></div>`;
  },
  read(values: Values, locale: string): ReadField {
    const interval = firstOf(values, "recurring.interval");
    if (interval === "") return { value: null };

    const count = readNumber(firstOf(values, "recurring.count").trim() || "1", locale, null);
    if ("fault" in count) return count;
    const days = firstOf(values, "recurring.trial").trim();
    const trial = days === "" ? { value: undefined } : readNumber(days, locale, null);
    if ("fault" in trial) return trial;
    const trial_days = trial.value;
    const period = { interval, interval_count: count.value };
    return { value: trial_days === undefined ? period : { ...period, trial_days } };
  },
};

/** Gives what the form of a stored product holds. */
export function productValues(product: OwnerProduct, locale: string): Values {
  const { currency, promotion, recurring } = product;
  const money = (amount: number | null): readonly string[] =>
    amount === null ? [] : [amountInput(amount, currency, locale)];
  const isFixed = promotion?.discount_type === "fixed";

  return {
    name: [product.name],
    description: [product.description ?? ""],
    images: [product.images.join("\n")],
    slug: [product.slug],
    price: money(product.price),
    compare_at_price: money(product.compare_at_price),
    "promotion.type": [promotion?.discount_type ?? ""],
    "promotion.amount": promotion
      ? isFixed
        ? money(promotion.discount_amount)
        : [amountInput(promotion.discount_amount, null, locale)]
      : [],
    "recurring.interval": [recurring?.interval ?? ""],
    "recurring.count": [String(recurring?.interval_count ?? "")],
    "recurring.trial": [String(recurring?.trial_days ?? "")],
    ...deliveryValues(product.delivery),
    stock: [String(product.stock ?? "")],
    max_quantity: [String(product.max_quantity ?? "")],
    active: product.active ? ["yes"] : [],
    blocked: product.blocked ? ["yes"] : [],
    category_ids: product.category_ids,
    position: [String(product.position)],
    ...variantValues(product),
    ...variableValues(product),
  };
}
