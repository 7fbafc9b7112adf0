import { isApiError } from "../../../../contract/errors.ts";
import { type Html, html } from "../../../../contract/html.ts";
import { check } from "../../../../input/check.ts";
import { slugOf } from "../../../../input/fields.ts";
import { ProductInput } from "../../../../owner/catalog/product-input.ts";
import { maxVariants } from "../../../../rules/catalog/groups/product-groups.ts";
import { may } from "../../../access/access.ts";
import { inStore } from "../../../addresses.ts";
import { amountText } from "../../../format.ts";
import { conflict } from "../../../forms/conflict.ts";
import { markOfAll } from "../../../forms/edit-marks.ts";
import { type FormState, storedForm, typedForm } from "../../../forms/form.ts";
import { card, hidden, primaryButton, screenForm } from "../../../frame/elements.ts";
import { explain } from "../../../frame/explain.ts";
import type { Crumb, FormResult, Screen, StoreVisit, View } from "../../../screen.ts";
import { stockLeft } from "../product-stock.ts";
import {
  type Family,
  inOrder,
  type PlanFault,
  planVariants,
  putsOf,
  type VariantPlan,
  valuesText,
} from "./plan.ts";
import { saveTable, tableForm, tableValues, variantLabel, variantTable } from "./variant-table.ts";

/** Finds the product of the address and its group; without one, its group is to be made. */
async function findFamily({ parts, store, params }: StoreVisit): Promise<Family> {
  const { products } = parts.owner;
  const product = await products.retrieve(store.id, params["id"] ?? "");
  const membersOf = async (group: string) =>
    (await products.list(store.id, { group, limit: maxVariants })).data;
  if (product.group !== undefined)
    return { product, group: product.group, members: inOrder(await membersOf(product.group)) };

  const isTaken = (await membersOf(product.slug)).length > 0;
  return { product, group: isTaken ? product.id : product.slug, members: [] };
}

const crumbsOf = (visit: StoreVisit, { product }: Family): readonly Crumb[] => [
  { label: visit.language.say("section_products"), address: inStore(visit, ["products"]) },
  { label: product.name, address: inStore(visit, ["products", product.id]) },
];

const storedTable = (visit: StoreVisit, { members }: Family): FormState =>
  storedForm(tableValues(members, visit.language.locale));

interface Typed {
  readonly text: string;
  readonly fault: string | null;
}

async function familyView(
  visit: StoreVisit,
  family: Family,
  state: FormState = storedTable(visit, family),
  typed: Typed = { text: valuesText(family.members), fault: null },
): Promise<View> {
  const { members } = family;
  const left = await stockLeft(visit, members);
  const rows = members.length === 0 ? null : variantTable(visit, { members, left, state });
  return {
    title: visit.language.say("product_variants"),
    crumbs: crumbsOf(visit, family),
    body: html`${rows}${mayMake(visit, family) ? valuesCard(visit, typed) : null}`,
  };
}

/** Says whether variants may be made. The first ones change the product too: it gets a group. */
export const mayMake = ({ access }: StoreVisit, { members }: Pick<Family, "members">): boolean =>
  may(access, "products.create") && (members.length > 0 || may(access, "products.update"));

/** Asks for the values of the options. Nothing is made before it was shown. */
function valuesCard(visit: StoreVisit, { text, fault }: Typed): Html {
  const { say } = visit.language;
  const described = fault === null ? "values-hint" : "values-error values-hint";
  const invalid = fault === null ? null : html`aria-invalid="true"`;
  const body = html`<div class="field"><label for="values">${say("variants_values")}</label>
<p class="soft" id="values-hint">${say("variants_values_hint")}</p>
<textarea id="values" name="values" rows="3" aria-describedby="${described}" ${invalid}>
${text}</textarea>
${fault === null ? null : html`<p class="error" id="values-error" role="alert">${fault}</p>`}</div>
<div class="actions"><button class="button">${say("variants_preview")}</button></div>`;
  return card(say("variants_make_title"), screenForm(visit, { name: "plan", body }));
}

/** Says what the typed values cannot be, or gives what they make. */
function readPlan(
  { language }: StoreVisit,
  family: Family,
  text: string,
): VariantPlan | { readonly fault: string } {
  const plan = planVariants(text, family);
  if ("text" in plan) return { fault: faultText(language, plan) };
  try {
    const { options } = ProductInput.shape;
    for (const each of plan.missing) check(options, each, "options");
    return plan;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { fault: explain(language, error) };
  }
}

const faultText = ({ say }: StoreVisit["language"], { text, ...values }: PlanFault): string =>
  say(text, values);

/** Makes a mark that differs once somebody else has changed what the plan would make. */
const markOf = ({ product, group }: Family, { own, missing }: VariantPlan): string =>
  markOfAll({ made: [JSON.stringify([group, product.price, own, missing])] });

