import { type RawBuilder, sql } from "kysely";
import { keptSessionMs } from "#core/rules/checkout/lifetimes.ts";
import type { Storage } from "#core/storage/types.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { deleteOld, type OldKind, oldKinds } from "../purge.ts";
import { distribution } from "../schema/distribution.ts";
import { lookedQuery } from "../stats/session-rollups.ts";
import type { Lanes, ShardPart } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";

interface StoreName {
  readonly store_id: string;
}

/** Deletes old rows. Each shard has statements of its own. */
export function purgeOnCitus(engine: SqlEngine, lanes: Lanes): Storage["purge"] {
  const deleteKind = kindDeleter(engine, lanes);
  const findStores = lanes.reader(sessionStores);
  const findLooked = lanes.reader((db) => () => lookedQuery(db).compile());
  const deleteSessions = deleteSessionsStep(engine);

  return async (now, limit) => {
    // While the node of this row is lost, it is unknown which sessions are counted.
    const { rows: looked } = await findLooked({});
    const before = Math.min(now - keptSessionMs, looked[0]?.until ?? 0);
    let sessions = 0;
    const { rows: stores } = await findStores({ before });
    const deleteOfShard = async (part: ShardPart<StoreName>): Promise<void> => {
      if (sessions >= limit) return;
      const values = { stores: part.stores, before, limit: limit - sessions };
      sessions += await engine.write(() => deleteSessions(values));
    };
    await lanes.writeEach(stores, deleteOfShard, 1); // shards take turns to keep the limit

    let others = 0;
    for (const kind of oldKinds(now)) others += await deleteKind(kind, limit);
    return sessions + others;
  };
}

/** Deletes about `limit` of the oldest rows of a kind that is deleted by age alone. */
export function kindDeleter(engine: SqlEngine, lanes: Lanes) {
  const { db } = engine;
  const find = lanes.reader((names) => ({ kind, limit }: { kind: OldKind; limit: number }) => {
    const time = sql.ref(kind.column);
    return sql<StoreName & { readonly time: number }>`
      select store_id, ${time} as time from ${sql.table(kind.table)}
      where ${time} <= ${kind.before} order by ${time} limit ${limit}`.compile(names);
  });

  const remove = ({ table, column }: OldKind, stores: readonly string[], last: number) =>
    sql`
      delete from ${sql.table(table)} where store_id = any(cast(${stores} as text[]))
        and ${sql.ref(column)} <= ${last}`.compile(db);

  return async (kind: OldKind, limit: number): Promise<number> => {
    if (distribution[kind.table] === "local")
      return engine.write(() => deleteOld(engine, { ...kind, limit }));

    const { rows } = await find({ kind, limit });
    const oldest = rows.toSorted((a, b) => a.time - b.time).slice(0, limit);
    const last = oldest.at(-1)?.time ?? 0;
    const { done } = await lanes.writeEach(oldest, async ({ items, stores }) => {
      await engine.write(() => many(remove(kind, stores, last)));
      return items.length;
    });
    return done.reduce((sum, count) => sum + count, 0);
  };
}

const isOld = sql`status = 'open' and kept = 0`;

/** Finds the stores that have old sessions. */
const sessionStores = (db: Db) =>
  prepareRaw<StoreName>(
    db,
    (param) => sql<StoreName>`
    select store_id from ${sql.table("checkout_sessions")}
    where ${isOld} and expires_at <= ${param("before")} group by store_id`,
  );

interface SessionRange {
  readonly stores: readonly string[];
  readonly before: number;
  readonly limit: number;
}

/** The lock comes first, so that the deletion sees an order that was written meanwhile. */
function deleteSessionsStep(engine: SqlEngine) {
  const { lock, remove, keep } = sessionStatements(engine);

  return function* ({ stores, before, limit }: SessionRange): QueryGenerator<number> {
    const old = yield* many(lock({ stores, before, limit }));
    if (old.length === 0) return 0;

    const sessions = JSON.stringify(old);
    const deleted = yield* many(remove({ stores, sessions }));
    if (deleted.length < old.length) yield* many(keep({ stores, sessions }));
    return deleted.length;
  };
}

function sessionStatements({ db, dialect }: SqlEngine) {
  const table = sql.table("checkout_sessions");
  const columns = { store: "text", mode: "bigint", id: "text" } as const;
  const picked = (param: Param): RawBuilder<unknown> => sql`
    s.store_id ${isOfShard(param)} and (s.store_id, s.livemode, s.id) in (
      select p.store, p.mode, p.id from ${dialect.jsonTable("p", param("sessions"), columns)})`;

  return {
    lock: prepareRaw<{ store: string; mode: 0 | 1; id: string }>(
      db,
      (param) => sql<{ store: string; mode: 0 | 1; id: string }>`
      select store_id as store, livemode as mode, id from ${table}
      where store_id ${isOfShard(param)} and ${isOld} and expires_at <= ${param("before")}
      order by expires_at limit ${param("limit")} for update skip locked`,
    ),
    remove: prepareRaw<unknown>(
      db,
      (param) => sql`
      delete from ${table} as s where ${picked(param)}
        and not exists (
          select 1 from ${sql.table("orders")} as o
          where o.store_id ${isOfShard(param)} and o.store_id = s.store_id
            and o.livemode = s.livemode and o.session_id = s.id)
      returning 1 as done`,
    ),
    keep: prepareRaw<unknown>(
      db,
      (param) => sql`update ${table} as s set kept = 1 where ${picked(param)}`,
    ),
  };
}
