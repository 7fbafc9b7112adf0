import type { Partition } from "../../../src/storage/records.ts";
import type { AttemptLog, DeliveryRecord, EndpointRecord, WebhookStore } from "../../../src/storage/webhook-store.ts";
import { claimDeliveries, releaseDeliveries, settleDeliveries } from "./deliveries.ts";
import type { Db, SqlEngine } from "./engine.ts";
import { fromJson, own } from "./json.ts";
import { many, one, type Step } from "./step.ts";

export function sqlWebhooks(engine: SqlEngine): WebhookStore {
  const { db, dialect } = engine;

  return {
    listEvents: ({ after, limit, ...partition }) =>
      engine.read(function* (): Step<Awaited<ReturnType<WebhookStore["listEvents"]>>> {
        const { store_id, livemode } = own(partition);
        const all = db.selectFrom("events").where("store_id", "=", store_id).where("livemode", "=", livemode);
        const seen = after === undefined ? undefined : yield* one(all.select("sequence").where("id", "=", after));
        if (after !== undefined && !seen) return { outcome: "unknown_cursor" };
        const later = seen ? all.where("sequence", ">", seen.sequence) : all;
        if (seen && (yield* one(later.select("sequence").where("body", "is", null).orderBy("sequence").limit(1))))
          return { outcome: "cursor_expired" };
        const rows = yield* many(
          later
            .selectAll()
            .where("body", "is not", null)
            .orderBy("sequence")
            .limit(limit + 1),
        );
        return { outcome: "listed", events: rows.map((row) => ({ ...row, livemode: row.livemode === 1 })) };
      }),
    createEndpoint: (endpoint, max) =>
      engine.write(function* (): Step<{ outcome: "created" | "limit" | "unknown_store" }> {
        const store = yield* one(dialect.forUpdate(db.selectFrom("stores").select("id").where("id", "=", endpoint.store_id)));
        if (!store) return { outcome: "unknown_store" };
        const known = yield* many(db.selectFrom("webhook_endpoints").select("id").where("store_id", "=", endpoint.store_id));
        if (known.some((other) => other.id === endpoint.id)) return { outcome: "created" };
        if (known.length >= max) return { outcome: "limit" };
        yield* many(db.insertInto("webhook_endpoints").values({ ...own(endpoint), id: endpoint.id, ...columns(endpoint) }));
        return { outcome: "created" };
      }),
    listEndpoints: (partition) =>
      engine.read(function* (): Step<readonly EndpointRecord[]> {
        const { store_id, livemode } = own(partition);
        const rows = yield* many(
          db
            .selectFrom("webhook_endpoints")
            .select("record")
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .orderBy("id"),
        );
        return rows.map((row) => fromJson<EndpointRecord>(row.record));
      }),
    findEndpoint: (partition, id) => engine.read(() => findEndpoint(engine, partition, id)),
    updateEndpoint: (partition, id, changes, now) =>
      engine.write(function* (): Step<EndpointRecord | null> {
        const endpoint = yield* findEndpoint(engine, partition, id, true);
        if (!endpoint) return null;
        const updated = { ...endpoint, ...changes };
        const { store_id, livemode } = own(partition);
        yield* many(
          db
            .updateTable("webhook_endpoints")
            .set(columns(updated))
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("id", "=", id),
        );
        if (updated.state === "disabled") yield* skipPending(db, partition, id, now);
        return updated;
      }),
    deleteEndpoint: (partition, id, now) =>
      engine.write(function* (): Step<boolean> {
        const { store_id, livemode } = own(partition);
        const gone = yield* one(
          db
            .deleteFrom("webhook_endpoints")
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("id", "=", id)
            .returning("id"),
        );
        if (gone) yield* skipPending(db, partition, id, now);
        return gone !== undefined;
      }),
    claimDeliveries: (claim) => engine.write(() => claimDeliveries(engine, claim)),
    settleDeliveries: (settlements, now) => engine.write(() => settleDeliveries(engine, settlements, now)),
    releaseDeliveries: (keys, lease_token, now) => engine.write(() => releaseDeliveries(engine, keys, lease_token, now)),
    nextDue: () =>
      engine.read(function* (): Step<number | null> {
        const row = yield* one(
          db
            .selectFrom("deliveries")
            .innerJoin("webhook_endpoints", (join) =>
              join
                .onRef("webhook_endpoints.store_id", "=", "deliveries.store_id")
                .onRef("webhook_endpoints.livemode", "=", "deliveries.livemode")
                .onRef("webhook_endpoints.id", "=", "deliveries.endpoint_id"),
            )
            .select("deliveries.due_at")
            .where("deliveries.state", "=", "pending")
            .where("webhook_endpoints.state", "=", "enabled")
            .orderBy("deliveries.due_at")
            .limit(1),
        );
        return row?.due_at ?? null;
      }),
    listDeliveries: (query) =>
      engine.read(function* (): Step<readonly DeliveryRecord[]> {
        const { store_id, livemode } = own(query);
        let rows = db.selectFrom("deliveries").selectAll().where("store_id", "=", store_id).where("livemode", "=", livemode);
        if (query.endpoint_id !== undefined) rows = rows.where("endpoint_id", "=", query.endpoint_id);
        if (query.event_id !== undefined) rows = rows.where("event_id", "=", query.event_id);
        if (query.state !== undefined) rows = rows.where("state", "=", query.state);
        const found = yield* many(rows.orderBy("created_at", "desc").orderBy("event_id", "desc").limit(query.limit));
        return found.map(({ lease_token: _, ...row }) => ({ ...row, livemode: row.livemode === 1 }));
      }),
    listAttempts: ({ store_id, endpoint_id, event_id }) =>
      engine.read(function* (): Step<readonly AttemptLog[]> {
        return yield* many(
          db
            .selectFrom("delivery_attempts")
            .selectAll()
            .where("store_id", "=", store_id)
            .where("endpoint_id", "=", endpoint_id)
            .where("event_id", "=", event_id)
            .orderBy("attempt"),
        );
      }),
  };
}

const columns = (endpoint: EndpointRecord) => ({
  state: endpoint.state,
  event_types: endpoint.event_types === null ? null : JSON.stringify(endpoint.event_types),
  record: JSON.stringify(endpoint),
});

function* findEndpoint({ db, dialect }: SqlEngine, partition: Partition, id: string, lock = false): Step<EndpointRecord | null> {
  const { store_id, livemode } = own(partition);
  const query = db
    .selectFrom("webhook_endpoints")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", id);
  const row = yield* one(lock ? dialect.forUpdate(query) : query);
  return row ? fromJson<EndpointRecord>(row.record) : null;
}

function* skipPending(db: Db, partition: Partition, endpoint_id: string, now: number): Step<void> {
  yield* many(
    db
      .updateTable("deliveries")
      .set({ state: "skipped", lease_token: null, updated_at: now })
      .where("store_id", "=", partition.store_id)
      .where("endpoint_id", "=", endpoint_id)
      .where("state", "=", "pending"),
  );
}
