import { storeChanged } from "#core/rules/audit/audit-changes.ts";
import { isStoreStale } from "#core/rules/catalog/catalog-writes.ts";
import type { StoreRecord } from "#core/rules/records.ts";
import type { AccessStore } from "#core/storage/types.ts";
import { fromJson } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { noteChange } from "../engine/note-change.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";
import { lockStore } from "./lock-store.ts";

type Stores = Pick<
  AccessStore,
  "createStore" | "updateStore" | "findStore" | "findStoreBySlug" | "listStores"
>;
type CreateResult = Awaited<ReturnType<AccessStore["createStore"]>>;
type StoreChanges = Parameters<AccessStore["updateStore"]>[1];

export function sqlStores(engine: SqlEngine): Stores {
  const { db } = engine;

  return {
    createStore: (store) => engine.write(() => createStore(engine, store)),
    updateStore: (id, changes, before) =>
      engine.write(() => updateStore(engine, { id, before }, changes)),
    findStore: (id) => engine.read(() => findStore(db, "id", id)),
    findStoreBySlug: (slug) => engine.read(() => findStore(db, "slug", slug)),

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
  };
}

/** The version has a column of its own, because each write of the catalog increases it. */
const readStore = (row: Pick<Tables["stores"], "record" | "catalog_version">): StoreRecord =>
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

function* createStore(engine: SqlEngine, store: StoreRecord): QueryGenerator<CreateResult> {
  const { db } = engine;
  const known = yield* findStore(db, "id", store.id);
  if (known) return { outcome: "created", store: known };

  const row = {
    id: store.id,
    slug: store.slug,
    catalog_version: store.catalog_version,
    record: JSON.stringify(store),
    origins: "[]",
    return_urls: "[]",
  };
  const inserted = yield* one(
    db
      .insertInto("stores")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id"),
  );
  if (inserted) {
    yield* noteChange(engine, storeChanged(null, store));
    return { outcome: "created", store };
  }

  // The call may repeat one whose commit was still under way above: its store is there by now.
  const repeated = yield* findStore(db, "id", store.id);
  return repeated ? { outcome: "created", store: repeated } : { outcome: "slug_taken" };
}

function* updateStore(
  engine: SqlEngine,
  { id, before }: { readonly id: string; readonly before: StoreRecord | undefined },
  changes: StoreChanges,
): QueryGenerator<StoreRecord | "stale" | null> {
  const row = yield* one(lockStore(engine, id));
  if (!row) return null;
  const stored = readStore(row);
  if (isStoreStale(stored, before)) return "stale";

  const catalog_version = row.catalog_version + 1;
  const updated = { ...stored, ...changes, catalog_version };
  yield* many(
    engine.db
      .updateTable("stores")
      .set({ record: JSON.stringify(updated), catalog_version })
      .where("id", "=", id),
  );
  yield* noteChange(engine, storeChanged(stored, updated));
  return updated;
}
