import type { AlertRecord, KeyRecord, StoreRecord } from "../../../../src/rules/records.ts";
import type { AccessStore, AddressKind } from "../../../../src/storage/types.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { fromJson, own, toBool } from "../engine/json.ts";
import { many, one, type Step } from "../engine/step.ts";
import type { Tables } from "../schema/tables.ts";
import { createFindAccess } from "./find-access.ts";

const column = { origin: "origins", return_url: "return_urls" } as const satisfies Record<
  AddressKind,
  keyof Tables["stores"]
>;

type StoreRow = Pick<Tables["stores"], "record" | "catalog_version">;
const readStore = (row: StoreRow): StoreRecord =>
  Object.assign(fromJson<StoreRecord>(row.record), { catalog_version: row.catalog_version });
const readKey = (row: Tables["api_keys"]): KeyRecord => ({
  id: row.id,
  store_id: row.store_id,
  livemode: row.livemode === 1,
  kind: row.kind,
  name: row.name,
  scopes: fromJson(row.scopes),
  key_hash: row.key_hash,
  last4: row.last4,
  created_at: row.created_at,
  revoked_at: row.revoked_at,
});

export function sqlAccess(engine: SqlEngine): AccessStore {
  const { db, dialect } = engine;
  const findAccess = createFindAccess(engine);
  const lockStore = (id: string) =>
    dialect.forUpdate(db.selectFrom("stores").selectAll().where("id", "=", id));

  return {
    findAccess,
    createStore: (store) =>
      engine.write(function* (): Step<Awaited<ReturnType<AccessStore["createStore"]>>> {
        const same = yield* one(
          db.selectFrom("stores").select(["record", "catalog_version"]).where("id", "=", store.id),
        );
        if (same) return { outcome: "created", store: readStore(same) };
        const row = {
          id: store.id,
          slug: store.slug,
          catalog_version: store.catalog_version,
          record: JSON.stringify(store),
          origins: "[]",
          return_urls: "[]",
        };
        const made = yield* one(
          db
            .insertInto("stores")
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .returning("id"),
        );
        if (made) return { outcome: "created", store };
        // A repeat of a step whose commit was still under way finds it only now.
        const repeated = yield* one(
          db.selectFrom("stores").select(["record", "catalog_version"]).where("id", "=", store.id),
        );
        return repeated
          ? { outcome: "created", store: readStore(repeated) }
          : { outcome: "slug_taken" };
      }),
    updateStore: (id, changes) =>
      engine.write(function* (): Step<StoreRecord | null> {
        const row = yield* one(lockStore(id));
        if (!row) return null;
        const updated = { ...readStore(row), ...changes, catalog_version: row.catalog_version + 1 };
        yield* many(
          db
            .updateTable("stores")
            .set({ record: JSON.stringify(updated), catalog_version: updated.catalog_version })
            .where("id", "=", id),
        );
        return updated;
      }),
    findStore: (id) =>
      engine.read(function* (): Step<StoreRecord | null> {
        const row = yield* one(
          db.selectFrom("stores").select(["record", "catalog_version"]).where("id", "=", id),
        );
        return row ? readStore(row) : null;
      }),
    listStores: ({ after, limit }) =>
      engine.read(function* (): Step<readonly StoreRecord[]> {
        const query = db
          .selectFrom("stores")
          .select(["record", "catalog_version"])
          .orderBy("id")
          .limit(limit);
        return (yield* many(after === null ? query : query.where("id", ">", after))).map(readStore);
      }),
    createKey: (key) =>
      engine.write(function* (): Step<{ outcome: "created" } | { outcome: "unknown_store" }> {
        const store = yield* one(
          db.selectFrom("stores").select("id").where("id", "=", key.store_id),
        );
        if (!store) return { outcome: "unknown_store" };
        const row = { ...key, livemode: toBool(key.livemode), scopes: JSON.stringify(key.scopes) };
        yield* many(
          db
            .insertInto("api_keys")
            .values(row)
            .onConflict((conflict) => conflict.doNothing()),
        );
        return { outcome: "created" };
      }),
    revokeKey: (store_id, key_id, now) =>
      engine.write(function* (): Step<KeyRecord | null> {
        yield* many(
          db
            .updateTable("api_keys")
            .set({ revoked_at: now })
            .where("store_id", "=", store_id)
            .where("id", "=", key_id)
            .where("revoked_at", "is", null),
        );
        const row = yield* one(
          db
            .selectFrom("api_keys")
            .selectAll()
            .where("store_id", "=", store_id)
            .where("id", "=", key_id),
        );
        return row ? readKey(row) : null;
      }),
    listKeys: (store_id) =>
      engine.read(function* (): Step<readonly KeyRecord[]> {
        return (yield* many(
          db.selectFrom("api_keys").selectAll().where("store_id", "=", store_id).orderBy("id"),
        )).map(readKey);
      }),
    addAddress: (kind, store_id, value, _now, max) =>
      engine.write(function* (): Step<{ outcome: "added" | "limit" | "unknown_store" }> {
        const row = yield* one(lockStore(store_id));
        if (!row) return { outcome: "unknown_store" };
        const known = fromJson<string[]>(row[column[kind]]);
        if (known.includes(value)) return { outcome: "added" };
        if (known.length >= max) return { outcome: "limit" };
        yield* setAddresses(db, kind, store_id, [...known, value]);
        return { outcome: "added" };
      }),
    removeAddress: (kind, store_id, value) =>
      engine.write(function* (): Step<boolean> {
        const row = yield* one(lockStore(store_id));
        const known = row ? fromJson<string[]>(row[column[kind]]) : [];
        if (!known.includes(value)) return false;
        yield* setAddresses(
          db,
          kind,
          store_id,
          known.filter((other) => other !== value),
        );
        return true;
      }),
    listAddresses: (kind, store_id) =>
      engine.read(function* (): Step<readonly string[]> {
        const row = yield* one(
          db.selectFrom("stores").select(column[kind]).where("id", "=", store_id),
        );
        return row ? fromJson<string[]>(Object.values(row)[0] ?? "[]") : [];
      }),
    raiseAlert: (alert, unless_since) =>
      engine.write(function* (): Step<{ raised: boolean }> {
        yield* one(lockStore(alert.store_id)); // two raises of one alert come one after the other
        return { raised: yield* insertAlert(db, alert, unless_since) };
      }),
    listAlerts: (store_id, { before, limit }) =>
      engine.read(function* (): Step<readonly AlertRecord[]> {
        const query = db
          .selectFrom("alerts")
          .selectAll()
          .where("store_id", "=", store_id)
          .orderBy("id", "desc")
          .limit(limit);
        const rows = yield* many(before === null ? query : query.where("id", "<", before));
        return rows.map((row) => ({
          ...row,
          livemode: row.livemode === 1,
          data: fromJson(row.data),
        }));
      }),
  };
}

function* setAddresses(
  db: Db,
  kind: AddressKind,
  store_id: string,
  values: readonly string[],
): Step<void> {
  const text = JSON.stringify(values);
  yield* many(
    db
      .updateTable("stores")
      .set(kind === "origin" ? { origins: text } : { return_urls: text })
      .where("id", "=", store_id),
  );
}

/** False when another one of the same store, mode, type and subject stands there since `unless_since`. Repeated, it gives the first answer. */
export function* insertAlert(db: Db, alert: AlertRecord, unless_since: number): Step<boolean> {
  const rows = yield* many(
    db
      .selectFrom("alerts")
      .select("id")
      .where("store_id", "=", alert.store_id)
      .where("livemode", "=", toBool(alert.livemode))
      .where((eb) =>
        eb.or([
          eb("id", "=", alert.id),
          eb.and([
            eb("type", "=", alert.type),
            eb("subject", "=", alert.subject),
            eb("created_at", ">=", unless_since),
          ]),
        ]),
      ),
  );
  if (rows.length > 0) return rows.some(({ id }) => id === alert.id);
  yield* many(
    db.insertInto("alerts").values({ ...alert, ...own(alert), data: JSON.stringify(alert.data) }),
  );
  return true;
}
