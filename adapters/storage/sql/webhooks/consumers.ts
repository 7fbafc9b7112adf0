import { type Compilable, sql } from "kysely";
import type { EventRecord } from "#core/rules/records.ts";
import type {
  ConsumerClaim,
  ConsumerCursor,
  ConsumerLag,
  ConsumerStore,
  ConsumerWork,
} from "#core/storage/consumer-store.ts";
import { ofPartition } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/** The most stores that a claim tries before it gives up. */
export const maxStores = 16;

export const sqlConsumers = (engine: SqlEngine): ConsumerStore => ({
  claimEvents: (claim) => engine.write(() => claimEvents(engine, claim)),
  advance: (cursor, sequence, leased_until) =>
    engine.write(function* (): QueryGenerator<boolean> {
      // The cursor never moves back: a renewal of the lease may arrive after a later step.
      const furthest = sql<number>`
        case when sequence > ${sequence} then sequence else ${sequence} end`;
      const update = heldCursor(engine.db, cursor)
        .set({ sequence: furthest, leased_until, failures: 0 })
        .returning("sequence");

      return (yield* one(update)) !== undefined;
    }),
  release: (cursor, { failures, retry_at }) =>
    engine.write(function* (): QueryGenerator<void> {
      const released = { lease_token: null, leased_until: retry_at, failures };
      yield* many(heldCursor(engine.db, cursor).set(released));
    }),
  lag: (consumer, store_id) =>
    engine.read(function* (): QueryGenerator<ConsumerLag> {
      return sumOfLags(yield* many(lagQuery(engine.db, consumer, store_id)));
    }),
});

/** Selects the cursor's row, while its lease is still held. */
const heldCursor = (db: Db, { lease_token, ...key }: ConsumerCursor) =>
  updateCursor(db, { ...key, livemode: key.livemode ? 1 : 0 }).where(
    "lease_token",
    "=",
    lease_token,
  );

interface CursorKey {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly consumer: string;
}

const updateCursor = (db: Db, { store_id, livemode, consumer }: CursorKey) =>
  db
    .updateTable("event_cursors")
    .where(ofPartition({ store_id, livemode }))
    .where("consumer", "=", consumer);

function* claimEvents(
  engine: SqlEngine,
  claim: ConsumerClaim,
): QueryGenerator<ConsumerWork | null> {
  for (const store of yield* many(storesWithNews(engine.db, claim))) {
    const work = yield* leaseNews(engine, claim, store);
    if (work) return work;
  }
  return null;
}

/** A store and mode whose counter is ahead of the consumer's cursor. */
export interface StoreWithNews {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly newest: number;
  /** When the last lease ended. It is 0 when there was none. */
  readonly waits_since: number;
}

/** Leases the news of one store. Gives null when another process was faster or all was wiped. */
export function* leaseNews(
  engine: SqlEngine,
  { consumer, lease_token, lease_until, limit, now }: ConsumerClaim,
  { store_id, livemode, newest }: StoreWithNews,
): QueryGenerator<ConsumerWork | null> {
  const { db } = engine;
  const key = { store_id, livemode, consumer };
  const cursor = yield* lockCursor(engine, key, now);
  if (!cursor) return null;

  const events = yield* eventsAfter(db, key, cursor.sequence, limit);
  const last = events.at(-1);
  if (!last) {
    // All its events were wiped. The cursor must move on: otherwise this store would always come
    // before the stores with news.
    yield* many(updateCursor(db, key).set({ sequence: newest }));
    return null;
  }

  yield* many(updateCursor(db, key).set({ lease_token, leased_until: lease_until }));
  return {
    store_id,
    livemode: livemode === 1,
    events: events.filter(({ body }) => body !== null),
    last_sequence: last.sequence,
    failures: cursor.failures,
  };
}

/**
 * Selects the stores whose counter is ahead of the consumer's cursor. Those that
 * have waited longest come first.
 */
