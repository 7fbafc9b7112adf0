import { type Html, html } from "../../contract/html.ts";
import type { OwnerCategory } from "../../owner/categories.ts";
import type { OwnerCoupon } from "../../owner/coupons.ts";
import type { OwnerProduct } from "../../owner/products.ts";
import type { Prepared } from "../form.ts";
import { type Field, firstOf, type Values } from "../form-field.ts";
import { checkbox } from "../render-form.ts";
import type { StoreVisit } from "../screen.ts";

const idsField = "product_ids";
const categoryField = "product_category";

/** At most this many products have a box of their own. The ids of others are typed. */
const mostBoxes = 100;
/** A coupon names this many products at most. */
const mostProducts = 1_000;

/** Chooses the products that a coupon is for: by boxes, by a category, and by ids. */
export async function productsField(
  { parts, store }: StoreVisit,
  coupon: OwnerCoupon | null,
): Promise<Field> {
  const [page, categories] = await Promise.all([
    parts.owner.products.list(store.id, { limit: mostBoxes }),
    parts.owner.categories.list(store.id),
  ]);
  const hasAll = !page.has_more && coupon?.product_ids?.every(isIn(page.data)) !== false;
  const shown = { products: page.data, categories, hasAll };
  return {
    name: idsField,
    label: "product_ids",
    hint: "product_ids_hint",
    kind: "own",
    show: (visit, values) => showProducts(visit, values, shown),
    read(values) {
      const ids = idsOf(values);
      return { value: ids.length === 0 ? null : ids };
    },
  };
}

const isIn =
  (products: readonly OwnerProduct[]) =>
  (product_id: string): boolean =>
    products.some(({ id }) => id === product_id);

/** Gives the ticked products, and those whose ids are typed. */
const idsOf = (values: Values): readonly string[] => [
  ...new Set((values[idsField] ?? []).flatMap((text) => text.split(/[\s,]+/)).filter(Boolean)),
];

interface Shown {
  readonly products: readonly OwnerProduct[];
  readonly categories: readonly OwnerCategory[];
  /** It is false when the store has products without a box. */
  readonly hasAll: boolean;
}

function showProducts({ language }: StoreVisit, values: Values, shown: Shown): Html {
  const { say } = language;
  const { products, categories, hasAll } = shown;
  const chosen = new Set(idsOf(values));
  const boxes = products.map(({ id, name }, index) =>
    checkbox(`${idsField}-${index}`, idsField, { value: id, label: name, checked: chosen.has(id) }),
  );
  const others = [...chosen].filter((id) => !isIn(products)(id));

  const category = html`<div class="field"><label
for="${categoryField}">${say("product_category")}</label>
<p class="soft" id="${categoryField}-hint">${say("product_category_hint")}</p>
<select id="${categoryField}" name="${categoryField}" aria-describedby="${categoryField}-hint">
<option value="">${say("parent_none")}</option>${categories.map(
    ({ id, name }) => html`<option value="${id}">${name}</option>`,
  )}</select></div>`;
  const typed = html`<div class="field"><label
for="${idsField}-typed">${say("product_ids_typed")}</label>
<textarea id="${idsField}-typed" name="${idsField}" rows="3">
${others.join("\n")}</textarea></div>`;
  return html`<div class="columns scroll">${boxes}</div>
${categories.length === 0 ? null : category}${hasAll && others.length === 0 ? null : typed}`;
}

/** Adds the products that a chosen category has now to the coupon's products. */
export async function addCategory(visit: StoreVisit, values: Values): Promise<Prepared> {
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
