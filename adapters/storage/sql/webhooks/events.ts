import { type RawBuilder, sql } from "kysely";
import type { Partition } from "../../../../src/rules/records.ts";
import type { EventParts } from "../../../../src/rules/render-event.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import {
  many,
  one,
  type Param,
  prepare,
  prepareRaw,
  type QueryGenerator,
} from "../engine/queries.ts";

export interface Numbers {
  readonly order_number: number;
  readonly first_sequence: number;
}

/** The order's number and the block of sequences, by one update: its row lock makes commit order equal sequence order (CONTRACT 3). Taken after every other lock. */
export const numberTaker = ({ db }: SqlEngine) => {
  const take = prepare((param) =>
    db
      .insertInto("counters")
      .values({
        store_id: param<string>("store_id"),
        livemode: param<0 | 1>("livemode"),
        order_number: param<number>("orders"),
        sequence: param<number>("events"),
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
  ): QueryGenerator<Numbers> {
    const row = yield* one(take({ ...partitionColumns(partition), ...wanted }));
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
  const insertFrom = (param: Param) => sql`
    insert into ${sql.table("events")} (store_id, livemode, id, sequence, type, created_at, body)
    select ${param("store_id")}, cast(${param("livemode")} as integer), g.id, c.before + g.at, g.type, g.created_at,
      g.head || cast(c.before + g.at as text) || g.tail
    from ${dialect.jsonTable("g", param("events"), parts)} cross join c`;
  const fanOut = (param: Param, told: RawBuilder<unknown>) => sql`
    insert into ${sql.table("deliveries")}
      (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, lease_token, created_at, updated_at)
    select e.store_id, e.livemode, e.id, g.id, g.type, case when e.state = 'enabled' then 'pending' else 'skipped' end, 0,
      g.created_at, null, g.created_at, g.created_at
    from ${told} join ${sql.table("webhook_endpoints")} as e on e.store_id = ${param("store_id")} and e.livemode = ${param("livemode")}
    where e.event_types is null or ${dialect.contains(sql`e.event_types`, sql`'"' || g.type || '"'`)}`;
  const given = (param: Param) => sql`select cast(${param("before")} as bigint) as before`;
  const taken = (param: Param) => sql`
    insert into ${sql.table("counters")} as k (store_id, livemode, order_number, sequence)
    values (${param("store_id")}, ${param("livemode")}, 0, ${param("count")})
    on conflict (store_id, livemode) do update set sequence = k.sequence + excluded.sequence
    returning sequence - cast(${param("count")} as bigint) as before`;
  const withDeliveries = (c: (param: Param) => RawBuilder<unknown>) =>
    prepareRaw<unknown>(
      db,
      (param) =>
        sql`with c as (${c(param)}), g as (${insertFrom(param)} returning id, type, created_at) ${fanOut(param, sql`g`)}`,
    );
  const numbered = withDeliveries(given);
  const together = withDeliveries(taken);
  const insert = prepareRaw<unknown>(
    db,
    (param) => sql`with c as (${given(param)}) ${insertFrom(param)}`,
  );
  const deliver = prepareRaw<unknown>(db, (param) =>
    fanOut(param, dialect.jsonTable("g", param("events"), columns)),
  );
  const takeNumbers = numberTaker(engine);

  return function* insertEvents(
    partition: Partition,
    rendered: readonly EventParts[],
    first_sequence: number | null,
  ): QueryGenerator<void> {
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
    const values = { ...partitionColumns(partition), events, count };
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
