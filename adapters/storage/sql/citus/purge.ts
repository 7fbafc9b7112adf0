import { sql } from "kysely";
import { keptSessionMs } from "../../../../src/rules/lifetimes.ts";
import type { Storage } from "../../../../src/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { purgeByAge } from "../purge.ts";
import { countedBefore } from "../session-rollups.ts";

/** Deletes old rows on all shards, and the old sessions of each store on its own shard. */
export function purgeOnCitus(engine: SqlEngine): Storage["purge"] {
  const statements = sessionStatements(engine);

  return async (now, limit) => {
    const before = await engine.read(() => countedBefore(engine.db, now - keptSessionMs));
    let sessions = 0;
    for (const { store_id } of await engine.read(() => many(statements.stores({ before })))) {
      if (sessions >= limit) break;
      const values = { store_id, before, limit: limit - sessions };
      sessions += await engine.write(() => deleteSessions(statements, values));
    }
    return sessions + (await engine.write(() => purgeByAge(engine, now, limit)));
  };
}

interface StoreRange {
  readonly store_id: string;
  readonly before: number;
  readonly limit: number;
}

/** The lock comes first, so that the deletion sees an order that was written meanwhile. */
function* deleteSessions(
  { lock, remove, keep }: ReturnType<typeof sessionStatements>,
  { store_id, before, limit }: StoreRange,
): QueryGenerator<number> {
  const old = yield* many(lock({ store_id, before, limit }));
  if (old.length === 0) return 0;

  const sessions = JSON.stringify(old);
  const deleted = yield* many(remove({ store_id, sessions }));
  if (deleted.length < old.length) yield* many(keep({ store_id, sessions }));
  return deleted.length;
}

function sessionStatements({ db, dialect }: SqlEngine) {
  const table = sql.table("checkout_sessions");
  const isOld = sql`status = 'open' and kept = 0`;
  const columns = { mode: "bigint", id: "text" } as const;

  return {
    stores: prepareRaw<{ store_id: string }>(
      db,
      (param) => sql<{ store_id: string }>`
      select store_id from ${table} where ${isOld} and expires_at <= ${param("before")}
      group by store_id`,
    ),
    lock: prepareRaw<{ mode: 0 | 1; id: string }>(
      db,
      (param) => sql<{ mode: 0 | 1; id: string }>`
      select livemode as mode, id from ${table}
      where store_id = ${param("store_id")} and ${isOld} and expires_at <= ${param("before")}
      order by expires_at limit ${param("limit")} for update skip locked`,
    ),
    remove: prepareRaw<unknown>(
      db,
      (param) => sql`
      delete from ${table} as s where s.store_id = ${param("store_id")}
        and (s.livemode, s.id) in (
          select p.mode, p.id from ${dialect.jsonTable("p", param("sessions"), columns)})
        and not exists (
          select 1 from ${sql.table("orders")} as o
          where o.store_id = ${param("store_id")} and o.livemode = s.livemode
            and o.session_id = s.id)
      returning 1 as done`,
    ),
    keep: prepareRaw<unknown>(
      db,
      (param) => sql`
      update ${table} as s set kept = 1 where s.store_id = ${param("store_id")}
        and (s.livemode, s.id) in (
          select p.mode, p.id from ${dialect.jsonTable("p", param("sessions"), columns)})`,
    ),
  };
}
