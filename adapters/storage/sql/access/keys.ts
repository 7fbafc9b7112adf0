import type { KeyRecord } from "../../../../src/rules/records.ts";
import type { AccessStore } from "../../../../src/storage/types.ts";
import { fromJson, toBool } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { noteChange } from "../engine/note-change.ts";
import { changed, many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

type Keys = Pick<AccessStore, "createKey" | "revokeKey" | "listKeys">;
type CreateResult = Awaited<ReturnType<AccessStore["createKey"]>>;

export function sqlKeys(engine: SqlEngine): Keys {
  const { db } = engine;

  return {
    createKey: (key) => engine.write(() => createKey(engine, key)),

    revokeKey: (store_id, key_id, now) =>
      engine.write(function* (): QueryGenerator<KeyRecord | null> {
        const revoked = yield* changed(
          db
            .updateTable("api_keys")
            .set({ revoked_at: now })
            .where("store_id", "=", store_id)
            .where("id", "=", key_id)
            .where("revoked_at", "is", null)
            .compile(),
        );
        const row = yield* one(keysOf(db, store_id).where("id", "=", key_id));
        if (!row) return null;

        const key = readKey(row);
        const before = { ...key, revoked_at: null };
        if (revoked)
          yield* noteChange(engine, { kind: "record", type: "api_key", before, after: key });
        return key;
      }),

    listKeys: (store_id) =>
      engine.read(function* (): QueryGenerator<readonly KeyRecord[]> {
        const rows = yield* many(keysOf(db, store_id).orderBy("id"));
        return rows.map(readKey);
      }),
  };
}

const keysOf = (db: Db, store_id: string) =>
  db.selectFrom("api_keys").selectAll().where("store_id", "=", store_id);

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

function* createKey(engine: SqlEngine, key: KeyRecord): QueryGenerator<CreateResult> {
  const { db } = engine;
  const store = yield* one(db.selectFrom("stores").select("id").where("id", "=", key.store_id));
  if (!store) return { outcome: "unknown_store" };

  const row = { ...key, livemode: toBool(key.livemode), scopes: JSON.stringify(key.scopes) };
  const created = yield* changed(
    db
      .insertInto("api_keys")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
  );
  if (created)
    yield* noteChange(engine, { kind: "record", type: "api_key", before: null, after: key });
  return { outcome: "created" };
}
