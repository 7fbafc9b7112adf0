import type { StoreRecord } from "#core/rules/records.ts";
import type { AccessStore } from "#core/storage/types.ts";
import { fromJson } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

type Stores = Pick<AccessStore, "findStore" | "listStores" | "listAddresses">;

export function sqlStores(engine: SqlEngine): Stores {
  const { db } = engine;

  return {
    findStore: (value, by = "id") => engine.read(() => findStore(db, by, value)),

    listStores: ({ after, limit }) =>
      engine.read(function* (): QueryGenerator<readonly StoreRecord[]> {
        const page = db
          .selectFrom("stores")
          .select(["record", "catalog_version"])
          .orderBy("id")
          .limit(limit);
        const rows = yield* many(after === null ? page : page.where("id", ">", after));
        return rows.map(readStore);
      }),

    listAddresses: (kind, store_id) =>
      engine.read(function* (): QueryGenerator<readonly string[]> {
        const column = addressColumn[kind];
        const row = yield* one(db.selectFrom("stores").select(column).where("id", "=", store_id));
        return row ? fromJson<string[]>(row[column]) : [];
      }),
  };
}

/** Names the column of each list, which holds a JSON array. */
const addressColumn = { origin: "origins", return_url: "return_urls" } as const;

/** The version has a column of its own, because each write of the catalog increases it. */
export const readStore = (row: Pick<Tables["stores"], "record" | "catalog_version">): StoreRecord =>
  Object.assign(fromJson<StoreRecord>(row.record), { catalog_version: row.catalog_version });

function* findStore(
  db: Db,
  column: "id" | "slug",
  value: string,
): QueryGenerator<StoreRecord | null> {
  const row = yield* one(
    db.selectFrom("stores").select(["record", "catalog_version"]).where(column, "=", value),
  );
  return row ? readStore(row) : null;
}
