import { isStale } from "#core/rules/catalog/catalog-writes.ts";
import type { Partition } from "#core/rules/records.ts";
import { healthy, resetsHealth } from "#core/rules/webhooks/health.ts";
import { rotated } from "#core/rules/webhooks/rotate.ts";
import type { EndpointRecord } from "#core/rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import { fromJson, partitionColumns, toBool } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { noteChange } from "../engine/note-change.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { endpointColumns } from "./rows.ts";

type EndpointSteps = Pick<
  WebhookStore,
  | "createEndpoint"
  | "listEndpoints"
  | "findEndpoint"
  | "updateEndpoint"
  | "rotateSecret"
  | "deleteEndpoint"
>;
type Created = Awaited<ReturnType<WebhookStore["createEndpoint"]>>;

export function sqlEndpoints(engine: SqlEngine): EndpointSteps {
  const { db } = engine;

  return {
    createEndpoint: (endpoint, max) => engine.write(() => createEndpoint(engine, endpoint, max)),
    listEndpoints: (partition) => engine.read(() => listEndpoints(db, partition)),
    findEndpoint: (partition, id) =>
      engine.read(function* (): QueryGenerator<EndpointRecord | null> {
        return readRecord(yield* one(selectEndpoint(db, partition, id)));
      }),
    updateEndpoint: (partition, id, changes, before) =>
      engine.write(function* (): QueryGenerator<EndpointRecord | "stale" | null> {
        const endpoint = yield* lockEndpoint(engine, partition, id);
        if (!endpoint) return null;
        if (isStale(endpoint, before)) return "stale";

        const updated = { ...endpoint, ...changes };
        yield* putEndpoint(db, updated, resetsHealth(endpoint, updated) ? healthyColumns : {});
        yield* noteEndpoint(engine, endpoint, updated);
        return updated;
      }),
    rotateSecret: (partition, id, rotation) =>
      engine.write(function* (): QueryGenerator<EndpointRecord | null> {
        const endpoint = yield* lockEndpoint(engine, partition, id);
        if (!endpoint) return null;

        const updated = { ...endpoint, secrets: rotated(endpoint.secrets, rotation) };
        yield* putEndpoint(db, updated);
        yield* noteEndpoint(engine, endpoint, updated);
        return updated;
      }),
    deleteEndpoint: (partition, id) =>
      engine.write(function* (): QueryGenerator<boolean> {
        const deleted = readRecord(
          yield* one(
            db
              .deleteFrom("webhook_endpoints")
              .where((eb) => eb.and({ ...partitionColumns(partition), id }))
              .returning("record"),
          ),
        );
        if (!deleted) return false;

        yield* noteEndpoint(engine, deleted, null);
        return true;
      }),
  };
}

const noteEndpoint = (
  engine: SqlEngine,
  before: EndpointRecord | null,
  after: EndpointRecord | null,
): QueryGenerator<void> => noteChange(engine, { kind: "record", type: "endpoint", before, after });

function* createEndpoint(
  engine: SqlEngine,
  endpoint: EndpointRecord,
  max: number,
): QueryGenerator<Created> {
  const { db, dialect } = engine;
  const { id, store_id } = endpoint;
  const store = yield* one(
    dialect.forUpdate(db.selectFrom("stores").select("id").where("id", "=", store_id)),
  );
  if (!store) return { outcome: "unknown_store" };

  const existing = yield* many(
    db.selectFrom("webhook_endpoints").select("id").where("store_id", "=", store_id),
  );
  if (existing.some((other) => other.id === id)) return { outcome: "created" };
  if (existing.length >= max) return { outcome: "limit" };

  yield* many(
    db
      .insertInto("webhook_endpoints")
      .values({ ...partitionColumns(endpoint), id, ...endpointColumns(endpoint) }),
  );
  yield* noteEndpoint(engine, null, endpoint);
  return { outcome: "created" };
}

function* listEndpoints(db: Db, partition: Partition): QueryGenerator<readonly EndpointRecord[]> {
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
}

function selectEndpoint(db: Db, partition: Partition, id: string) {
  const { store_id, livemode } = partitionColumns(partition);
  return db
    .selectFrom("webhook_endpoints")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", id);
}

const readRecord = (row: { readonly record: string } | undefined): EndpointRecord | null =>
  row ? fromJson<EndpointRecord>(row.record) : null;

function* lockEndpoint(
  { db, dialect }: SqlEngine,
  partition: Partition,
  id: string,
): QueryGenerator<EndpointRecord | null> {
  return readRecord(yield* one(dialect.forUpdate(selectEndpoint(db, partition, id))));
}

const healthyColumns = {
  ...healthy,
  several_events: toBool(healthy.several_events),
  warned: toBool(healthy.warned),
};

function* putEndpoint(
  db: Db,
  endpoint: EndpointRecord,
  health: Partial<typeof healthyColumns> = {},
): QueryGenerator<void> {
  yield* many(
    db
      .updateTable("webhook_endpoints")
      .set({ ...endpointColumns(endpoint), ...health })
      .where((eb) => eb.and({ ...partitionColumns(endpoint), id: endpoint.id })),
  );
}
