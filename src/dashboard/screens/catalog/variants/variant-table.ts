import { z } from "zod";
import { ApiError, isApiError } from "../../../../contract/errors.ts";
import { type Html, html, raw } from "../../../../contract/html.ts";
import { check } from "../../../../input/check.ts";
import { ProductInput } from "../../../../owner/catalog/product-input.ts";
import type { StockLeft } from "../../../../owner/catalog/product-stock.ts";
import type { OwnerProduct } from "../../../../owner/catalog/products.ts";
import { may } from "../../../access/access.ts";
import { inStore } from "../../../addresses.ts";
import { amountInput } from "../../../forms/amount-input.ts";
import { marksField } from "../../../forms/edit-marks.ts";
import type { FormSpec, FormState } from "../../../forms/form.ts";
import { type Field, firstOf, type Values } from "../../../forms/form-field.ts";
import { checkbox } from "../../../forms/render-form.ts";
import { hidden, primaryButton, screenForm, table } from "../../../frame/elements.ts";
import type { StoreVisit } from "../../../screen.ts";
import { stockCell } from "../product-stock.ts";
import { putOf } from "./plan.ts";

/** What the table of variants changes of each row. */
const RowChanges = ProductInput.pick({ price: true, stock: true, sku: true, active: true });
type Column = keyof z.output<typeof RowChanges>;

const columns: readonly Column[] = RowChanges.keyof().options;

const fieldName = (column: string, id: string): string => `${column}-${id}`;

/** Names a variant by its values. */
export const variantLabel = ({ options, name }: Pick<OwnerProduct, "options" | "name">): string =>
  (options ?? []).map(({ value }) => value).join(" · ") || name;

const rowFields = ({ id, currency }: OwnerProduct): readonly Field[] => [
  { name: fieldName("price", id), label: "price", kind: "amount", currency },
  { name: fieldName("stock", id), label: "stock", kind: "number" },
  { name: fieldName("sku", id), label: "sku", kind: "text" },
  { name: fieldName("active", id), label: "product_active", kind: "check" },
];

/** Makes the form of all variants: a field for each column of each row. */
export function tableForm(members: readonly OwnerProduct[]): FormSpec {
  const shapes = members.flatMap(({ id }) =>
    columns.map((column) => [fieldName(column, id), RowChanges.shape[column]] as const),
  );
  return {
    name: "save",
    action: "products.update",
    schema: z.object(Object.fromEntries(shapes)),
    submit: "save",
    groups: [{ title: null, fields: members.flatMap(rowFields) }],
  };
}

/** Gives what the fields of the stored variants hold. */
export const tableValues = (members: readonly OwnerProduct[], locale: string): Values =>
  Object.fromEntries(
    members.flatMap(({ id, price, currency, stock, sku, active }) => [
      [fieldName("price", id), [amountInput(price, currency, locale)]],
      [fieldName("stock", id), [String(stock ?? "")]],
      [fieldName("sku", id), [sku ?? ""]],
      [fieldName("active", id), active ? ["yes"] : []],
    ]),
  );

interface TablePlace {
  readonly members: readonly OwnerProduct[];
  readonly left: ReadonlyMap<string, StockLeft>;
  readonly state: FormState;
}

/** Renders the variants as one form. In a narrow place each row is a card. */
export function variantTable(visit: StoreVisit, place: TablePlace): Html {
  const { say } = visit.language;
  const { members, state } = place;
  const allowed = may(visit.access, "products.update");
  const caption = say("product_variants");
  const heads = [
    say("product_options"),
    say("price"),
    say("stock"),
    say("sku"),
    say("product_active"),
  ];
  const rows = members.map((member) => rowOf(visit, place, member));
  const marks = firstOf(state.values, marksField);
  const body = html`${marks === "" ? null : hidden(marksField, marks)}
${faultList(visit, place)}
<fieldset class="whole variants" ${raw(allowed ? "" : "disabled")}>
${table({ caption, columns: heads, rows })}</fieldset>
${allowed ? html`<div class="actions">${primaryButton(say("save"))}</div>` : null}`;
  return screenForm(visit, { name: "save", body });
}

