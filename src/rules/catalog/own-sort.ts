import { compareIds, compareTexts } from "../../domain/sort.ts";
import { fold } from "../../domain/text/fold.ts";
import type { ProductRecord } from "../records.ts";

/** The orders of an owner's list of products, drafts too. Equal products follow by their ids. */
export const ownSorts = [
  "position",
  "price",
  "-price",
  "newest",
  "oldest",
  "name",
  "-name",
] as const;
/** The name of one of these orders. */
export type OwnSort = (typeof ownSorts)[number];

interface OwnSortKey {
  readonly field: "position" | "price" | "created_at" | "name";
  /** True reverses the whole order, that of the ids included. */
  readonly descending: boolean;
}

export const ownSortKeys: Readonly<Record<OwnSort, OwnSortKey>> = {
  position: { field: "position", descending: false },
  price: { field: "price", descending: false },
  "-price": { field: "price", descending: true },
  newest: { field: "created_at", descending: true },
  oldest: { field: "created_at", descending: false },
  name: { field: "name", descending: false },
  "-name": { field: "name", descending: true },
};

/** What a product is sorted by. A name is folded, cut to 200 letters, and compared by its bytes. */
export type OwnPlace = number | string;

export function ownPlaceOf(record: ProductRecord, sort: OwnSort): OwnPlace {
  const { field } = ownSortKeys[sort];
  return field === "name" ? [...fold(record.name)].slice(0, 200).join("") : record[field];
}

const comparePlaces = (a: OwnPlace, b: OwnPlace): number =>
  typeof a === "number" && typeof b === "number" ? a - b : compareTexts(String(a), String(b));

/** A row of a sorted list, by what it is sorted by. */
export interface OwnPlaced {
  readonly place: OwnPlace;
  readonly id: string;
}

/** Compares the places of two products in an order. */
export function compareOwn(sort: OwnSort): (one: OwnPlaced, other: OwnPlaced) => number {
  const sign = ownSortKeys[sort].descending ? -1 : 1;
  return (one, other) => sign * (comparePlaces(one.place, other.place) || compareIds(one, other));
}

/** An order, and the row before the first one of a page. */
export interface OwnOrder {
  readonly by: OwnSort;
  readonly after: OwnPlaced | null;
}
