import { type Selectable, sql } from "kysely";
import { type KeyUse, keyUseStepMs, type StoredKey } from "#core/rules/owner/key-use.ts";
import type { AccessStore } from "#core/storage/types.ts";
import { fromJson } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

type Keys = Pick<AccessStore, "listKeys" | "noteKeyUses">;

export function sqlKeys(engine: SqlEngine): Keys {
  const { db } = engine;

  return {
    listKeys: (store_id) =>
      engine.read(function* (): QueryGenerator<readonly StoredKey[]> {
        const rows = yield* many(keysOf(db, store_id).orderBy("id"));
        return rows.map(readKey);
      }),

    // This write does not wait for the disk: a power cut may lose the last uses.
    noteKeyUses: (uses) => engine.writeRelaxed(() => noteUses(engine, uses)),
  };
}

export const keysOf = (db: Db, store_id: string) =>
  db.selectFrom("api_keys").selectAll().where("store_id", "=", store_id);

export const readKey = (row: Selectable<Tables["api_keys"]>): StoredKey => ({
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
