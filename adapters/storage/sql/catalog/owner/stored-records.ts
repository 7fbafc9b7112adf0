import { isStale } from "#core/rules/catalog/catalog-writes.ts";
import { fromJson } from "../../engine/columns.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";

type RecordTable = "products" | "categories" | "payment_methods" | "coupons";

interface RecordKey {
  readonly store_id: string;
  readonly id: string;
}

// All four tables have the columns store_id, id and record; Kysely types a query of one table only.
const recordsOf = (db: Db, table: RecordTable) => db.selectFrom(table as "products");

/**
 * Tells whether another writer has replaced the record `before`, which a change was
 * computed from. Call it under the lock of the store's row.
 */
export function* isRecordStale(
  db: Db,
  table: RecordTable,
  before: RecordKey | undefined,
): QueryGenerator<boolean> {
  if (before === undefined) return false;

  const row = yield* one(
    recordsOf(db, table)
      .select("record")
      .where("store_id", "=", before.store_id)
      .where("id", "=", before.id),
  );
  return isStale(row && fromJson<object>(row.record), before);
}

/** Reads a page of a store's records in the order of their ids. */
export function* listRecords<T>(
  db: Db,
  table: RecordTable,
  { store_id, after, limit }: { store_id: string; after: string | null; limit: number },
): QueryGenerator<readonly T[]> {
  const page = recordsOf(db, table)
    .select("record")
    .where("store_id", "=", store_id)
    .orderBy("id")
    .limit(limit);
  const rows = yield* many(after === null ? page : page.where("id", ">", after));
  return rows.map((row) => fromJson<T>(row.record));
}

/**
 * Reads, for the audit log, the record that a write of the owner is about to
 * replace. Without an author it reads nothing and gives null. Call it while the
 * store's row is locked.
 */
export function* recordToReplace(
  { db, author }: SqlEngine,
  table: RecordTable,
  { store_id, id }: RecordKey,
): QueryGenerator<RecordKey | null> {
  if (!author) return null;

  const row = yield* one(
    recordsOf(db, table).select("record").where("store_id", "=", store_id).where("id", "=", id),
  );
  return row ? fromJson<RecordKey>(row.record) : null;
}

/** Deletes a record and gives it. It gives null when there was none. */
export function* deleteRecord(
  db: Db,
  table: RecordTable,
  { store_id, id }: RecordKey,
): QueryGenerator<RecordKey | null> {
  const deleted = yield* one(
    db
      .deleteFrom(table as "products")
      .where("store_id", "=", store_id)
      .where("id", "=", id)
      .returning("record"),
  );
  return deleted ? fromJson<RecordKey>(deleted.record) : null;
}
