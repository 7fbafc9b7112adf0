import type { EventType } from "../../../src/contract/events.ts";
import type { Partition } from "../../../src/storage/records.ts";
import type { RenderedEvent } from "../../../src/webhooks/render-event.ts";
import type { SqlEngine } from "./engine.ts";
import { fromJson, own } from "./json.ts";
import { many, one, prepare, type Step } from "./step.ts";

export interface Numbers {
  readonly order_number: number;
  readonly first_sequence: number;
}

/** The order's number and the block of sequences, by one update: its row lock makes commit order equal sequence order (CONTRACT 3). Taken after every other lock. */
export const numberTaker = ({ db }: SqlEngine) => {
  const take = prepare((place) =>
    db
      .insertInto("counters")
      .values({
        store_id: place<string>("store_id"),
        livemode: place<0 | 1>("livemode"),
        order_number: place<number>("orders"),
        sequence: place<number>("events"),
      })
      .onConflict((conflict) =>
        conflict.columns(["store_id", "livemode"]).doUpdateSet((eb) => ({
          order_number: eb("counters.order_number", "+", eb.ref("excluded.order_number")),
          sequence: eb("counters.sequence", "+", eb.ref("excluded.sequence")),
        })),
      )
      .returning(["order_number", "sequence"]),
  );
  return function* takeNumbers(partition: Partition, wanted: { readonly orders: 0 | 1; readonly events: number }): Step<Numbers> {
    const row = yield* one(take({ ...own(partition), ...wanted }));
    return { order_number: row?.order_number ?? 0, first_sequence: (row?.sequence ?? 0) - wanted.events + 1 };
  };
};

/** Events with their deliveries, in the transaction of what they tell: `pending`, or `skipped` for disabled endpoints. */
export function* insertEvents({ db }: SqlEngine, partition: Partition, events: readonly RenderedEvent[]): Step<void> {
  if (events.length === 0) return;
  const { store_id, livemode } = own(partition);
  yield* many(
    db
      .insertInto("events")
      .values(events.map(({ id, sequence, type, created_at, body }) => ({ store_id, livemode, id, sequence, type, created_at, body }))),
  );
  const endpoints = yield* many(
    db
      .selectFrom("webhook_endpoints")
      .select(["id", "state", "event_types"])
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode),
  );
  const deliveries = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => endpoint.event_types === null || fromJson<EventType[]>(endpoint.event_types).includes(event.type))
      .map((endpoint) => ({
        store_id,
        livemode,
        endpoint_id: endpoint.id,
        event_id: event.id,
        event_type: event.type,
        state: endpoint.state === "enabled" ? ("pending" as const) : ("skipped" as const),
        attempts: 0,
        due_at: event.created_at,
        lease_token: null,
        created_at: event.created_at,
        updated_at: event.created_at,
      })),
  );
  if (deliveries.length > 0) yield* many(db.insertInto("deliveries").values(deliveries));
}
