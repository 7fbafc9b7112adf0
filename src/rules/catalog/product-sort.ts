import type { ProductSort } from "../../contract/schemas.ts";
import type { ProductRecord } from "../records.ts";

/** An order that each product has its place in by itself, whatever is searched. */
export type PlainSort = Exclude<ProductSort, "relevance">;

/** Says what a product list is sorted by. Equal products follow by their ids. */
export interface SortKey {
  readonly field: keyof Pick<ProductRecord, "position" | "price" | "created_at">;
  /** True turns the whole order round, that of the ids too. */
  readonly descending: boolean;
}

/** The field that each order of products sorts by. */
export const sortKeys: Readonly<Record<PlainSort, SortKey>> = {
  position: { field: "position", descending: false },
  price: { field: "price", descending: false },
  "-price": { field: "price", descending: true },
  newest: { field: "created_at", descending: true },
};
