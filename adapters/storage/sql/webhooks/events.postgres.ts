import { type RawBuilder, sql } from "kysely";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw } from "../engine/queries.ts";
import {
  eventList,
  fanOut,
  givenSequence,
  type InsertEvents,
  insertFrom,
} from "./event-statements.ts";

/**
 * One statement takes the sequences, if need be, and writes the events and their
 * deliveries.
 */
export function insertEventsOnPostgres({ db, dialect }: SqlEngine): InsertEvents {
  const insertBy = (sequence: (param: Param) => RawBuilder<unknown>) =>
    prepareRaw<unknown>(
      db,
      (param) => sql`
      with c as (${sequence(param)}),
        g as (${insertFrom(dialect, param)} returning id, type, created_at)
      ${fanOut(dialect, param, sql`g`)}`,
    );
  const insertWithGiven = insertBy(givenSequence);
  const insertWithTaken = insertBy(takenSequence);

  return function* insertEvents(partition, events, first_sequence) {
    if (events.length === 0) return;

    const values = { ...partitionColumns(partition), events: eventList(events) };
    if (first_sequence === null) yield* many(insertWithTaken({ ...values, count: events.length }));
    else yield* many(insertWithGiven({ ...values, before: first_sequence - 1 }));
  };
}

/** Takes the sequences; gives the one before the first. */
const takenSequence = (param: Param) => sql`
  insert into ${sql.table("counters")} as k (store_id, livemode, order_number, sequence)
  values (${param("store_id")}, ${param("livemode")}, 0, ${param("count")})
  on conflict (store_id, livemode) do update set sequence = k.sequence + excluded.sequence
  returning sequence - cast(${param("count")} as bigint) as before`;