function planView(visit: StoreVisit, family: Family, plan: VariantPlan, text: string): View {
  const { say, sayCount } = visit.language;
  const { product } = family;
  const count = plan.missing.length;
  const price = amountText(visit, product.price, product.currency);
  const labels = plan.missing.map((options) => variantLabel({ options, name: product.name }));
  const own = plan.own && variantLabel({ options: plan.own, name: product.name });
  const becomes = own === null ? null : html`<p>${say("variants_own", { options: own })}</p>`;
  const back = inStore(visit, ["products", product.id, "variants"]);
  const body = html`${hidden("values", text)}${hidden("seen", markOf(family, plan))}
<div class="actions">${primaryButton(sayCount("variants_make", count))}
<a class="button" href="${back}">${say("cancel")}</a></div>`;
  return {
    title: say("variants_make_title"),
    crumbs: crumbsOf(visit, family),
    body: html`<div class="card">${becomes}
<p>${sayCount("variants_will_make", count, { price })}</p>
<ul>${labels.map((label) => html`<li>${label}</li>`)}</ul>
${product.stock === null ? null : html`<p>${say("variants_stock_text")}</p>`}
${screenForm(visit, { name: "make", body })}</div>`,
  };
}

/** Shows the plan, or beside the field why there is none. */
async function answerPlan(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const family = await findFamily(visit);
  const text = fields.get("values") ?? "";
  const plan = readPlan(visit, family, text);
  if (!("fault" in plan))
    return { kind: "view", status: 200, view: planView(visit, family, plan, text) };
  const typed = { text, fault: plan.fault };
  const view = await familyView(visit, family, storedTable(visit, family), typed);
  return { kind: "view", status: 422, view };
}

/** Makes what was shown. When that has changed meanwhile, it is shown anew. */
async function makeVariants(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const family = await findFamily(visit);
  const text = fields.get("values") ?? "";
  if (!mayMake(visit, family)) {
    const alert = visit.language.say("forbidden_next");
    return { kind: "view", status: 403, view: { ...(await familyView(visit, family)), alert } };
  }
  const plan = readPlan(visit, family, text);
  if ("fault" in plan) return answerPlan(visit, fields);

  const shownAnew = async (): Promise<FormResult> => {
    const result = await answerPlan(visit, fields);
    if (result.kind !== "view") return result;
    return conflict(result.view, visit.language.say("variants_changed"));
  };
  if (fields.get("seen") !== markOf(family, plan)) return shownAnew();

  try {
    await putFamily(visit, family, plan);
  } catch (error) {
    if (!isApiError(error) || !changed.has(error.code)) throw error;
    return shownAnew();
  }
  const address = inStore(visit, ["products", family.product.id, "variants"]);
  return { kind: "done", address, message: "done_created" };
}

const changed: ReadonlySet<string> = new Set(["precondition_failed", "parameter_invalid"]);

/** Gives new variants readable slugs, and where one is taken those that are made from names. */
async function putFamily(visit: StoreVisit, family: Family, plan: VariantPlan): Promise<void> {
  const { owner } = visit.parts;
  const puts = putsOf(family, plan);
  const { slug: root } = family.product;
  const named = puts.map((put) => {
    const slug = slugOf(`${root} ${(put.options ?? []).map(({ value }) => value).join(" ")}`);
    return put.id !== undefined || slug === null ? put : { ...put, slug };
  });
  const options = { expected: [family.product] };
  const hasRepeat = new Set(named.map(({ slug }) => slug)).size < named.length;
  try {
    await owner.products.putMany(visit.store.id, hasRepeat ? puts : named, options);
  } catch (error) {
    if (!isApiError(error) || !(error.param ?? "").endsWith(".slug")) throw error;
    await owner.products.putMany(visit.store.id, puts, options);
  }
}

export const variantsScreen: Screen = {
  path: "products/{id}/variants",
  section: "products",
  action: null,
  show: async (visit) => familyView(visit, await findFamily(visit)),
  forms: {
    save: typedForm<Family, ReturnType<typeof tableForm>["schema"]>({
      action: "products.update",
      find: findFamily,
      spec: (_visit, { members }) => tableForm(members),
      show: (visit, family, state) => familyView(visit, family, state),
      stored: (visit, { members }) => tableValues(members, visit.language.locale),
      async work(visit, { members }, input) {
        await saveTable(visit, members, input);
        return { kind: "done", address: visit.path, message: "done_saved" };
      },
    }),
    plan: {
      action: "products.create",
      isQuestion: true,
      send: answerPlan,
      async again(visit, fields) {
        const family = await findFamily(visit);
        const typed = { text: fields.get("values") ?? "", fault: null };
        return familyView(visit, family, storedTable(visit, family), typed);
      },
    },
    make: { action: "products.create", send: makeVariants },
  },
};
