import { firstDelivery, wantsEvent } from "../../../../src/rules/deliveries.ts";
import type { Partition } from "../../../../src/rules/records.ts";
import type { EventParts } from "../../../../src/rules/render-event.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepare, type QueryGenerator } from "../engine/queries.ts";
import { rowsInserter } from "../engine/rows-inserter.ts";
import type { Tables } from "../schema/tables.ts";
import type { FollowingWrites, InsertEvents } from "./event-statements.ts";
import { takeNumbersStep } from "./numbers.ts";

/**
 * Reads the endpoints, and writes events and deliveries as values, by one statement for
 * each table: Citus sends each of them to the store's shard without planning it.
 */
export function insertEventsOnCitus(engine: SqlEngine, following: FollowingWrites): InsertEvents {
  const takeNumbers = takeNumbersStep(engine);
  const insert = eventsInserter(engine);
  const findEndpoints = endpointReader(engine);
  const insertDeliveries = deliveriesInserter(engine);

  return function* insertEvents(partition, events, first_sequence, values) {
    if (events.length > 0) yield* writeEvents(partition, events, first_sequence);
    yield* following.write(partition, values);
  };

  function* writeEvents(
    partition: Partition,
    events: readonly EventParts[],
    first_sequence: number | null,
  ): QueryGenerator<void> {
    const wanted = { orders: 0, events: events.length } as const;
    const first = first_sequence ?? (yield* takeNumbers(partition, wanted)).first_sequence;
    yield* insert(rowsOf(partition, events, first));

    const endpoints = yield* findEndpoints(partition);
    yield* insertDeliveries(
      events
        .flatMap(({ id: event_id, type: event_type, created_at }) =>
          endpoints
            .filter((endpoint) => wantsEvent(endpoint, event_type))
            .map((endpoint) => firstDelivery(endpoint, { event_id, event_type, created_at })),
        )
        .map((delivery) => ({ ...delivery, ...partitionColumns(partition) })),
    );
  }
}

type EventRow = Tables["events"];

const eventsInserter = ({ db }: SqlEngine) =>
  rowsInserter<EventRow>(
    ["store_id", "livemode", "id", "sequence", "type", "created_at", "body"],
    (rows) => db.insertInto("events").values([...rows]),
  );

const rowsOf = (
  partition: Partition,
  events: readonly EventParts[],
  first: number,
): readonly EventRow[] =>
  events.map(({ id, type, created_at, head, tail }, index) => {
    const sequence = first + index;
    const body = `${head}${sequence}${tail}`;
    return { ...partitionColumns(partition), id, sequence, type, created_at, body };
  });

/**
 * Reads the endpoints and keeps them from being deleted before the commit. The end of an
 * endpoint then finds all of its deliveries, and skips them.
 */
function endpointReader({ db }: SqlEngine) {
  const find = prepare((param) =>
    db
      .selectFrom("webhook_endpoints")
      .select(["id", "state", "event_types"])
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
      .orderBy("id")
      .forKeyShare(),
  );

  return function* findEndpoints(partition: Partition) {
    const rows = yield* many(find(partitionColumns(partition)));
    return rows.map(({ id, state, event_types }) => ({
      ...partition,
      id,
      state,
      event_types: event_types === null ? null : fromJson<EventRow["type"][]>(event_types),
    }));
  };
}

const deliveryColumns = [
  "store_id",
  "livemode",
  "endpoint_id",
  "event_id",
  "event_type",
  "state",
  "attempts",
  "due_at",
  "created_at",
  "updated_at",
] as const;

type NewDelivery = Pick<Tables["deliveries"], (typeof deliveryColumns)[number]>;

const deliveriesInserter = ({ db }: SqlEngine) =>
  rowsInserter<NewDelivery>(deliveryColumns, (rows) =>
    db.insertInto("deliveries").values(rows.map((row) => ({ ...row, lease_token: null }))),
  );
