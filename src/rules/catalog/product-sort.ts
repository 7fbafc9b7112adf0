import type { ProductSort } from "../../contract/schemas.ts";
import type { ProductRecord } from "../records.ts";

/** An order that each product has its place in by itself, whatever is searched. */
type PlainSort = Exclude<ProductSort, "relevance">;

/** What a product list is sorted by. Equal products follow by their ids. */
export interface SortKey {
  readonly field: keyof Pick<ProductRecord, "position" | "price" | "created_at">;
  /** True turns the whole order round, that of the ids too. */
  readonly descending: boolean;
}

const sortKeys: Readonly<Record<PlainSort, SortKey>> = {
  position: { field: "position", descending: false },
  price: { field: "price", descending: false },
  "-price": { field: "price", descending: true },
  newest: { field: "created_at", descending: true },
};

/** Gives the key of an order. A list by relevance is read by position, and its hits are ranked. */
export const sortKeyOf = (sort: ProductSort): SortKey =>
  sortKeys[sort === "relevance" ? "position" : sort];
