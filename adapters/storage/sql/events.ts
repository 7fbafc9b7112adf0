import { type RawBuilder, sql } from "kysely";
import type { Partition } from "../../../src/storage/records.ts";
import type { RenderedEvent } from "../../../src/webhooks/render-event.ts";
import type { SqlEngine } from "./engine.ts";
import { own } from "./json.ts";
import { many, one, type Place, prepare, prepareRaw, type Step } from "./step.ts";

export interface Numbers {
  readonly order_number: number;
  readonly first_sequence: number;
}

/** The order's number and the block of sequences, by one update: its row lock makes commit order equal sequence order (CONTRACT 3). Taken after every other lock. */
export const numberTaker = ({ db }: SqlEngine) => {
  const take = prepare((place) =>
    db
      .insertInto("counters")
      .values({
        store_id: place<string>("store_id"),
        livemode: place<0 | 1>("livemode"),
        order_number: place<number>("orders"),
        sequence: place<number>("events"),
      })
      .onConflict((conflict) =>
        conflict.columns(["store_id", "livemode"]).doUpdateSet((eb) => ({
          order_number: eb("counters.order_number", "+", eb.ref("excluded.order_number")),
          sequence: eb("counters.sequence", "+", eb.ref("excluded.sequence")),
        })),
      )
      .returning(["order_number", "sequence"]),
  );
  return function* takeNumbers(partition: Partition, wanted: { readonly orders: 0 | 1; readonly events: number }): Step<Numbers> {
    const row = yield* one(take({ ...own(partition), ...wanted }));
    return { order_number: row?.order_number ?? 0, first_sequence: (row?.sequence ?? 0) - wanted.events + 1 };
  };
};

/** Events with their deliveries, in the transaction of what they tell: `pending`, or `skipped` for disabled endpoints. */
export const eventWriter = ({ db, dialect }: SqlEngine) => {
  const events = sql.table("events");
  const columns = { id: "text", sequence: "bigint", type: "text", created_at: "bigint" } as const;
  const insertFrom = (place: Place) => sql`insert into ${events} (store_id, livemode, id, sequence, type, created_at, body)
    select ${place("store_id")}, cast(${place("livemode")} as integer), g.id, g.sequence, g.type, g.created_at, g.body
    from ${dialect.rows("g", place("events"), { ...columns, body: "text" })}`;
  const wanted = sql`e.event_types is null or ${dialect.contains(sql`e.event_types`, sql`'"' || g.type || '"'`)}`;
  const fanOut = (place: Place, told: RawBuilder<unknown>) => sql`insert into ${sql.table("deliveries")}
    (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, lease_token, created_at, updated_at)
    select e.store_id, e.livemode, e.id, g.id, g.type, case when e.state = 'enabled' then 'pending' else 'skipped' end, 0,
      g.created_at, null, g.created_at, g.created_at
    from ${told} join ${sql.table("webhook_endpoints")} as e on e.store_id = ${place("store_id")} and e.livemode = ${place("livemode")}
    where ${wanted}`;
  const both = prepareRaw<unknown>(
    db,
    (place) => sql`with g as (${insertFrom(place)} returning id, type, created_at) ${fanOut(place, sql`g`)}`,
  );
  const insert = prepareRaw<unknown>(db, insertFrom);
  const deliver = prepareRaw<unknown>(db, (place) => fanOut(place, dialect.rows("g", place("events"), columns)));

  return function* insertEvents(partition: Partition, rendered: readonly RenderedEvent[]): Step<void> {
    if (rendered.length === 0) return;
    const list = rendered.map(({ id, sequence, type, created_at, body }) => ({ id, sequence, type, created_at, body }));
    const values = { ...own(partition), events: JSON.stringify(list) };
    if (dialect.nested) return void (yield* many(both(values)));
    yield* many(insert(values));
    yield* many(deliver(values));
  };
};
