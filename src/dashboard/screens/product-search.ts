import { type Html, html, raw } from "../../contract/html.ts";
import type { Page } from "../../contract/routes.ts";
import type { OwnerProduct } from "../../owner/catalog/products.ts";
import { enterField, firstOf, type Values } from "../forms/form-field.ts";
import { hidden } from "../frame/elements.ts";
import type { Language } from "../language.ts";
import type { StoreVisit } from "../screen.ts";

// A search for products inside a form. It is a button of that form, so that nothing that was
// typed is lost and no script is needed.

const textField = "product_search";
/** The button's value: empty for the first page, else the cursor of the next one. */
const buttonField = "product_find";
/** The text of the search whose results the form shows. */
const doneField = "product_searched";

// The form's preparation hands what it has found to the form through these values.
const foundField = "product_found";
const namesField = "product_names";
const nextField = "product_next";

const perPage = 20;
const firstPage = "first";

/** Says whether the form was sent to search: by the button, or by Enter behind a new text. */
export function isSearch(values: Values): boolean {
  if (firstOf(values, buttonField) !== "") return true;
  const text = firstOf(values, textField).trim();
  return firstOf(values, enterField) !== "" && text !== "" && text !== firstOf(values, doneField);
}

/** Looks for products. A form that shows results already gets them again. */
export async function findProducts(
  { parts, store }: StoreVisit,
  values: Values,
): Promise<Page<OwnerProduct> | null> {
  const search = firstOf(values, textField).trim().slice(0, 100);
  if (!isSearch(values) && firstOf(values, doneField) === "") return null;

  const button = firstOf(values, buttonField);
  const starting_after = button === "" || button === firstPage ? null : button;
  return parts.owner.products.list(store.id, {
    search: search === "" ? undefined : search,
    limit: perPage,
    starting_after,
  });
}

/** Adds what was found to the values that the form shows, with the names of all its products. */
export function findWith(
  values: Values,
  found: Page<OwnerProduct> | null,
  names: ReadonlyMap<string, string>,
): Values {
  const products = found?.data ?? [];
  const all = new Map([...names, ...products.map(({ id, name }) => [id, name] as const)]);
  return {
    ...values,
    [buttonField]: [],
    [doneField]: found === null ? [] : [firstOf(values, textField).trim() || " "],
    [foundField]: products.map(({ id }) => id),
    [namesField]: [...all].map((pair) => JSON.stringify(pair)),
    [nextField]: found?.next_cursor ? [found.next_cursor] : [],
  };
}

interface Found {
  readonly ids: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}

/** Gives what was found. A form that was sent holds nothing of it: its preparation sets it. */
export const foundOf = (values: Values): Found => ({
  ids: values[foundField] ?? [],
  names: new Map((values[namesField] ?? []).map((pair) => JSON.parse(pair) as [string, string])),
});

/** Renders the field and button of the search, and the boxes of what it has found. */
export function searchBox({ say }: Language, values: Values, boxes: readonly Html[]): Html {
  const done = firstOf(values, doneField);
  const next = firstOf(values, nextField);
  const button = (value: string, label: string): Html =>
    html`<button class="button" name="${buttonField}" value="${value}">${label}</button>`;

  const results = html`${hidden(doneField, done)}<div data-unsaved role="status">${
    boxes.length === 0
      ? html`<p class="soft">${say("product_search_none")}</p>`
      : html`<div class="columns">${boxes}</div>`
  }</div>${next === "" ? null : button(next, say("next_page"))}`;
  return html`<div class="field"><label for="${textField}">${say("product_search")}</label>
<p class="soft" id="${textField}-hint">${say("product_search_hint")}</p>
<div class="search-row"><input id="${textField}" name="${textField}" type="search" maxlength="100"
value="${firstOf(values, textField)}" autocomplete="off" aria-describedby="${textField}-hint"
${raw(done === "" ? "" : "autofocus")}>${button(firstPage, say("filter_apply"))}</div>
${done === "" ? null : results}</div>`;
}
