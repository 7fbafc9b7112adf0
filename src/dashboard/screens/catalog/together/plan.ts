import type { OwnerCategory } from "../../../../owner/catalog/categories.ts";
import type { ProductUpdate } from "../../../../owner/catalog/product-updates.ts";
import type { OwnerProduct } from "../../../../owner/catalog/products.ts";
import { markOfAll } from "../../../forms/edit-marks.ts";
import type { TextName } from "../../../language.ts";
import { readFew } from "../../../read-few.ts";
import type { StoreVisit } from "../../../screen.ts";
import { productValues } from "../product-form.ts";
import { isWork, type Outcome, type Work, works } from "./works.ts";

/** The most products that fit into an address, together with what an undo needs. */
const mostTogether = 50;

/** What was asked for: a work, what it needs, and the products. */
export interface Asked {
  readonly name: string;
  readonly work: Work;
  readonly value: string;
  readonly ids: readonly string[];
}

/** Reads what an address or a form asks for. */
export function askedIn(fields: URLSearchParams): Asked | TextName {
  const name = fields.get("work");
  const ids = [...new Set(fields.getAll("id"))].filter((id) => id !== "");
  if (!isWork(name) || ids.length === 0) return "together_none";
  if (ids.length > mostTogether) return "together_many";
  return { name, work: works[name], value: fields.get("value")?.trim() ?? "", ids };
}

/** What a work does with one of the products. */
export interface PlannedRow {
  readonly product: OwnerProduct;
  readonly outcome: Outcome;
}

/** Everything that a preview shows. */
export interface Plan {
  readonly asked: Asked;
  readonly categories: readonly OwnerCategory[];
  /** True when something that the work needs was not typed yet. */
  readonly isOpen: boolean;
  readonly rows: readonly PlannedRow[];
  /** True when one of the products does not exist any more. */
  readonly isShort: boolean;
}

/** Reads products by their ids, in this order. */
export async function readProducts(
  { parts, store }: StoreVisit,
  ids: readonly string[],
): Promise<readonly OwnerProduct[]> {
  const found = await readFew(ids, (id) => parts.owner.products.retrieve(store.id, id));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function planOf(visit: StoreVisit, asked: Asked): Promise<Plan> {
  const { parts, store, language } = visit;
  const { work, value, ids } = asked;
  const [products, categories] = await Promise.all([
    readProducts(visit, ids),
    parts.owner.categories.list(store.id),
  ]);
  const isKnown = work.needs !== "category" || categories.some(({ id }) => id === value);
  const isOpen = work.needs !== null && (value === "" || !isKnown);
  const outcomeOf = (product: OwnerProduct): Outcome =>
    isOpen ? { changes: null } : work.change(product, { value, locale: language.locale });
  return {
    asked,
    categories,
    isOpen,
    rows: products.map((product) => ({ product, outcome: outcomeOf(product) })),
    isShort: products.length < ids.length,
  };
}

/** Gives the changes of a plan, each of the product as it was read. */
export const updatesOf = ({ rows }: Pick<Plan, "rows">): readonly ProductUpdate<OwnerProduct>[] =>
  rows.flatMap(({ product, outcome }) =>
    "changes" in outcome && outcome.changes !== null
      ? [{ id: product.id, changes: outcome.changes, expected: product }]
      : [],
  );

/** Marks all that the forms of these products hold, so that any change of one can be seen. */
export const markOf = ({ language }: StoreVisit, products: readonly OwnerProduct[]): string =>
  markOfAll(
    Object.fromEntries(
      products.map((product) => [product.id, [markOfAll(productValues(product, language.locale))]]),
    ),
  );