function rowOf(visit: StoreVisit, { state, left }: TablePlace, member: OwnerProduct) {
  const { say } = visit.language;
  const { id, currency, stock } = member;
  const label = variantLabel(member);
  const input = (column: "price" | "stock" | "sku", type: Html): Html => {
    const name = fieldName(column, id);
    const fault = state.faults.get(name);
    const error = fault ? html`<p class="error" id="${name}-error">${fault}</p>` : null;
    const described = fault ? html`aria-invalid="true" aria-describedby="${name}-error"` : null;
    const typed = html`<input id="${name}" name="${name}" autocomplete="off" ${type} ${described}
aria-label="${say(column)}: ${label}" value="${firstOf(state.values, name)}">`;
    const shown =
      column === "price" ? html`<div class="affix">${typed}<span>${currency}</span></div>` : typed;
    return html`${shown}${error}`;
  };
  const decimal = raw('inputmode="decimal"');
  const count = left.get(id);
  const isSold = count !== undefined && count.on_hand !== stock;
  const active = fieldName("active", id);

  return [
    html`<strong>${label}</strong> <small><a href="${inStore(visit, ["products", id])}">${say(
      "variants_open",
    )}<span class="unseen">: ${label}</span></a></small>`,
    input("price", decimal),
    html`${input("stock", decimal)}${
      isSold ? html`<small>${say("stock_left")}: ${stockCell(visit, member, count)}</small>` : null
    }`,
    input("sku", raw("")),
    checkbox(active, active, {
      value: "yes",
      label: html`<span class="unseen">${say("product_active")}: ${label}</span>`,
      checked: firstOf(state.values, active) !== "",
    }),
  ];
}

/** Says at the top what is wrong, with a link to each field. */
function faultList(visit: StoreVisit, { members, state }: TablePlace): Html | null {
  const { say } = visit.language;
  const { faults, notice } = state;
  if (faults.size === 0)
    return notice === null ? null : html`<p class="notice bad" role="alert">${notice}</p>`;

  const wrong = members.flatMap((member) =>
    rowFields(member).flatMap(({ name, label }) => {
      const fault = faults.get(name);
      const about = `${say(label)}, ${variantLabel(member)}`;
      return fault === undefined ? [] : [html`<li><a href="#${name}">${about}</a>: ${fault}</li>`];
    }),
  );
  return html`<div class="notice bad" role="alert"><p>${notice ?? say("faults_title")}</p>
<ul>${wrong}</ul></div>`;
}

/**
 * Saves the rows that were edited by one call. A stock that was not edited is not written, because
 * buyers may have bought meanwhile.
 */
export async function saveTable(
  { parts, store }: StoreVisit,
  members: readonly OwnerProduct[],
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const edited = members.flatMap((member) => {
    const { id, price, stock, sku, active } = member;
    const typed = Object.fromEntries(
      columns.map((column) => [column, input[fieldName(column, id)]]),
    );
    const changes = aboutField(
      (column) => fieldName(column, id),
      () => check(RowChanges, typed),
    );
    const isStockKept = (changes.stock ?? null) === stock;
    const isKept =
      isStockKept &&
      changes.price === price &&
      (changes.sku ?? null) === (sku ?? null) &&
      changes.active === active;
    const { stock: set, ...others } = changes;
    const put = { ...putOf(member), ...others, ...(isStockKept ? {} : { stock: set ?? null }) };
    return isKept ? [] : [{ member, put }];
  });
  if (edited.length === 0) return;

  const puts = edited.map(({ put }) => put);
  const expected = edited.map(({ member }) => member);
  try {
    await parts.owner.products.putMany(store.id, puts, { expected });
  } catch (error) {
    const [, index = "", column = ""] = /^products\[(\d+)\]\.(\w+)$/.exec(paramOf(error)) ?? [];
    const id = edited[Number(index)]?.member.id;
    const known = columns.find((each) => each === column);
    if (index === "" || id === undefined || !known) throw error;
    throw renamed(error, fieldName(known, id));
  }
}

const paramOf = (error: unknown): string => (isApiError(error) ? (error.param ?? "") : "");

/** Has an error name the field of the form in place of the field of the call. */
const renamed = (error: unknown, name: string): unknown =>
  isApiError(error)
    ? new ApiError(error.code, {
        param: name,
        message: error.message.replace(`${error.param} `, `${name} `),
      })
    : error;

function aboutField<Result>(nameOf: (column: string) => string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw renamed(error, nameOf(paramOf(error)));
  }
}
