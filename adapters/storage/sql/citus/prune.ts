import { sql } from "kysely";
import type { Pruned, WebhookStore } from "#core/storage/webhook-store.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { type EmptyEvent, emptyEventColumns, emptyEventsQuery } from "../webhooks/prune.ts";
import type { Lanes, ShardPart } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";

interface StoreName {
  readonly store_id: string;
}

interface OldRange {
  readonly before: number;
  readonly limit: number;
}

/** Prunes shard after shard, until `limit` rows of a kind are done. */
export function pruneOnCitus(engine: SqlEngine, lanes: Lanes): WebhookStore["prune"] {
  const findEventStores = lanes.reader(eventStores);
  const findAttemptStores = lanes.reader(attemptStores);
  const findEmpty = lanes.reader(emptyEventsQuery);
  const pruneEvents = pruneEventsStatement(engine);
  const pruneAttempts = pruneAttemptsStatement(engine);
  const forget = forgetStep(engine);

  async function run(
    prune: typeof pruneEvents,
    stores: readonly StoreName[],
    { before, limit }: OldRange,
  ): Promise<number> {
    let done = 0;
    const pruneShard = async (part: ShardPart<StoreName>): Promise<void> => {
      if (done >= limit) return;
      const values = { stores: part.stores, before, limit: limit - done };
      done += (await engine.write(() => many(prune(values)))).length;
    };
    await lanes.writeEach(stores, pruneShard, 1); // shards take turns to keep the limit
    return done;
  }

  async function forgetEvents(range: OldRange): Promise<number> {
    const { rows } = await findEmpty({ ...range });
    const empty = rows.toSorted((a, b) => a.made - b.made).slice(0, range.limit);
    const named = empty.map((event) => ({ ...event, store_id: event.store }));
    const { done } = await lanes.writeEach(named, (part) => engine.write(() => forget(part)));
    return done.reduce((sum, count) => sum + count, 0);
  }

  return async ({ before, forget_before, limit }): Promise<Pruned> => {
    const range = { before, limit };
    const events = await run(pruneEvents, (await findEventStores(range)).rows, range);
    const attempts = await run(pruneAttempts, (await findAttemptStores(range)).rows, range);
    const forgotten = await forgetEvents({ before: forget_before, limit });
    return { events, attempts, forgotten };
  };
}

/** Finds the stores that have old events with their bytes. */
const eventStores = (db: Db) =>
  prepareRaw<StoreName>(
    db,
    (param) => sql<StoreName>`
    select store_id from ${sql.table("events")}
    where body is not null and created_at < ${param("before")} group by store_id`,
  );

/** Finds the stores that have old attempts. */
const attemptStores = (db: Db) =>
  prepareRaw<StoreName>(
    db,
    (param) => sql<StoreName>`
    select store_id from ${sql.table("delivery_attempts")}
    where started_at < ${param("before")} group by store_id`,
  );

const pruneEventsStatement = ({ db }: SqlEngine) =>
  prepareRaw<unknown>(db, (param) => {
    const events = sql.table("events");
    return sql`
    with picked(store, mode, number) as materialized (
      select ev.store_id, ev.livemode, ev.sequence from ${events} as ev
      where ev.store_id ${isOfShard(param)} and ev.body is not null
        and ev.created_at < ${param("before")}
        and ev.sequence < (
          select c.sequence from ${sql.table("counters")} as c
          where c.store_id ${isOfShard(param)} and c.store_id = ev.store_id
            and c.livemode = ev.livemode
        )
        and not exists (
          select 1 from ${sql.table("webhook_endpoints")} as e
          join ${sql.table("deliveries")} as d
            on d.store_id ${isOfShard(param)} and d.store_id = e.store_id
              and d.endpoint_id = e.id and d.event_id = ev.id
          where e.store_id ${isOfShard(param)} and e.store_id = ev.store_id
            and e.livemode = ev.livemode and d.state = 'pending'
        )
      order by ev.created_at limit ${param("limit")} for update of ev
    )
    update ${events} as ev set body = null from picked as p
    where ev.store_id ${isOfShard(param)} and ev.store_id = p.store
      and ev.livemode = p.mode and ev.sequence = p.number
    returning 1 as done`;
  });

const pruneAttemptsStatement = ({ db }: SqlEngine) =>
  prepareRaw<unknown>(db, (param) => {
    const attempts = sql.table("delivery_attempts");
    return sql`
    delete from ${attempts}
    where store_id ${isOfShard(param)} and (store_id, endpoint_id, event_id, attempt) in (
      select a.store_id, a.endpoint_id, a.event_id, a.attempt from ${attempts} as a
      where a.store_id ${isOfShard(param)} and a.started_at < ${param("before")}
      order by a.started_at limit ${param("limit")}
    )
    returning 1 as done`;
  });

/** Deletes events of a shard whose bytes are gone, with their deliveries, and gives how many. */
function forgetStep({ db, dialect }: SqlEngine) {
  const events = (param: Param) => dialect.jsonTable("g", param("events"), emptyEventColumns);
  const deleteDeliveries = prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${sql.table("deliveries")}
    where store_id ${isOfShard(param)} and (store_id, livemode, created_at, event_id) in (
      select g.store, g.mode, g.made, g.event from ${events(param)})`,
  );
  const deleteEvents = prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${sql.table("events")}
    where store_id ${isOfShard(param)} and (store_id, livemode, sequence) in (
      select g.store, g.mode, g.number from ${events(param)})`,
  );

  return function* forget({ items, stores }: ShardPart<EmptyEvent>): QueryGenerator<number> {
    const values = { stores, events: JSON.stringify(items) };
    yield* many(deleteDeliveries(values));
    yield* many(deleteEvents(values));
    return items.length;
  };
}
