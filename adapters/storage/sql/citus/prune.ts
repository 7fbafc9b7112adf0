import { sql } from "kysely";
import type { Pruned, WebhookStore } from "../../../../src/storage/webhook-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw } from "../engine/queries.ts";
import { forgetEventsStep } from "../webhooks/prune.ts";

/** Prunes store after store, each on its own shard, until `limit` rows are done. */
export function pruneOnCitus(engine: SqlEngine): WebhookStore["prune"] {
  const findStores = oldStores(engine);
  const pruneEvents = pruneEventsStatement(engine);
  const pruneAttempts = pruneAttemptsStatement(engine);
  const forgetEvents = forgetEventsStep(engine);

  return async ({ before, forget_before, limit }): Promise<Pruned> => {
    let events = 0;
    let attempts = 0;
    for (const { store_id } of await engine.read(() => many(findStores({ before })))) {
      const run = (prune: typeof pruneEvents, done: number) =>
        engine.write(() => many(prune({ store_id, before, limit: limit - done })));
      if (events < limit) events += (await run(pruneEvents, events)).length;
      if (attempts < limit) attempts += (await run(pruneAttempts, attempts)).length;
    }

    const forgotten = await engine.write(() => forgetEvents(forget_before, limit));
    return { events, attempts, forgotten };
  };
}

/** The stores that have old rows. */
const oldStores = ({ db }: SqlEngine) =>
  prepareRaw<{ store_id: string }>(
    db,
    (param) => sql<{ store_id: string }>`
    select store_id from ${sql.table("events")}
    where body is not null and created_at < ${param("before")} group by store_id
    union
    select store_id from ${sql.table("delivery_attempts")}
    where started_at < ${param("before")} group by store_id`,
  );

const pruneEventsStatement = ({ db }: SqlEngine) =>
  prepareRaw<unknown>(db, (param) => {
    const events = sql.table("events");
    const store_id = param("store_id");
    return sql`
    with picked(mode, number) as materialized (
      select ev.livemode, ev.sequence from ${events} as ev
      where ev.store_id = ${store_id} and ev.body is not null
        and ev.created_at < ${param("before")}
        and ev.sequence < (
          select c.sequence from ${sql.table("counters")} as c
          where c.store_id = ${store_id} and c.livemode = ev.livemode
        )
        and not exists (
          select 1 from ${sql.table("webhook_endpoints")} as e
          join ${sql.table("deliveries")} as d
            on d.store_id = ${store_id} and d.endpoint_id = e.id and d.event_id = ev.id
          where e.store_id = ${store_id} and e.livemode = ev.livemode and d.state = 'pending'
        )
      order by ev.created_at limit ${param("limit")} for update of ev
    )
    update ${events} as ev set body = null from picked as p
    where ev.store_id = ${store_id} and ev.livemode = p.mode and ev.sequence = p.number
    returning 1 as done`;
  });

const pruneAttemptsStatement = ({ db }: SqlEngine) =>
  prepareRaw<unknown>(db, (param) => {
    const attempts = sql.table("delivery_attempts");
    return sql`
    delete from ${attempts}
    where store_id = ${param("store_id")} and (endpoint_id, event_id, attempt) in (
      select a.endpoint_id, a.event_id, a.attempt from ${attempts} as a
      where a.store_id = ${param("store_id")} and a.started_at < ${param("before")}
      order by a.started_at limit ${param("limit")}
    )
    returning 1 as done`;
  });
