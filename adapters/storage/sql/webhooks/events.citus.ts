import type { EventType } from "../../../../src/contract/events.ts";
import type { Partition } from "../../../../src/rules/records.ts";
import type { EventParts } from "../../../../src/rules/render-event.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareEach, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import {
  deliveryEventColumns,
  eventList,
  type FollowingWrites,
  fanOut,
  type InsertEvents,
} from "./event-statements.ts";
import { followingWriter } from "./following.ts";
import { takeNumbersStep } from "./numbers.ts";

/**
 * One statement for each table. Each names the store as a constant, so that Citus sends
 * it to the store's shard as it is.
 */
export function insertEventsOnCitus(
  engine: SqlEngine,
  followingWrites: FollowingWrites,
): InsertEvents {
  const { db, dialect } = engine;
  const takeNumbers = takeNumbersStep(engine);
  const insert = insertRows(engine);
  const insertDeliveries = prepareRaw<unknown>(db, (param) =>
    fanOut(dialect, param, dialect.jsonTable("g", param("events"), deliveryEventColumns)),
  );

  const writeFollowing = followingWriter(engine, followingWrites);

  return function* insertEvents(partition, events, first_sequence, following) {
    if (events.length > 0) yield* writeEvents(partition, events, first_sequence);
    yield* writeFollowing(partition, following);
  };

  function* writeEvents(
    partition: Partition,
    events: readonly EventParts[],
    first_sequence: number | null,
  ): QueryGenerator<void> {
    const wanted = { orders: 0, events: events.length } as const;
    const first = first_sequence ?? (yield* takeNumbers(partition, wanted)).first_sequence;
    const columns = partitionColumns(partition);
    yield* many(insert(events.length, { ...columns, ...rowValues(events, first) }));
    yield* many(insertDeliveries({ ...columns, events: eventList(events) }));
  }
}

/** An insert of so many rows: Citus routes no insert that selects from a JSON list. */
const insertRows = ({ db }: SqlEngine) =>
  prepareEach(
    (count: number) => count,
    (count, param) =>
      db.insertInto("events").values(
        Array.from({ length: count }, (_, index) => ({
          store_id: param<string>("store_id"),
          livemode: param<0 | 1>("livemode"),
          id: param<string>(`id${index}`),
          sequence: param<number>(`sequence${index}`),
          type: param<EventType>(`type${index}`),
          created_at: param<number>(`created_at${index}`),
          body: param<string>(`body${index}`),
        })),
      ),
  );

function rowValues(events: readonly EventParts[], first: number): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [index, { id, type, created_at, head, tail }] of events.entries()) {
    const sequence = first + index;
    values[`id${index}`] = id;
    values[`sequence${index}`] = sequence;
    values[`type${index}`] = type;
    values[`created_at${index}`] = created_at;
    values[`body${index}`] = `${head}${sequence}${tail}`;
  }
  return values;
}
