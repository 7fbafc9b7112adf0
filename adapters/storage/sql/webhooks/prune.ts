import { sql } from "kysely";
import type { Pruned, WebhookStore } from "../../../../src/storage/webhook-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";

/** Each kind by an index of its own, so that a run with nothing to do costs nothing. */
export function pruneStep(engine: SqlEngine) {
  const { db, dialect } = engine;
  const events = sql.table("events");
  const deliveries = sql.table("deliveries");
  const attempts = sql.table("delivery_attempts");
  const emptyEvents = prepareRaw<unknown>(
    db,
    (param) => sql`
    with picked(store, mode, number) as materialized (
      select ev.store_id, ev.livemode, ev.sequence from ${events} as ev
      where ev.body is not null and ev.created_at < ${param("before")}
        and ev.sequence < (select c.sequence from ${sql.table("counters")} as c where c.store_id = ev.store_id and c.livemode = ev.livemode)
        and not exists (
          select 1 from ${sql.table("webhook_endpoints")} as e
          join ${deliveries} as d on d.store_id = e.store_id and d.endpoint_id = e.id and d.event_id = ev.id
          where e.store_id = ev.store_id and e.livemode = ev.livemode and d.state = 'pending'
        )
      order by ev.created_at limit ${param("limit")} ${dialect.lockText("ev")}
    )
    update ${events} as ev set body = null from picked as p
    where ev.store_id = p.store and ev.livemode = p.mode and ev.sequence = p.number
    returning 1 as done`,
  );
  const deleteAttempts = prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${attempts} where (store_id, endpoint_id, event_id, attempt) in (
      select a.store_id, a.endpoint_id, a.event_id, a.attempt from ${attempts} as a
      where a.started_at < ${param("before")} order by a.started_at limit ${param("limit")}
    )
    returning 1 as done`,
  );
  const forgettable = prepareRaw<{
    store_id: string;
    livemode: 0 | 1;
    sequence: number;
    id: string;
    created_at: number;
  }>(
    db,
    (param) => sql`select store_id, livemode, sequence, id, created_at from ${events}
      where body is null and created_at < ${param("before")} order by created_at limit ${param("limit")}`,
  );
  const columns = {
    store: "text",
    mode: "bigint",
    number: "bigint",
    event: "text",
    made: "bigint",
  } as const;
  const forgetDeliveries = prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${deliveries} where (store_id, livemode, created_at, event_id) in
      (select g.store, g.mode, g.made, g.event from ${dialect.jsonTable("g", param("given"), columns)})`,
  );
  const forgetEvents = prepareRaw<unknown>(
    db,
    (param) => sql`
    delete from ${events} where (store_id, livemode, sequence) in
      (select g.store, g.mode, g.number from ${dialect.jsonTable("g", param("given"), columns)})`,
  );

  return function* prune({
    before,
    forget_before,
    limit,
  }: Parameters<WebhookStore["prune"]>[0]): QueryGenerator<Pruned> {
    const emptied = yield* many(emptyEvents({ before, limit }));
    const deleted = yield* many(deleteAttempts({ before, limit }));
    const old = yield* many(forgettable({ before: forget_before, limit }));
    if (old.length > 0) {
      const given = JSON.stringify(
        old.map(({ store_id, livemode, sequence, id, created_at }) => ({
          store: store_id,
          mode: livemode,
          number: sequence,
          event: id,
          made: created_at,
        })),
      );
      yield* many(forgetDeliveries({ given }));
      yield* many(forgetEvents({ given }));
    }
    return { events: emptied.length, attempts: deleted.length, forgotten: old.length };
  };
}
