import { type Html, html } from "../../../contract/html.ts";
import type { OwnerCategory } from "../../../owner/catalog/categories.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import type { OwnerFacets } from "../../../rules/catalog/own-facets.ts";
import { ownSorts } from "../../../rules/catalog/own-sort.ts";
import { type StockLevel, stockLevels } from "../../../rules/catalog/stock.ts";
import { inStore } from "../../addresses.ts";
import { amountText, countText } from "../../format.ts";
import type { Option } from "../../forms/form-field.ts";
import { picture } from "../../forms/pictures.ts";
import { actionLink, badge } from "../../frame/elements.ts";
import type { TextName } from "../../language.ts";
import { chips, type Filters, filterForm, filtersOf } from "../../lists/filters.ts";
import { sortFilter, sortHead } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { listBody, pageQuery } from "../lists.ts";
import { type SwitchKind, stateSwitch, switchForm } from "../switches.ts";
import { hostCatalog } from "./host-catalog.ts";
import { importLink } from "./import/import-form.ts";
import { productValues } from "./product-form.ts";
import { stockCell, stockLeft } from "./product-stock.ts";
import { rowBox, togetherBar } from "./together/choose.ts";
import { variantLabel } from "./variants/variant-table.ts";

const pictureOf = ({ settings }: StoreVisit, { images }: OwnerProduct): Html =>
  picture(images[0], 40, settings) ?? html`<span class="blank" aria-hidden="true"></span>`;

export const stateOf = ({ language }: StoreVisit, product: OwnerProduct): Html => {
  if (!product.active) return badge("plain", language.say("state_draft"));
  if (product.blocked) return badge("warn", language.say("state_blocked"));
  return badge("good", language.say("state_published"));
};

const levels: Readonly<Record<StockLevel, TextName>> = {
  in_stock: "stock_left",
  sold_out: "stock_sold_out",
  uncounted: "stock_uncounted",
};

const levelOf = (name: string | undefined): StockLevel | null =>
  stockLevels.find((level) => level === name) ?? null;

const activeBy: Readonly<Record<string, boolean>> = { published: true, draft: false };

/** Names a choice, with the number of products that it would leave where they were counted. */
const counted = (visit: StoreVisit, label: string, count: number | null): string =>
  count === null ? label : `${label} (${countText(visit, count)})`;

/** Reads a span of prices, such as `1000-1999`, in minor units. */
function spanOf(text = ""): { readonly min_price?: number; readonly max_price?: number } {
  const [, min, max] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return min === undefined ? {} : { min_price: Number(min), max_price: Number(max) };
}

/** Adds the choice of the address, which may be gone meanwhile. */
const withChosen = (options: readonly Option[], value = ""): readonly Option[] =>
  options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];

/** Makes the choices of prices. The one that is chosen stays, whatever the others are now. */
function priceField(visit: StoreVisit, { price = "" }: Filters, facets: OwnerFacets | null) {
  const spans = (facets?.price ?? []).map(({ min, max, currency, count }) => ({
    value: `${min}-${max}`,
    label: counted(
      visit,
      `${amountText(visit, min, currency)} – ${amountText(visit, max, currency)}`,
      count,
    ),
  }));
  if (spans.length < 2 && price === "") return [];

  const all = { value: "", label: visit.language.say("filter_all") };
  const options = withChosen([all, ...spans], price);
  return [{ name: "price", label: "price", kind: "choice", options } as const];
}

interface Counted {
  readonly categories: readonly OwnerCategory[];
  readonly facets: OwnerFacets | null;
}

function tools(visit: StoreVisit, filters: Filters, { categories, facets }: Counted): Html {
  const { say } = visit.language;
  const ofCategory = new Map(facets?.category.map((each) => [each.category_id, each.count]));
  const ofLevel = new Map(facets?.stock.map((each) => [each.level, each.count]));
  const countOf = <Key>(counts: ReadonlyMap<Key, number>, key: Key): number | null =>
    facets && (counts.get(key) ?? 0);
  const states = [
    { value: "", label: say("filter_all") },
    { value: "published", label: say("state_published") },
    { value: "draft", label: say("state_draft") },
  ];
  const places = [
    { value: "", label: say("filter_all_feminine") },
    ...categories.map(({ id, name }) => ({
      value: id,
      label: counted(visit, name, countOf(ofCategory, id)),
    })),
  ];
  const amounts = [
    { value: "", label: say("filter_all") },
    ...stockLevels.map((value) => ({
      value,
      label: counted(visit, say(levels[value]), countOf(ofLevel, value)),
    })),
  ];
  const orders = [
    { value: "", label: say("sort_usual") },
    ...ownSorts.map((value) => ({ value, label: say(`sort_${value}`) })),
  ];
  const { category = "" } = filters;
  const options = withChosen(places, category);
  const choice =
    categories.length === 0 && category === ""
      ? []
      : [{ name: "category", label: "category", kind: "choice", options } as const];
  return html`${filterForm(visit, filters, [
    { name: "search", label: "products_search", kind: "search" },
    ...choice,
    ...priceField(visit, filters, facets),
    { name: "stock", label: "stock", kind: "choice", options: amounts },
    { name: sortFilter, label: "sort", kind: "choice", options: orders },
  ])}${chips(visit, { filters, name: "active", label: "filter_state", options: states })}`;
}

