import { z } from "zod";
import { ProductChanges } from "../../../../owner/catalog/product-input.ts";
import type { ProductUpdate } from "../../../../owner/catalog/product-updates.ts";
import type { OwnerProduct } from "../../../../owner/catalog/products.ts";
import { ask, askedOf } from "../../../question.ts";
import type { FormResult, StoreVisit } from "../../../screen.ts";
import { listLeft } from "./list-left.ts";
import { markOf, type PlannedRow, readProducts } from "./plan.ts";
import { isWork, type WorkName, works } from "./works.ts";

// What was changed is told at an address of its own, which carries what an undo puts back, sealed
// for this browser and person.

const Before = z.array(z.tuple([z.string(), ProductChanges]));

/** A longer text would make an address that a proxy refuses. Then there is no undo. */
const longest = 4_000;

/** Leads to the page that tells what was changed. */
export function tellDone(
  visit: StoreVisit,
  name: string,
  rows: readonly PlannedRow[],
  changed: readonly OwnerProduct[],
): Promise<FormResult> {
  const ids = new Set(changed.map(({ id }) => id));
  const own = isWork(name) && works[name].hasUndo ? works[name] : null;
  const before = rows
    .filter(({ product }) => ids.has(product.id))
    .map(({ product }) => [product.id, own?.back(product) ?? {}]);
  const text = JSON.stringify(before);
  const isLong = text.length > longest;
  const named = JSON.stringify(before.map(([id]) => [id, {}]));
  const told = {
    work: [name],
    before: [isLong ? named : text],
    mark: [isLong ? "" : markOf(visit, changed)],
  };
  return ask(visit, told, listLeft(visit));
}

/** What was changed, and whether it can be undone. */
export interface Done {
  readonly name: WorkName;
  readonly products: readonly OwnerProduct[];
  /** The products as they were, as far as the work has changed them. */
  readonly before: readonly OwnerProduct[];
  /** Null when there is no undo, or something was changed since. */
  readonly undo: readonly ProductUpdate<OwnerProduct>[] | null;
}

/** Reads what the address of a visit tells of. Gives null for any other address. */
export async function doneIn(visit: StoreVisit): Promise<Done | null> {
  const values = await askedOf(visit);
  const name = values?.["work"]?.[0] ?? null;
  if (values === null || !isWork(name)) return null;

  const told = Before.parse(JSON.parse(values["before"]?.[0] ?? "[]"));
  const changes = new Map(told);
  const products = await readProducts(visit, [...changes.keys()]);
  const isSame =
    products.length === changes.size && markOf(visit, products) === values["mark"]?.[0];
  const undo = products.map((product) => ({
    id: product.id,
    changes: changes.get(product.id) ?? {},
    expected: product,
  }));
  return {
    name,
    products,
    // The changes that put a product back are fields of it.
    before: products.map((product) => ({ ...product, ...changes.get(product.id) }) as OwnerProduct),
    undo: isSame && works[name].hasUndo ? undo : null,
  };
}
