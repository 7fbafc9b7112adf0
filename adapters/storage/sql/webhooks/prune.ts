import { sql } from "kysely";
import type { Pruned, WebhookStore } from "#core/storage/webhook-store.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";

type PruneRange = Parameters<WebhookStore["prune"]>[0];

/**
 * Prunes each kind of row, which it finds by an index of its own: a run with
 * nothing to do costs nothing.
 */
export function pruneStep(engine: SqlEngine) {
  const pruneEvents = pruneEventsStatement(engine);
  const pruneAttempts = pruneAttemptsStatement(engine);
  const forgetEvents = forgetEventsStep(engine);

  return function* prune({ before, forget_before, limit }: PruneRange): QueryGenerator<Pruned> {
    const events = yield* many(pruneEvents({ before, limit }));
    const attempts = yield* many(pruneAttempts({ before, limit }));
    const forgotten = yield* forgetEvents(forget_before, limit);

    return { events: events.length, attempts: attempts.length, forgotten };
  };
}

/** Empties old events, except a partition's newest and those with a pending delivery. */
const pruneEventsStatement = ({ db, dialect }: SqlEngine) =>
  prepareRaw<unknown>(
    db,
    (param) => sql`
    with picked(store, mode, number) as materialized (
      select ev.store_id, ev.livemode, ev.sequence from ${sql.table("events")} as ev
      where ev.body is not null and ev.created_at < ${param("before")}
        and ev.sequence < (
          select c.sequence from ${sql.table("counters")} as c
          where c.store_id = ev.store_id and c.livemode = ev.livemode
        )
        and not exists (
          select 1 from ${sql.table("webhook_endpoints")} as e
          join ${sql.table("deliveries")} as d
            on d.store_id = e.store_id and d.endpoint_id = e.id and d.event_id = ev.id
          where e.store_id = ev.store_id and e.livemode = ev.livemode and d.state = 'pending'
        )
      order by ev.created_at limit ${param("limit")} ${dialect.lockText("ev")}
    )
    update ${sql.table("events")} as ev set body = null from picked as p
    where ev.store_id = p.store and ev.livemode = p.mode and ev.sequence = p.number
    returning 1 as done`,
  );

const pruneAttemptsStatement = ({ db }: SqlEngine) =>
  prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${sql.table("delivery_attempts")}
    where (store_id, endpoint_id, event_id, attempt) in (
      select a.store_id, a.endpoint_id, a.event_id, a.attempt
      from ${sql.table("delivery_attempts")} as a
      where a.started_at < ${param("before")}
      order by a.started_at limit ${param("limit")}
    )
    returning 1 as done`,
  );

export interface EmptyEvent {
  readonly store: string;
  readonly mode: 0 | 1;
  readonly number: number;
  readonly event: string;
  readonly made: number;
}

export const emptyEventColumns = {
  store: "text",
  mode: "bigint",
  number: "bigint",
  event: "text",
  made: "bigint",
} as const;

/** Finds events whose bytes are gone. */
export const emptyEventsQuery = (db: Db) =>
  prepareRaw<EmptyEvent>(
    db,
    (param) => sql`
    select store_id as store, livemode as mode, sequence as number, id as event,
      created_at as made
    from ${sql.table("events")}
    where body is null and created_at < ${param("before")}
    order by created_at limit ${param("limit")}`,
  );

/** Deletes events whose bytes are gone, with their deliveries, and gives how many. */
function forgetEventsStep({ db, dialect }: SqlEngine) {
  const find = emptyEventsQuery(db);
  const deleteDeliveries = prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${sql.table("deliveries")}
    where (store_id, livemode, created_at, event_id) in (
      select g.store, g.mode, g.made, g.event
      from ${dialect.jsonTable("g", param("events"), emptyEventColumns)}
    )`,
  );
  const deleteEvents = prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${sql.table("events")}
    where (store_id, livemode, sequence) in (
      select g.store, g.mode, g.number
      from ${dialect.jsonTable("g", param("events"), emptyEventColumns)}
    )`,
  );

  return function* forgetEvents(before: number, limit: number): QueryGenerator<number> {
    const found = yield* many(find({ before, limit }));
    if (found.length === 0) return 0;

    const events = JSON.stringify(found);
    yield* many(deleteDeliveries({ events }));
    yield* many(deleteEvents({ events }));
    return found.length;
  };
}
