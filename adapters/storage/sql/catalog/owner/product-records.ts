import type { ProductRecord } from "#core/rules/records.ts";
import { fromJson } from "../../engine/columns.ts";
import type { Db } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { chunks } from "./chunks.ts";

/** Reads a few products of a store by their ids or slugs, in any order. */
export function* findRecords(
  db: Db,
  store_id: string,
  values: readonly string[],
  by: "id" | "slug" | "external_id" = "id",
): QueryGenerator<readonly ProductRecord[]> {
  const rows = yield* many(
    db
      .selectFrom("products")
      .select("record")
      .where("store_id", "=", store_id)
      .where(by, "in", values),
  );
  return rows.map((row) => fromJson<ProductRecord>(row.record));
}

/** Reads any number of them. */
export function* findAllRecords(
  db: Db,
  store_id: string,
  values: readonly string[],
  by: "id" | "slug" | "external_id" = "id",
): QueryGenerator<readonly ProductRecord[]> {
  const found: ProductRecord[] = [];
  for (const chunk of chunks(values)) found.push(...(yield* findRecords(db, store_id, chunk, by)));
  return found;
}
