import { type RawBuilder, sql } from "kysely";
import type { Partition } from "../../../../src/rules/records.ts";
import type { EventParts } from "../../../../src/rules/render-event.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { own } from "../engine/json.ts";
import { many, one, type Place, prepare, prepareRaw, type Step } from "../engine/step.ts";

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
  return function* takeNumbers(
    partition: Partition,
    wanted: { readonly orders: 0 | 1; readonly events: number },
  ): Step<Numbers> {
    const row = yield* one(take({ ...own(partition), ...wanted }));
    return {
      order_number: row?.order_number ?? 0,
      first_sequence: (row?.sequence ?? 0) - wanted.events + 1,
    };
  };
};

/**
 * Events with their deliveries, in the transaction of what they tell: `pending`, or `skipped` for disabled endpoints. Without a `first_sequence` the
 * sequences are taken too: on PostgreSQL by the same statement.
 */
export const eventWriter = (engine: SqlEngine) => {
  const { db, dialect } = engine;
  const columns = { id: "text", type: "text", created_at: "bigint" } as const;
  const parts = { ...columns, at: "bigint", head: "text", tail: "text" } as const;
  /** `c.before`: the sequence that the first of them comes after. */
  const insertFrom = (place: Place) => sql`
    insert into ${sql.table("events")} (store_id, livemode, id, sequence, type, created_at, body)
    select ${place("store_id")}, cast(${place("livemode")} as integer), g.id, c.before + g.at, g.type, g.created_at,
      g.head || cast(c.before + g.at as text) || g.tail
    from ${dialect.rows("g", place("events"), parts)} cross join c`;
  const fanOut = (place: Place, told: RawBuilder<unknown>) => sql`
    insert into ${sql.table("deliveries")}
      (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, lease_token, created_at, updated_at)
    select e.store_id, e.livemode, e.id, g.id, g.type, case when e.state = 'enabled' then 'pending' else 'skipped' end, 0,
      g.created_at, null, g.created_at, g.created_at
    from ${told} join ${sql.table("webhook_endpoints")} as e on e.store_id = ${place("store_id")} and e.livemode = ${place("livemode")}
    where e.event_types is null or ${dialect.contains(sql`e.event_types`, sql`'"' || g.type || '"'`)}`;
  const given = (place: Place) => sql`select cast(${place("before")} as bigint) as before`;
  const taken = (place: Place) => sql`
    insert into ${sql.table("counters")} as k (store_id, livemode, order_number, sequence)
    values (${place("store_id")}, ${place("livemode")}, 0, ${place("count")})
    on conflict (store_id, livemode) do update set sequence = k.sequence + excluded.sequence
    returning sequence - cast(${place("count")} as bigint) as before`;
  const withDeliveries = (c: (place: Place) => RawBuilder<unknown>) =>
    prepareRaw<unknown>(
      db,
      (place) =>
        sql`with c as (${c(place)}), g as (${insertFrom(place)} returning id, type, created_at) ${fanOut(place, sql`g`)}`,
    );
  const numbered = withDeliveries(given);
  const together = withDeliveries(taken);
  const insert = prepareRaw<unknown>(
    db,
    (place) => sql`with c as (${given(place)}) ${insertFrom(place)}`,
  );
  const deliver = prepareRaw<unknown>(db, (place) =>
    fanOut(place, dialect.rows("g", place("events"), columns)),
  );
  const takeNumbers = numberTaker(engine);

  return function* insertEvents(
    partition: Partition,
    rendered: readonly EventParts[],
    first_sequence: number | null,
  ): Step<void> {
    const count = rendered.length;
    if (count === 0) return;
    const events = JSON.stringify(
      rendered.map(({ id, type, created_at, head, tail }, at) => ({
        id,
        type,
        created_at,
        at: at + 1,
        head,
        tail,
      })),
    );
    const values = { ...own(partition), events, count };
    if (dialect.nested && first_sequence === null) return void (yield* many(together(values)));
    const first =
      first_sequence ??
      (yield* takeNumbers(partition, { orders: 0, events: count })).first_sequence;
    const all = { ...values, before: first - 1 };
    if (dialect.nested) return void (yield* many(numbered(all)));
    yield* many(insert(all));
    yield* many(deliver(all));
  };
};
