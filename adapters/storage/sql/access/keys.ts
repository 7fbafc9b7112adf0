import { type Selectable, sql } from "kysely";
import { type KeyUse, keyUseStepMs, type StoredKey } from "#core/rules/owner/key-use.ts";
import type { KeyRecord } from "#core/rules/records.ts";
import type { AccessStore } from "#core/storage/types.ts";
import { fromJson, toBool } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { noteChange } from "../engine/note-change.ts";
import { changed, many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

type Keys = Pick<AccessStore, "createKey" | "revokeKey" | "listKeys" | "noteKeyUses">;
type CreateResult = Awaited<ReturnType<AccessStore["createKey"]>>;

export function sqlKeys(engine: SqlEngine): Keys {
  const { db } = engine;

  return {
    createKey: (key) => engine.write(() => createKey(engine, key)),

    revokeKey: (store_id, key_id, now) =>
      engine.write(function* (): QueryGenerator<StoredKey | null> {
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
      engine.read(function* (): QueryGenerator<readonly StoredKey[]> {
        const rows = yield* many(keysOf(db, store_id).orderBy("id"));
        return rows.map(readKey);
      }),

    // This write does not wait for the disk: a power cut may lose the last uses.
    noteKeyUses: (uses) => engine.writeRelaxed(() => noteUses(engine, uses)),
  };
}

const keysOf = (db: Db, store_id: string) =>
  db.selectFrom("api_keys").selectAll().where("store_id", "=", store_id);

const readKey = (row: Selectable<Tables["api_keys"]>): StoredKey => ({
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
  last_used_at: row.last_used_at,
});

const useColumns = { key_hash: "text", used_at: "bigint" } as const;

/**
 * The condition is that of `isNewUse`: a key that was noted within the hour is not written. The
 * keys are locked in order, so that two machines that note the same ones never wait for each
 * other in a circle.
 */
function* noteUses({ db, dialect }: SqlEngine, uses: readonly KeyUse[]): QueryGenerator<void> {
  const rows = dialect.jsonTable("j", sql<string>`${JSON.stringify(uses)}`, useColumns);
  const keys = sql.table("api_keys");
  yield* many(
    sql`
      with u as materialized (select * from ${rows}),
      due as materialized (
        select held.key_hash, u.used_at from ${keys} as held, u
        where held.key_hash = u.key_hash and held.revoked_at is null
          and (held.last_used_at is null
            or held.last_used_at <= u.used_at - ${sql.lit(keyUseStepMs)})
        order by held.key_hash ${dialect.lockText("held")})
      update ${keys} as held set last_used_at = due.used_at from due
      where held.key_hash = due.key_hash`.compile(db),
  );
}

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
