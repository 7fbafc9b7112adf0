import { type RawBuilder, sql } from "kysely";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareEach } from "../engine/queries.ts";
import {
  eventList,
  type FollowingWrites,
  fanOut,
  followingValues,
  givenSequence,
  type InsertEvents,
  insertFrom,
  wantedOf,
} from "./event-statements.ts";

/** What a statement writes besides the events. */
interface Shape {
  /** False when the statement takes the sequences itself. */
  readonly isGiven: boolean;
  readonly wanted: ReturnType<typeof wantedOf>;
}

/**
 * One statement takes the sequences, if need be, and writes the events, their
 * deliveries and what follows them.
 */
export function insertEventsOnPostgres(
  engine: SqlEngine,
  { texts, write }: FollowingWrites,
): InsertEvents {
  const { db, dialect } = engine;

  const textOf = ({ isGiven, wanted }: Shape, param: Param): RawBuilder<unknown> => {
    const follow = wanted.map(
      (name) => sql`${sql.id(name)} as (
      ${texts[name](param, sql`c`)}),`,
    );
    return sql`
      with c as (${isGiven ? givenSequence(param) : takenSequence(param)}),
        ${sql.join(follow, sql` `)}
        i as (${insertFrom(dialect, param)})
      ${fanOut(dialect, param)}`;
  };
  const insert = prepareEach<Shape, unknown>(
    ({ isGiven, wanted }) => `${isGiven} ${wanted.join()}`,
    (shape, param) => ({ compile: () => textOf(shape, param).compile(db) }),
  );

  return function* insertEvents(partition, events, first_sequence, following) {
    if (events.length === 0) return yield* write(partition, following);

    const isGiven = first_sequence !== null;
    yield* many(
      insert(
        { isGiven, wanted: wantedOf(following) },
        {
          ...partitionColumns(partition),
          ...followingValues(following),
          events: eventList(events),
          ...(isGiven ? { before: first_sequence - 1 } : { count: events.length }),
        },
      ),
    );
  };
}

/** Takes the sequences, and gives the one before the first. */
const takenSequence = (param: Param) => sql`
  insert into ${sql.table("counters")} as k (store_id, livemode, order_number, sequence)
  values (${param("store_id")}, ${param("livemode")}, 0, ${param("count")})
  on conflict (store_id, livemode) do update set sequence = k.sequence + excluded.sequence
  returning sequence - cast(${param("count")} as bigint) as before`;
