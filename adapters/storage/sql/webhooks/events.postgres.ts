import { type RawBuilder, sql } from "kysely";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw } from "../engine/queries.ts";
import {
  eventList,
  type FollowingWrite,
  fanOut,
  givenSequence,
  type InsertEvents,
  insertFrom,
} from "./event-statements.ts";

/**
 * One statement takes the sequences, if need be, and writes the events, their
 * deliveries and what follows them.
 */
export function insertEventsOnPostgres(
  { db, dialect }: SqlEngine,
  followingWrite: FollowingWrite,
): InsertEvents {
  const insertBy = (sequence: (param: Param) => RawBuilder<unknown>, isFollowed: boolean) =>
    prepareRaw<unknown>(
      db,
      (param) => sql`
      with c as (${sequence(param)}),
        ${isFollowed ? sql`f as (${followingWrite(param, sql`c`)}),` : sql``}
        g as (${insertFrom(dialect, param)} returning id, type, created_at)
      ${fanOut(dialect, param, sql`g`)}`,
    );
  const alone = {
    withGiven: insertBy(givenSequence, false),
    withTaken: insertBy(takenSequence, false),
  };
  const followed = {
    withGiven: insertBy(givenSequence, true),
    withTaken: insertBy(takenSequence, true),
  };
  const writeFollowing = prepareRaw<unknown>(db, (param) => followingWrite(param, null));

  return function* insertEvents(partition, events, first_sequence, following) {
    const values = { ...partitionColumns(partition), ...following };
    if (events.length === 0) {
      if (following) yield* many(writeFollowing(values));
      return;
    }

    const insert = following ? followed : alone;
    const rows = { ...values, events: eventList(events) };
    if (first_sequence === null) yield* many(insert.withTaken({ ...rows, count: events.length }));
    else yield* many(insert.withGiven({ ...rows, before: first_sequence - 1 }));
  };
}

/** Takes the sequences; gives the one before the first. */
const takenSequence = (param: Param) => sql`
  insert into ${sql.table("counters")} as k (store_id, livemode, order_number, sequence)
  values (${param("store_id")}, ${param("livemode")}, 0, ${param("count")})
  on conflict (store_id, livemode) do update set sequence = k.sequence + excluded.sequence
  returning sequence - cast(${param("count")} as bigint) as before`;