const filterNames = ["search", "active", "category", "price", "stock", sortFilter];

/** Reads the query of the address, for the list and for its file. */
const queryOf = (visit: StoreVisit, { sort, ...filters }: Filters) => ({
  ...facetQueryOf(visit, filters),
  sort: ownSorts.find((name) => name === sort) ?? null,
});

const facetQueryOf = (
  { livemode }: StoreVisit,
  { search, active, category: category_id, price, stock }: Filters,
) => ({
  search,
  active: activeBy[active ?? ""] ?? null,
  category_id,
  ...spanOf(price),
  stock: levelOf(stock),
  livemode,
});

export const productsDownload = csvDownload("products", async (visit) => {
  const query = { ...queryOf(visit, filtersOf(visit, filterNames)), ...csvFormat };
  return visit.parts.owner.export("products", { store_id: visit.store.id, ...query });
});

const productSwitch: SwitchKind<OwnerProduct> = {
  action: "products.update",
  label: "product_active",
  nameOf: ({ name }) => name,
  isOn: ({ active }) => active,
  values: (product, { language }) => productValues(product, language.locale),
  find: ({ parts, store }, id) => parts.owner.products.retrieve(store.id, id),
  turn: ({ parts, store }, expected, active) =>
    parts.owner.products.update(store.id, expected.id, { active }, { expected }),
};

export const productsScreen: Screen = {
  path: "products",
  section: "products",
  action: null,
  forms: { switch: switchForm(productSwitch, (visit) => productsScreen.show(visit)) },

  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    if (parts.hasHostCatalog) return hostCatalog(visit, "section_products");

    const filters = filtersOf(visit, filterNames);
    const [page, categories, facets] = await Promise.all([
      parts.owner.products.list(store.id, { ...queryOf(visit, filters), ...pageQuery(visit) }),
      parts.owner.categories.list(store.id),
      parts.owner.products.facets(store.id, facetQueryOf(visit, filters)),
    ]);
    const left = await stockLeft(visit, page.data);
    const create = actionLink(visit, "products.create", {
      label: "product_create",
      address: inStore(visit, ["products", "new"]),
      kind: "primary",
    });

    const rows = page.data.map((product) => [
      html`<div class="thing">${rowBox(visit, product)}${pictureOf(visit, product)}<div>
<a href="${inStore(visit, ["products", product.id])}">${product.name}</a>
<small>${product.options ? `${variantLabel(product)} · ` : ""}${product.slug}</small></div></div>`,
      amountText(visit, product.price, product.currency),
      stockCell(visit, product, left.get(product.id)),
      stateSwitch(visit, productSwitch, product, stateOf(visit, product)),
    ]);
    const caption = say("section_products");
    const isNew = rows.length === 0 && Object.keys(filters).length === 0;
    const body = listBody(visit, {
      caption,
      columns: [
        sortHead(visit, filters, {
          label: say("product"),
          orders: ["name", "-name"],
          ascending: "name",
        }),
        sortHead(visit, filters, {
          label: say("price"),
          orders: ["price", "-price"],
          ascending: "price",
        }),
        say("stock"),
        say("state"),
      ],
      rows,
      amounts: 1,
      page,
      filters,
      tools: tools(visit, filters, { categories, facets }),
      between: rows.length > 0 ? togetherBar(visit) : null,
      download: html`<div class="files">${importLink(visit)}${csvLink(
        visit,
        "products",
        filters,
      )}</div>`,
      empty: {
        title: "products_empty_title",
        text: "products_empty_text",
        action: html`<div class="actions">${create}${importLink(visit)}</div>`,
      },
    });
    return { title: caption, primary: isNew ? null : create, body };
  },
};
