import { sql } from "kysely";
import { fromJson } from "../../engine/columns.ts";
import { directionOf } from "../../engine/direction.ts";
import type { Db } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";

/** The tables of the catalog's records. */
export type RecordTable = "products" | "categories" | "payment_methods" | "coupons";

// All four tables have the columns store_id, id and record; Kysely types a query of one table only.
export const recordsOf = (db: Db, table: RecordTable) => db.selectFrom(table as "products");

/** Reads a record by its id. */
export function* findRecord<T>(
  db: Db,
  table: RecordTable,
  store_id: string,
  id: string,
): QueryGenerator<T | null> {
  const row = yield* one(
    recordsOf(db, table).select("record").where("store_id", "=", store_id).where("id", "=", id),
  );
  return row ? fromJson<T>(row.record) : null;
}

interface RecordPage {
  readonly store_id: string;
  /** A unique column of the table. The id is the default. */
  readonly by?: "id" | "code";
  readonly after: string | null;
  readonly descending?: true;
  readonly limit?: number;
}

/** Reads a page of a store's records in the order of their ids, or of another unique column. */
export function* listRecords<T>(
  db: Db,
  table: RecordTable,
  { store_id, by = "id", after, descending, limit }: RecordPage,
): QueryGenerator<readonly T[]> {
  const { way, sign } = directionOf(!descending);
  const column = sql.ref<string>(by);
  let page = recordsOf(db, table).select("record").where("store_id", "=", store_id);
  if (after !== null) page = page.where(column, sign, after);
  page = page.orderBy(column, way);
  if (limit !== undefined) page = page.limit(limit);
  const rows = yield* many(page);
  return rows.map((row) => fromJson<T>(row.record));
}
