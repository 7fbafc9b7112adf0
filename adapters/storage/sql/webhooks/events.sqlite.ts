import { sql } from "kysely";
import type { Partition } from "#core/rules/records.ts";
import type { EventParts } from "#core/rules/webhooks/render-event.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import {
  eventList,
  type FollowingWrites,
  fanOut,
  givenSequence,
  type InsertEvents,
  insertFrom,
} from "./event-statements.ts";
import { takeNumbersStep } from "./numbers.ts";

/** Uses one statement for each table, because no statement of SQLite can write to two. */
export function insertEventsOnSqlite(engine: SqlEngine, following: FollowingWrites): InsertEvents {
  const { db, dialect } = engine;
  const takeNumbers = takeNumbersStep(engine);
  const insert = prepareRaw<unknown>(
    db,
    (param) => sql`with c as (${givenSequence(param)}) ${insertFrom(dialect, param)}`,
  );
  const insertDeliveries = prepareRaw<unknown>(db, (param) => fanOut(dialect, param));

  function* writeEvents(
    partition: Partition,
    events: readonly EventParts[],
    first_sequence: number | null,
  ): QueryGenerator<void> {
    if (events.length === 0) return;

    const wanted = { orders: 0, events: events.length } as const;
    const first = first_sequence ?? (yield* takeNumbers(partition, wanted)).first_sequence;
    const values = { ...partitionColumns(partition), events: eventList(events), before: first - 1 };
    yield* many(insert(values));
    yield* many(insertDeliveries(values));
  }

  return function* insertEvents(partition, events, first_sequence, values) {
    yield* writeEvents(partition, events, first_sequence);
    yield* following.write(partition, values);
  };
}
