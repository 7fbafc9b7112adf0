import { sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { own } from "../engine/json.ts";
import { many, prepareRaw } from "../engine/step.ts";
import {
  deliveryEventColumns,
  eventList,
  fanOut,
  givenSequence,
  type InsertEvents,
  insertFrom,
} from "./event-statements.ts";
import { takeNumbersStep } from "./numbers.ts";

/** One statement for each table: on SQLite no statement can write to two. */
export function insertEventsOnSqlite(engine: SqlEngine): InsertEvents {
  const { db, dialect } = engine;
  const takeNumbers = takeNumbersStep(engine);
  const insert = prepareRaw<unknown>(
    db,
    (place) => sql`with c as (${givenSequence(place)}) ${insertFrom(dialect, place)}`,
  );
  const insertDeliveries = prepareRaw<unknown>(db, (place) =>
    fanOut(dialect, place, dialect.rows("g", place("events"), deliveryEventColumns)),
  );

  return function* insertEvents(partition, events, first_sequence) {
    if (events.length === 0) return;

    const wanted = { orders: 0, events: events.length } as const;
    const first = first_sequence ?? (yield* takeNumbers(partition, wanted)).first_sequence;
    const values = { ...own(partition), events: eventList(events), before: first - 1 };
    yield* many(insert(values));
    yield* many(insertDeliveries(values));
  };
}
