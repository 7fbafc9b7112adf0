import { type Html, html, raw } from "../../../../contract/html.ts";
import { base64url } from "../../../../domain/keys/hash.ts";
import { inStore } from "../../../addresses.ts";
import { fullName } from "../../../format.ts";
import { conflict, isStale } from "../../../forms/conflict.ts";
import { formTag, hidden, notice, type Row, screenForm, table } from "../../../frame/elements.ts";
import type { TextName } from "../../../language.ts";
import type { FormResult, Screen, StoreVisit, View } from "../../../screen.ts";
import { listField, listOf, queryLeft, thisStep } from "./list-left.ts";
import { askedIn, markOf, type Plan, planOf, updatesOf } from "./plan.ts";
import { type Done, doneIn, tellDone } from "./undo.ts";
import { works } from "./works.ts";

const crumbsOf = (visit: StoreVisit) => [
  { label: visit.language.say("section_products"), address: listOf(visit) },
];

const backLink = (visit: StoreVisit): Html =>
  html`<a class="button" href="${listOf(visit)}">${visit.language.say("together_back")}</a>`;

/** Tells that nothing can be done with what was chosen. */
const refusal = (visit: StoreVisit, fault: TextName): View => ({
  title: visit.language.say("together_title"),
  crumbs: crumbsOf(visit),
  body: html`${notice("bad", visit.language.say(fault))}
${backLink(visit)}`,
});

/** Asks for what the work needs to know. It changes nothing, so it is a part of the address. */
function question(visit: StoreVisit, { asked, categories }: Plan): Html | null {
  const { name, work, value, ids } = asked;
  const { say } = visit.language;
  if (work.needs === null) return null;

  const labels = {
    percent: "together_percent",
    amount: "together_amount",
    category: "category",
    stock: "stock",
  } as const;
  const options = categories.map(
    (category) => html`<option value="${category.id}"
${raw(category.id === value ? "selected" : "")}>${category.name}</option>`,
  );
  const isSigned = work.needs === "percent" || work.needs === "amount";
  const hint = isSigned
    ? html`<p class="soft" id="value-hint">${say("together_signed_hint")}</p>`
    : null;
  const described = raw(isSigned ? 'aria-describedby="value-hint"' : "");
  const control =
    work.needs === "category"
      ? html`<select id="value" name="value">${options}</select>`
      : html`<input id="value" name="value" inputmode="${isSigned ? "text" : "numeric"}"
required autocomplete="off" value="${value}" ${described}>`;
  return html`<form class="card" method="get" action="${visit.path}">
${hidden("work", name)}${ids.map((id) => hidden("id", id))}
${listField(queryLeft(visit))}
<div class="field"><label for="value">${say(labels[work.needs])}</label>${hint}${control}</div>
<div class="actions"><button class="button">${say("together_preview")}</button></div></form>`;
}

/** Shows each product as it is and as it will be. */
function previewTable(visit: StoreVisit, { asked, categories, rows }: Plan): Html {
  const { say } = visit.language;
  const { work } = asked;
  const cells = rows.map(({ product, outcome }): Row => {
    const after =
      "fault" in outcome
        ? html`<span class="error">${say(outcome.fault)}</span>`
        : outcome.changes === null
          ? say("together_same")
          : // The checked fields of a change are those of the product.
            work.show(visit, { ...product, ...outcome.changes } as typeof product, categories);
    return [
      html`<a href="${inStore(visit, ["products", product.id])}">${fullName(product)}</a>`,
      work.show(visit, product, categories),
      after,
    ];
  });
  const columns = [say("product"), say("together_before"), say("together_after")];
  return table({ caption: say(work.label), columns, rows: cells });
}

