import type { Product } from "../../contract/schemas.ts";
import type { ProductRecord } from "../../rules/records.ts";
import { type ColumnsOf, columnsOf } from "./cells.ts";

/** A product as the owner sees it. */
type ProductRow = Omit<Product, "available"> &
  Pick<ProductRecord, "active" | "blocked" | "stock" | "position">;

const tree: ColumnsOf<ProductRow> = {
  id: "text",
  slug: "text",
  name: "text",
  description: "text",
  price: "number",
  compare_at_price: "number",
  currency: "text",
  stock: "number",
  active: "boolean",
  blocked: "boolean",
  position: "number",
  max_quantity: "number",
  promotion: { discount_type: "text", discount_amount: "number" },
  recurring: { interval: "text", interval_count: "number" },
  category_ids: "json",
  images: "json",
  variables: "json",
  created_at: "text",
  updated_at: "text",
};

/** An export of products has these columns, and an import reads them. */
export const productColumns = columnsOf(tree);

/** The library writes these columns itself, so an import passes over them. */
export const writtenByUs: ReadonlySet<string> = new Set(["created_at", "updated_at"]);