export const storesWithNews = (db: Db, { consumer, store_id, now }: ConsumerClaim) =>
  partitionsBehind(db, consumer, store_id)
    .select((eb) => [
      "c.store_id",
      "c.livemode",
      "c.sequence as newest",
      eb.fn.coalesce("k.leased_until", eb.lit(0)).as("waits_since"),
    ])
    .where((eb) => eb(eb.fn.coalesce("k.leased_until", eb.lit(0)), "<=", now))
    .orderBy((eb) => eb.fn.coalesce("k.leased_until", eb.lit(0)))
    .limit(maxStores);

/** Gives one row with the lag of the consumer in one store or, with null, in all. */
export function lagQuery(db: Db, consumer: string, store_id: string | null): Compilable<LagRow> {
  const behind = partitionsBehind(db, consumer, store_id).select((eb) => [
    sql<number>`c.sequence - coalesce(k.sequence, 0)`.as("events"),
    eb
      .selectFrom("events as e")
      .select("e.created_at")
      .whereRef("e.store_id", "=", "c.store_id")
      .whereRef("e.livemode", "=", "c.livemode")
      .where((after) => after("e.sequence", ">", after.fn.coalesce("k.sequence", after.lit(0))))
      .where("e.body", "is not", null)
      .orderBy("e.sequence")
      .limit(1)
      .as("created_at"),
  ]);
  return db
    .selectFrom(behind.as("behind"))
    .select((eb) => [
      eb.fn.countAll<number>().as("partitions"),
      eb.fn.sum<number | null>("events").as("events"),
      eb.fn.min("created_at").as("oldest_created_at"),
    ]);
}

interface LagRow {
  readonly partitions: number;
  /** PostgreSQL gives the sum as a text. It is null when there is nothing to add. */
  readonly events: number | string | null;
  readonly oldest_created_at: number | null;
}

/** Adds up what parts of the storage lag behind. */
export function sumOfLags(rows: readonly LagRow[]): ConsumerLag {
  const oldest = rows.flatMap(({ oldest_created_at }) => oldest_created_at ?? []);
  return {
    partitions: rows.reduce((sum, row) => sum + Number(row.partitions), 0),
    events: rows.reduce((sum, row) => sum + Number(row.events ?? 0), 0),
    oldest_created_at: oldest.length === 0 ? null : Math.min(...oldest),
  };
}

/** Selects the stores and modes whose counter is ahead of the consumer's cursor. */
function partitionsBehind(db: Db, consumer: string, store_id: string | null) {
  const behind = db
    .selectFrom("counters as c")
    .leftJoin("event_cursors as k", (join) =>
      join
        .onRef("k.store_id", "=", "c.store_id")
        .onRef("k.livemode", "=", "c.livemode")
        .on("k.consumer", "=", consumer),
    )
    .where((eb) => eb("c.sequence", ">", eb.fn.coalesce("k.sequence", eb.lit(0))));

  return store_id === null ? behind : behind.where("c.store_id", "=", store_id);
}

/**
 * Locks the cursor, and makes it if it is missing. It gives undefined when another
 * process holds it.
 */
function* lockCursor({ db, dialect }: SqlEngine, key: CursorKey, now: number) {
  const first = { ...key, sequence: 0, lease_token: null, leased_until: 0, failures: 0 };
  yield* many(
    db
      .insertInto("event_cursors")
      .values(first)
      .onConflict((conflict) => conflict.doNothing()),
  );

  return yield* one(
    dialect.skipLocked(
      db
        .selectFrom("event_cursors")
        .select(["sequence", "failures"])
        .where(ofPartition(key))
        .where("consumer", "=", key.consumer)
        .where("leased_until", "<=", now),
    ),
  );
}

function* eventsAfter(
  db: Db,
  { store_id, livemode }: CursorKey,
  sequence: number,
  limit: number,
): QueryGenerator<readonly EventRecord[]> {
  const rows = yield* many(
    db
      .selectFrom("events")
      .selectAll()
      .where(ofPartition({ store_id, livemode }))
      .where("sequence", ">", sequence)
      .orderBy("sequence")
      .limit(limit),
  );
  return rows.map((row) => ({ ...row, livemode: row.livemode === 1 }));
}