function previewView(visit: StoreVisit, plan: Plan): View {
  const { asked, isOpen, isShort, rows } = plan;
  const { say, sayCount } = visit.language;
  const products = rows.map(({ product }) => product);
  const { length } = updatesOf(plan);
  const body = html`${hidden("work", asked.name)}${hidden("value", asked.value)}
${products.map(({ id }) => hidden("id", id))}${hidden("seen", markOf(visit, products))}
<div class="actions"><button class="button primary">${sayCount("together_apply", length)}</button>
<a class="button" href="${listOf(visit)}">${say("cancel")}</a></div>`;
  const end =
    length === 0
      ? html`${notice("plain", say("together_nothing"))}${backLink(visit)}`
      : screenForm(visit, { name: "apply", address: thisStep(visit), body });
  const preview = isOpen ? null : html`${previewTable(visit, plan)}${end}`;
  return {
    title: say(asked.work.label),
    crumbs: crumbsOf(visit),
    body: html`${isShort ? notice("warn", say("together_gone")) : null}
${question(visit, plan)}${preview}`,
  };
}

async function doneView(visit: StoreVisit, done: Done): Promise<View> {
  const { parts, store, language, token } = visit;
  const { say, sayCount } = language;
  const { products, before, undo } = done;
  const work = works[done.name];
  const categories = await parts.owner.categories.list(store.id);
  const rows = products.map(
    (product, index): Row => [
      html`<a href="${inStore(visit, ["products", product.id])}">${fullName(product)}</a>`,
      work.show(visit, before[index] ?? product, categories),
      work.show(visit, product, categories),
    ],
  );
  const columns = [say("product"), say("together_before"), say("together_after")];
  const button = formTag({
    address: thisStep(visit, { ask: visit.query.get("ask") }),
    token,
    once: base64url(parts.randomBytes(16)),
    className: "inline",
    body: html`${hidden("do", "undo")}<button class="button">${say("together_undo")}</button>`,
  });
  const late = work.hasUndo ? "together_undo_late" : "together_undo_stock";
  const tables = work.hasUndo ? table({ caption: say(work.label), columns, rows }) : null;
  return {
    title: say(work.label),
    crumbs: crumbsOf(visit),
    body: html`${notice("good", sayCount("together_done", products.length))}
${tables}<div class="actions">${undo === null ? null : button}${backLink(visit)}</div>
${undo === null ? html`<p class="soft">${say(late)}</p>` : null}`,
  };
}

async function show(visit: StoreVisit): Promise<View> {
  const done = await doneIn(visit);
  if (done) return doneView(visit, done);
  const asked = askedIn(visit.query);
  return typeof asked === "string"
    ? refusal(visit, asked)
    : previewView(visit, await planOf(visit, asked));
}

/** Changes the products, unless one of them is no longer as the preview has shown it. */
async function apply(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult> {
  const asked = askedIn(fields);
  if (typeof asked === "string") return { kind: "view", status: 422, view: refusal(visit, asked) };

  const { parts, store, language } = visit;
  const refuse = async (): Promise<FormResult> =>
    conflict(previewView(visit, await planOf(visit, asked)), language.say("together_changed"));
  const plan = await planOf(visit, asked);
  const products = plan.rows.map(({ product }) => product);
  if (plan.isShort || markOf(visit, products) !== fields.get("seen")) return refuse();
  try {
    const made = await parts.owner.products.updateMany(store.id, updatesOf(plan));
    return await tellDone(visit, asked.name, plan.rows, made);
  } catch (error) {
    if (!isStale(error)) throw error;
    return refuse();
  }
}

/** Puts back what was changed, unless something else was changed since. */
async function undo(visit: StoreVisit): Promise<FormResult> {
  const { parts, store, language } = visit;
  const refuse = async (): Promise<FormResult> =>
    conflict(await show(visit), language.say("together_undo_late"));
  const done = await doneIn(visit);
  if (!done?.undo) return refuse();
  try {
    await parts.owner.products.updateMany(store.id, done.undo);
    return { kind: "done", address: listOf(visit), message: "together_undone" };
  } catch (error) {
    if (!isStale(error)) throw error;
    return refuse();
  }
}

/** Works on several products: asks what is needed, shows what changes, does it, and undoes it. */
export const togetherScreen: Screen = {
  path: "products/together",
  section: "products",
  action: "products.update",
  show,
  forms: {
    apply: { action: "products.update", send: apply },
    undo: { action: "products.update", send: undo },
  },
};
