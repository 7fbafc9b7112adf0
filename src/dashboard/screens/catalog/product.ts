import { type Html, html } from "../../../contract/html.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { inStore } from "../../addresses.ts";
import { type FormState, freshForm, nothingYet, storedForm, typedForm } from "../../forms/form.ts";
import type { Field, Values } from "../../forms/form-field.ts";
import { picture } from "../../forms/pictures.ts";
import { renderForm } from "../../forms/render-form.ts";
import { maxUploadBytes } from "../../forms/uploads.ts";
import { actionLink, card, codeBox } from "../../frame/elements.ts";
import type { Crumb, Screen, StoreVisit, View } from "../../screen.ts";
import { historyCard } from "../../sentences/history.ts";
import { confirmScreen } from "../confirm.ts";
import { addFiles, type FormName, productForm, productValues } from "./product-form.ts";
import { keysCard, sendKeys } from "./product-keys.ts";
import { isStockSetAgain, stockLeft, stockNow } from "./product-stock.ts";
import { variantsCard } from "./product-variants.ts";
import { stateOf } from "./products.ts";

const crumbsOf = (visit: StoreVisit): readonly Crumb[] => [
  { label: visit.language.say("section_products"), address: inStore(visit, ["products"]) },
];

const find = ({ parts, store, params }: StoreVisit): Promise<OwnerProduct> =>
  parts.owner.products.retrieve(store.id, params["id"] ?? "");

const valuesOf = ({ language }: StoreVisit, product: OwnerProduct): Values =>
  productValues(product, language.locale);

interface FormPlace {
  readonly currency: string;
  readonly stockNow: readonly Field[];
}

async function formIn(place: FormPlace, { parts, store, settings }: StoreVisit, how: FormName) {
  const categories = await parts.owner.categories.list(store.id);
  return productForm({ ...place, categories, hasUploads: settings.uploads !== null }, how);
}

const newForm = (visit: StoreVisit) => {
  const place = { currency: visit.store.currency, stockNow: [] };
  return formIn(place, visit, { name: "create", action: "products.create" });
};

async function editForm(visit: StoreVisit, product: OwnerProduct) {
  const left = await stockLeft(visit, [product]);
  const place = {
    currency: product.currency,
    stockNow: stockNow(product, left.get(product.id)),
  };
  return formIn(place, visit, { name: "save", action: "products.update" });
}

async function newView(visit: StoreVisit, state: FormState): Promise<View> {
  const body = renderForm(visit, await newForm(visit), state);
  return { title: visit.language.say("product_create"), crumbs: crumbsOf(visit), body };
}

const mostShown = 12;

/** Shows the product's first pictures. It gives null when none may be loaded. */
function picturesOf({ settings }: StoreVisit, { images }: OwnerProduct): Html | null {
  const found = images.slice(0, mostShown).map((address) => picture(address, 72, settings));
  const shown = found.filter((each) => each !== null);
  return shown.length === 0 ? null : html`<div class="pictures">${shown}</div>`;
}

async function editView(
  visit: StoreVisit,
  product: OwnerProduct,
  state: FormState,
  keys: { readonly text?: string; readonly fault?: string } = {},
): Promise<View> {
  const { say } = visit.language;
  const remove = actionLink(visit, "products.delete", {
    label: "delete",
    address: inStore(visit, ["products", product.id, "delete"]),
    kind: "danger",
  });
  const together = inStore(visit, ["audit"], { action: "products.update_many" });
  const history = await historyCard(
    visit,
    { type: "product", id: product.id },
    html`<p class="soft"><a href="${together}">${say("history_together")}</a></p>`,
  );
  return {
    title: product.name,
    crumbs: crumbsOf(visit),
    lead: stateOf(visit, product),
    body: html`${picturesOf(visit, product)}
${renderForm(visit, await editForm(visit, product), state)}
${await variantsCard(visit, product)}${await keysCard(visit, product, keys)}
${card(
  say("more"),
  html`<p><a href="${inStore(visit, ["orders"], { product: product.id })}">${say(
    "product_orders",
  )}</a></p>
${codeBox(visit, { id: "product-id", label: say("id"), value: product.id })}
${remove === null ? null : html`<div class="actions">${remove}</div>`}`,
)}${history}`,
  };
}

/** Shows the product with what was typed into the form of its keys. */
async function keysView(
  visit: StoreVisit,
  keys: { readonly text: string; readonly fault?: string },
): Promise<View> {
  const product = await find(visit);
  return editView(visit, product, storedForm(valuesOf(visit, product)), keys);
}

export const newProductScreen: Screen = {
  path: "products/new",
  section: "products",
  action: "products.create",
  mostFileBytes: maxUploadBytes,
  show: (visit) => newView(visit, freshForm({ active: ["yes"] })),
  forms: {
    create: typedForm({
      action: "products.create",
      find: nothingYet,
      spec: newForm,
      show: (visit, _row, state) => newView(visit, state),
      prepare: addFiles,
      async work(visit, _row, input) {
        const { parts, store } = visit;
        const own = { ...input, currency: store.currency };
        const { id } = await parts.owner.products.create(store.id, own);
        const address = inStore(visit, ["products", id]);
        return { kind: "done", address, message: "done_created" };
      },
    }),
  },
};

export const productScreen: Screen = {
  path: "products/{id}",
  section: "products",
  action: null,
  mostFileBytes: maxUploadBytes,
  async show(visit) {
    const product = await find(visit);
    return editView(visit, product, storedForm(valuesOf(visit, product)));
  },
  forms: {
    save: typedForm({
      action: "products.update",
      find,
      spec: editForm,
      show: editView,
      stored: valuesOf,
      prepare: addFiles,
      async work(visit, product, { stock, ...input }, values) {
        // A stock that was not edited is not written, because buyers may have bought meanwhile.
        const isKept = stock === product.stock && !isStockSetAgain(values);
        const changes = isKept ? input : { ...input, stock };
        const { owner } = visit.parts;
        await owner.products.update(visit.store.id, product.id, changes, { expected: product });
        return { kind: "done", address: visit.path, message: "done_saved" };
      },
    }),
    keys: {
      action: "products.upload_keys",
      async send(visit, fields) {
        const sent = await sendKeys(visit, fields);
        if (!("fault" in sent)) return sent;
        const text = fields.get("keys") ?? "";
        return { kind: "view", status: 422, view: await keysView(visit, { ...sent, text }) };
      },
      again: (visit, fields) => keysView(visit, { text: fields.get("keys") ?? "" }),
    },
  },
};

export const deleteProductScreen = confirmScreen({
  path: "products/{id}/delete",
  section: "products",
  action: "products.delete",
  async ask(visit) {
    const product = await find(visit);
    const { say } = visit.language;
    const back = inStore(visit, ["products", product.id]);
    return {
      title: say("delete_title", { name: product.name }),
      text: say("product_delete_text"),
      button: "delete",
      crumbs: [...crumbsOf(visit), { label: product.name, address: back }],
      back,
    };
  },
  async run(visit) {
    await visit.parts.owner.products.delete(visit.store.id, visit.params["id"] ?? "");
    return { kind: "done", address: inStore(visit, ["products"]), message: "done_deleted" };
  },
});
