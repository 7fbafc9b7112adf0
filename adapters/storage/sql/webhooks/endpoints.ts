import type { Partition } from "#core/rules/records.ts";
import type { EndpointRecord } from "#core/rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

export const sqlEndpoints = (engine: SqlEngine): Pick<WebhookStore, "listEndpoints"> => ({
  listEndpoints: (partition) => engine.read(() => listEndpoints(engine.db, partition)),
});

function* listEndpoints(db: Db, partition: Partition): QueryGenerator<readonly EndpointRecord[]> {
  const rows = yield* many(endpointsOf(db, partition).orderBy("id"));
  return rows.map((row) => fromJson<EndpointRecord>(row.record));
}

const endpointsOf = (db: Db, partition: Partition) =>
  db.selectFrom("webhook_endpoints").select("record").where(ofPartition(partition));

export const selectEndpoint = (db: Db, partition: Partition, id: string) =>
  endpointsOf(db, partition).where("id", "=", id);

export const readEndpoint = (
  row: { readonly record: string } | undefined,
): EndpointRecord | null => (row ? fromJson<EndpointRecord>(row.record) : null);
