import type { ProductRecord } from "#core/rules/records.ts";
import { fromJson } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { storedProducts } from "./stored-products.ts";

/** Reads any number of products of a store by their ids or slugs, in any order. */
export function* findAllRecords(
  engine: SqlEngine,
  store_id: string,
  values: readonly string[],
  by: "id" | "slug" | "external_id" = "id",
): QueryGenerator<readonly ProductRecord[]> {
  if (values.length === 0) return [];
  const rows = yield* many(storedProducts(engine, store_id, values, by).select("record"));
  return rows.map((row) => fromJson<ProductRecord>(row.record));
}
