import { type Html, html, raw } from "../../../contract/html.ts";
import type { OwnerCategory } from "../../../owner/catalog/categories.ts";
import type { OwnerCoupon } from "../../../owner/catalog/coupons.ts";
import type { Prepared } from "../../forms/form.ts";
import { enterField, type Field, firstOf, type Values } from "../../forms/form-field.ts";
import { checkbox } from "../../forms/render-form.ts";
import { readFew } from "../../read-few.ts";
import type { StoreVisit } from "../../screen.ts";
import { findProducts, findWith, foundOf, isSearch, searchBox } from "../product-search.ts";

const idsField = "product_ids";
const typedField = "product_ids_typed";
const categoryField = "product_category";

/** At most this many chosen products have a box with their name. The others are ids. */
const mostNamed = 50;
/** The most products that a coupon names. */
const mostProducts = 1_000;

/** Chooses the products that a coupon is for: by a search, by a category, and by ids. */
export async function productsField(visit: StoreVisit, coupon: OwnerCoupon | null): Promise<Field> {
  const { parts, store } = visit;
  const [categories, names] = await Promise.all([
    parts.owner.categories.list(store.id),
    namesOf(visit, coupon?.product_ids ?? []),
  ]);
  return {
    name: idsField,
    label: "product_ids",
    hint: "product_ids_hint",
    kind: "own",
    hasButton: true,
    show: (shown, values) => showProducts(shown, values, { categories, names }),
    read(values) {
      const ids = idsOf(values);
      return { value: ids.length === 0 ? null : ids };
    },
  };
}

/** Reads the names of the first of these products. */
async function namesOf(
  { parts, store }: StoreVisit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await readFew(ids.slice(0, mostNamed), (id) =>
    parts.owner.products.retrieve(store.id, id),
  );
  return new Map([...found].map(([id, { name }]) => [id, name]));
}

/** Gives the ticked products, and those whose ids are typed. */
const idsOf = (values: Values): readonly string[] => [
  ...new Set(
    [...(values[idsField] ?? []), ...(values[typedField] ?? [])]
      .flatMap((text) => text.split(/[\s,]+/))
      .filter(Boolean),
  ),
];

interface Shown {
  readonly categories: readonly OwnerCategory[];
  /** The names of the products that the stored coupon is for. */
  readonly names: ReadonlyMap<string, string>;
}

function showProducts({ language }: StoreVisit, values: Values, shown: Shown): Html {
  const { say } = language;
  const { categories, names } = shown;
  const ids = idsOf(values);
  const found = foundOf(values);
  const named = new Map([...names, ...found.names]);
  const boxOf = (id: string, index: number, checked: boolean): Html =>
    checkbox(`${idsField}-${index}`, idsField, {
      value: id,
      label: named.get(id) ?? id,
      checked,
    });

  const chosen = ids.slice(0, mostNamed).map((id, index) => boxOf(id, index, true));
  const fresh = found.ids.filter((id) => !ids.includes(id));
  const offered = fresh.map((id, index) => boxOf(id, chosen.length + index, false));
  const others = ids.slice(mostNamed);

  const category = html`<div class="field"><label
for="${categoryField}">${say("product_category")}</label>
<p class="soft" id="${categoryField}-hint">${say("product_category_hint")}</p>
<select id="${categoryField}" name="${categoryField}" aria-describedby="${categoryField}-hint">
<option value="">${say("parent_none")}</option>${categories.map(
    ({ id, name }) => html`<option value="${id}">${name}</option>`,
  )}</select></div>`;
  const typed = html`<details class="field" ${raw(others.length > 0 ? "open" : "")}>
<summary>${say("product_ids_more")}</summary>
<label for="${typedField}">${say("product_ids_typed")}</label>
<textarea id="${typedField}" name="${typedField}" rows="3">
${others.join("\n")}</textarea></details>`;
  return html`<div class="columns scroll">${chosen}</div>
${searchBox(language, values, offered)}${categories.length === 0 ? null : category}${typed}`;
}

/**
 * Works on what was typed: adds the products of a chosen category, and looks for products.
 * A search shows the form again with what it has found, and saves nothing.
 */
export async function prepareProducts(visit: StoreVisit, typed: Values): Promise<Prepared> {
  const { values, faults } = await addCategory(visit, typed);
  const ids = idsOf(values);
  const isOnlyShown = isSearch(values);
  const [found, names] = await Promise.all([findProducts(visit, values), namesOf(visit, ids)]);
  const all = { ...values, [idsField]: ids, [typedField]: [], [enterField]: [] };
  return { values: findWith(all, found, names), faults, isOnlyShown };
}

/** Adds the products that a chosen category has now to the coupon's products. */
async function addCategory(visit: StoreVisit, values: Values): Promise<Prepared> {
  const category_id = firstOf(values, categoryField);
  if (category_id === "") return { values, faults: new Map() };

  const { parts, store, language } = visit;
  const found: string[] = [];
  let starting_after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof parts.owner.products.list>> =
      await parts.owner.products.list(store.id, { category_id, limit: 100, starting_after });
    found.push(...page.data.map(({ id }) => id));
    starting_after = page.next_cursor;
  } while (starting_after !== null && found.length <= mostProducts);

  // Without a product the coupon would be for all products.
  const fault: readonly (readonly [string, string])[] =
    found.length === 0 ? [[idsField, language.say("fault_category_empty")]] : [];
  const product_ids = [...new Set([...idsOf(values), ...found])];
  const added = found.length === 0 ? values : { ...values, [idsField]: product_ids };
  return { values: { ...added, [categoryField]: [] }, faults: new Map(fault) };
}
