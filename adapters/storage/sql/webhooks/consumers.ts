import { sql } from "kysely";
import type {
  ConsumerCursor,
  ConsumerStore,
  ConsumerWork,
} from "../../../../src/storage/consumer-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

export function sqlConsumers(engine: SqlEngine): ConsumerStore {
  const { db, dialect } = engine;
  const held = ({ store_id, livemode, consumer, lease_token }: ConsumerCursor) =>
    db
      .updateTable("event_cursors")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode ? 1 : 0)
      .where("consumer", "=", consumer)
      .where("lease_token", "=", lease_token);

  return {
    claimEvents: ({ consumer, store_id, now, lease_until, lease_token, limit }) =>
      engine.write(function* (): QueryGenerator<ConsumerWork | null> {
        // Stores with news: a counter that is ahead of the consumer's cursor.
        let news = db
          .selectFrom("counters as c")
          .leftJoin("event_cursors as k", (join) =>
            join
              .onRef("k.store_id", "=", "c.store_id")
              .onRef("k.livemode", "=", "c.livemode")
              .on("k.consumer", "=", consumer),
          )
          .select(["c.store_id", "c.livemode", "c.sequence as newest"])
          .where((eb) => eb("c.sequence", ">", eb.fn.coalesce("k.sequence", eb.lit(0))))
          .where((eb) => eb(eb.fn.coalesce("k.leased_until", eb.lit(0)), "<=", now));
        if (store_id !== null) news = news.where("c.store_id", "=", store_id);
        for (const { store_id: own, livemode, newest } of yield* many(
          news.orderBy((eb) => eb.fn.coalesce("k.leased_until", eb.lit(0))).limit(16),
        )) {
          yield* many(
            db
              .insertInto("event_cursors")
              .values({
                store_id: own,
                livemode,
                consumer,
                sequence: 0,
                lease_token: null,
                leased_until: 0,
                failures: 0,
              })
              .onConflict((conflict) => conflict.doNothing()),
          );
          const mine = db
            .selectFrom("event_cursors")
            .select(["sequence", "failures"])
            .where("store_id", "=", own)
            .where("livemode", "=", livemode);
          const cursor = yield* one(
            dialect.skipLocked(
              mine.where("consumer", "=", consumer).where("leased_until", "<=", now),
            ),
          );
          if (!cursor) continue; // another process was faster
          const rows = yield* many(
            db
              .selectFrom("events")
              .selectAll()
              .where("store_id", "=", own)
              .where("livemode", "=", livemode)
              .where("sequence", ">", cursor.sequence)
              .orderBy("sequence")
              .limit(limit),
          );
          const last = rows.at(-1);
          if (!last) {
            // All of it was wiped: with the cursor left behind, such stores would stand before those with news for ever.
            yield* many(
              db
                .updateTable("event_cursors")
                .set({ sequence: newest })
                .where("store_id", "=", own)
                .where("livemode", "=", livemode)
                .where("consumer", "=", consumer),
            );
            continue;
          }
          yield* many(
            db
              .updateTable("event_cursors")
              .set({ lease_token, leased_until: lease_until })
              .where("store_id", "=", own)
              .where("livemode", "=", livemode)
              .where("consumer", "=", consumer),
          );
          const events = rows
            .map((row) => ({ ...row, livemode: row.livemode === 1 }))
            .filter((event) => event.body !== null);
          return {
            store_id: own,
            livemode: livemode === 1,
            events,
            last_sequence: last.sequence,
            failures: cursor.failures,
          };
        }
        return null;
      }),
    advance: (cursor, sequence, leased_until) =>
      engine.write(function* (): QueryGenerator<boolean> {
        // Never back: a renewal of the lease may arrive behind the step it was sent before.
        const furthest = sql<number>`case when sequence > ${sequence} then sequence else ${sequence} end`;
        return (
          (yield* one(
            held(cursor)
              .set({ sequence: furthest, leased_until, failures: 0 })
              .returning("sequence"),
          )) !== undefined
        );
      }),
    release: (cursor, { failures, retry_at }) =>
      engine.write(function* (): QueryGenerator<void> {
        yield* many(held(cursor).set({ lease_token: null, leased_until: retry_at, failures }));
      }),
  };
}
