import { type RawBuilder, sql } from "kysely";
import type { CustomerTotal } from "#core/rules/orders/order-terms.ts";
import type { StatChange } from "#core/rules/owner/stats.ts";
import type { Partition } from "#core/rules/records.ts";
import type { EventParts } from "#core/rules/webhooks/render-event.ts";
import type { Param, QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";

/**
 * Writes events with their deliveries, in the transaction of the change that they
 * report. Without a `first_sequence` it also takes the sequences from the counters.
 */
export type InsertEvents = (
  partition: Partition,
  events: readonly EventParts[],
  first_sequence: number | null,
  following: Following,
) => QueryGenerator<void>;

/**
 * Makes the statement of a write that locks rows after the counters. In a statement
 * that locks the counters itself, `counters` is the table that it reads to wait for
 * them.
 */
export type FollowingWrite = (
  param: Param,
  counters: RawBuilder<unknown> | null,
) => RawBuilder<unknown>;

/** Names the writes that follow the lock on the counters, in the order of their locks. */
const followingNames = ["totals", "stats"] as const;

type FollowingName = (typeof followingNames)[number];

/** An order adds this to the totals of its customer. */
export interface AddedTotals {
  readonly order_id: string;
  readonly totals: readonly CustomerTotal[];
}

/** A step writes this after it has locked the counters. */
interface Following {
  /** Null when the step changes no total. */
  readonly totals: AddedTotals | null;
  readonly stats: readonly StatChange[];
}

export interface FollowingWrites {
  /** Their statements, for a database that writes them and the events by one statement. */
  readonly texts: Readonly<Record<FollowingName, FollowingWrite>>;
  /** Writes them by statements of their own. */
  readonly write: (partition: Partition, following: Following) => QueryGenerator<void>;
}

/** Gives the writes for which a step has values. */
export const wantedOf = ({ totals, stats }: Following): readonly FollowingName[] =>
  followingNames.filter((name) => (name === "totals" ? totals !== null : stats.length > 0));

/** Gives the values that the statements of these writes take. */
export const followingValues = ({ totals, stats }: Following) => ({
  order_id: totals?.order_id,
  totals: JSON.stringify(totals?.totals ?? []),
  changes: JSON.stringify(stats),
});

const deliveryEventColumns = {
  id: "text",
  type: "text",
  created_at: "bigint",
  agent: "text",
} as const;

const eventColumns = { ...deliveryEventColumns, at: "bigint", head: "text", tail: "text" } as const;

/**
 * Writes the events as the JSON list that the statements read. `at` counts them from 1. The agent
 * of an event is written as it stands in the list of an endpoint that wants it.
 */
export const eventList = (events: readonly EventParts[]): string =>
  JSON.stringify(
    events.map(({ id, type, created_at, head, tail, agent }, index) => ({
      id,
      type,
      created_at,
      agent: agent === undefined ? null : JSON.stringify(agent),
      at: index + 1,
      head,
      tail,
    })),
  );

/** Selects the sequence before the first event, when it is known already. */
export const givenSequence = (param: Param) =>
  sql`select cast(${param("before")} as bigint) as before`;

/** Inserts the events; the table `c` holds the sequence before the first of them. */
export const insertFrom = (dialect: SqlDialect, param: Param) => sql`
  insert into ${sql.table("events")}
    (store_id, livemode, id, sequence, type, created_at, body)
  select ${param("store_id")}, cast(${param("livemode")} as integer), g.id,
    c.before + g.at, g.type, g.created_at,
    g.head || cast(c.before + g.at as text) || g.tail
  from ${dialect.jsonTable("g", param("events"), eventColumns)} cross join c`;

/** Tells whether the endpoint `e` wants the event `g`. */
export const wantsEventText = (dialect: SqlDialect) => sql`e.event_types is null
    or ${dialect.contains(sql`e.event_types`, sql`'"' || g.type || '"'`)}
    or ${dialect.contains(sql`e.event_types`, sql`g.agent`)}`;

/** The columns of a new delivery. What stands in them after store and mode is the next text. */
export const newDeliveryColumns = sql`(store_id, livemode, endpoint_id, event_id, event_type, state,
      attempts, due_at, lease_token, created_at, updated_at)`;

/** The values of a delivery of the event `g` to the endpoint `e`, after those of store and mode. */
export const newDeliveryValues = sql`e.id, g.id, g.type,
    case when e.state = 'enabled' then 'pending' else 'skipped' end, 0,
    g.created_at, null, g.created_at, g.created_at`;

/** Inserts a delivery of each event of the list to each endpoint that wants it. */
export const fanOut = (dialect: SqlDialect, param: Param) => sql`
  insert into ${sql.table("deliveries")} ${newDeliveryColumns}
  select e.store_id, e.livemode, ${newDeliveryValues}
  from ${dialect.jsonTable("g", param("events"), deliveryEventColumns)}
  join ${sql.table("webhook_endpoints")} as e
    on e.store_id = ${param("store_id")} and e.livemode = ${param("livemode")}
  where ${wantsEventText(dialect)}`;
