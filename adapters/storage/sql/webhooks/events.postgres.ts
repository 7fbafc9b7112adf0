import { type RawBuilder, sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { own } from "../engine/json.ts";
import { many, type Place, prepareRaw } from "../engine/step.ts";
import {
  eventList,
  fanOut,
  givenSequence,
  type InsertEvents,
  insertFrom,
} from "./event-statements.ts";

/** One statement takes the sequences, if need be, and writes the events and their deliveries. */
export function insertEventsOnPostgres({ db, dialect }: SqlEngine): InsertEvents {
  const insertBy = (sequence: (place: Place) => RawBuilder<unknown>) =>
    prepareRaw<unknown>(
      db,
      (place) => sql`
      with c as (${sequence(place)}),
        g as (${insertFrom(dialect, place)} returning id, type, created_at)
      ${fanOut(dialect, place, sql`g`)}`,
    );
  const insertWithGiven = insertBy(givenSequence);
  const insertWithTaken = insertBy(takenSequence);

  return function* insertEvents(partition, events, first_sequence) {
    if (events.length === 0) return;

    const values = { ...own(partition), events: eventList(events) };
    if (first_sequence === null) yield* many(insertWithTaken({ ...values, count: events.length }));
    else yield* many(insertWithGiven({ ...values, before: first_sequence - 1 }));
  };
}

/** Takes the sequences; gives the one before the first. */
const takenSequence = (place: Place) => sql`
  insert into ${sql.table("counters")} as k (store_id, livemode, order_number, sequence)
  values (${place("store_id")}, ${place("livemode")}, 0, ${place("count")})
  on conflict (store_id, livemode) do update set sequence = k.sequence + excluded.sequence
  returning sequence - cast(${place("count")} as bigint) as before`;
