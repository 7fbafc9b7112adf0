import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one } from "../engine/queries.ts";
import { readEndpoint, selectEndpoint } from "../webhooks/endpoints.ts";
import { storedDelivery } from "../webhooks/rows.ts";
import type { RecordRows } from "./record-rows.ts";

/** Keeps what a resend writes. The event is locked too, so that it keeps its bytes. */
export const deliveryRows = ({ db, dialect }: SqlEngine): RecordRows<"delivery"> => ({
  *load({ store_id, livemode: mode = false, endpoint_id = "", id: event_id }) {
    const partition = { store_id, livemode: mode };
    const { livemode } = partitionColumns(partition);
    const deliveries = db.selectFrom("deliveries").selectAll();
    const ofKey = deliveries.where((eb) => eb.and({ store_id, livemode, endpoint_id, event_id }));
    const row = yield* one(dialect.forUpdate(ofKey));
    if (!row) return foundRecord<"delivery">({ record: null });

    const endpoint = readEndpoint(yield* one(selectEndpoint(db, partition, endpoint_id)));
    const events = db.selectFrom("events").select("body");
    const ofId = events.where((eb) => eb.and({ store_id, livemode, id: event_id }));
    const event = yield* one(dialect.forUpdate(ofId));
    const body = event?.body ?? null;
    return foundRecord<"delivery">({ record: { delivery: storedDelivery(row), endpoint, body } });
  },
  *put({ delivery }) {
    const { store_id, endpoint_id, event_id, ...stored } = delivery;
    const { state, due_at, lease_token, resume_state, resume_due, updated_at } = stored;
    yield* many(
      db
        .updateTable("deliveries")
        .set({ state, due_at, lease_token, resume_state, resume_due, updated_at })
        .where((eb) => eb.and({ store_id, endpoint_id, event_id })),
    );
    return true;
  },
});
