import { sql } from "kysely";
import type { Partition } from "../../../../src/rules/records.ts";
import { rotated } from "../../../../src/rules/rotate.ts";
import type { EndpointRecord } from "../../../../src/rules/webhook-records.ts";
import type { WebhookStore } from "../../../../src/storage/webhook-store.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { sqlDeliveries } from "./deliveries.ts";
import { sqlNotices } from "./notices.ts";
import { pruneStep } from "./prune.ts";
import { endpointColumns } from "./rows.ts";

export function sqlWebhooks(engine: SqlEngine): WebhookStore {
  const { db, dialect } = engine;
  const prune = pruneStep(engine);

  return {
    ...sqlDeliveries(engine),
    ...sqlNotices(engine),
    listEvents: ({ after, limit, ...partition }) =>
      engine.read(function* (): QueryGenerator<Awaited<ReturnType<WebhookStore["listEvents"]>>> {
        const { store_id, livemode } = partitionColumns(partition);
        const all = db
          .selectFrom("events")
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode);
        const seen =
          after === undefined
            ? undefined
            : yield* one(all.select("sequence").where("id", "=", after));
        if (after !== undefined && !seen) return { outcome: "unknown_cursor" };
        const later = seen ? all.where("sequence", ">", seen.sequence) : all;
        if (
          seen &&
          (yield* one(
            later.select("sequence").where(sql<boolean>`body is null`).orderBy("sequence").limit(1),
          ))
        )
          return { outcome: "cursor_expired" };
        const rows = yield* many(
          later
            .selectAll()
            .where("body", "is not", null)
            .orderBy("sequence")
            .limit(limit + 1),
        );
        return {
          outcome: "listed",
          events: rows.map((row) => ({ ...row, livemode: row.livemode === 1 })),
        };
      }),
    createEndpoint: (endpoint, max) =>
      engine.write(function* (): QueryGenerator<{
        outcome: "created" | "limit" | "unknown_store";
      }> {
        const store = yield* one(
          dialect.forUpdate(
            db.selectFrom("stores").select("id").where("id", "=", endpoint.store_id),
          ),
        );
        if (!store) return { outcome: "unknown_store" };
        const known = yield* many(
          db.selectFrom("webhook_endpoints").select("id").where("store_id", "=", endpoint.store_id),
        );
        if (known.some((other) => other.id === endpoint.id)) return { outcome: "created" };
        if (known.length >= max) return { outcome: "limit" };
        yield* many(
          db
            .insertInto("webhook_endpoints")
            .values({
              ...partitionColumns(endpoint),
              id: endpoint.id,
              ...endpointColumns(endpoint),
            }),
        );
        return { outcome: "created" };
      }),
    listEndpoints: (partition) =>
      engine.read(function* (): QueryGenerator<readonly EndpointRecord[]> {
        const { store_id, livemode } = partitionColumns(partition);
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
    updateEndpoint: (partition, id, changes) =>
      engine.write(function* (): QueryGenerator<EndpointRecord | null> {
        const endpoint = yield* findEndpoint(engine, partition, id, true);
        if (!endpoint) return null;
        const updated = { ...endpoint, ...changes };
        const forgiven = endpoint.state === "disabled" && updated.state === "enabled";
        yield* putEndpoint(db, updated, forgiven ? wellAgain : {});
        return updated;
      }),
    rotateSecret: (partition, id, rotation) =>
      engine.write(function* (): QueryGenerator<EndpointRecord | null> {
        const endpoint = yield* findEndpoint(engine, partition, id, true);
        if (!endpoint) return null;
        const updated = { ...endpoint, secrets: rotated(endpoint.secrets, rotation) };
        yield* putEndpoint(db, updated);
        return updated;
      }),
    deleteEndpoint: (partition, id) =>
      engine.write(function* (): QueryGenerator<boolean> {
        const gone = yield* one(
          db
            .deleteFrom("webhook_endpoints")
            .where((eb) => eb.and({ ...partitionColumns(partition), id }))
            .returning("id"),
        );
        return gone !== undefined;
      }),
    prune: (range) => engine.write(() => prune(range)),
  };
}

/** Its owner has looked after it: failures are counted from here. */
const wellAgain = {
  failing_since: null,
  failed_attempts: 0,
  failed_event: null,
  several_events: 0,
  warned: 0,
} as const;

function* putEndpoint(
  db: Db,
  endpoint: EndpointRecord,
  health: Partial<typeof wellAgain> = {},
): QueryGenerator<void> {
  yield* many(
    db
      .updateTable("webhook_endpoints")
      .set({ ...endpointColumns(endpoint), ...health })
      .where((eb) => eb.and({ ...partitionColumns(endpoint), id: endpoint.id })),
  );
}

function* findEndpoint(
  { db, dialect }: SqlEngine,
  partition: Partition,
  id: string,
  lock = false,
): QueryGenerator<EndpointRecord | null> {
  const { store_id, livemode } = partitionColumns(partition);
  const query = db
    .selectFrom("webhook_endpoints")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", id);
  const row = yield* one(lock ? dialect.forUpdate(query) : query);
  return row ? fromJson<EndpointRecord>(row.record) : null;
}
