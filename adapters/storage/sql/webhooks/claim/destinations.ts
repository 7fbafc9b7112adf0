import { sql } from "kysely";
import type { EndpointRecord } from "#core/rules/webhooks/webhook-records.ts";
import type { EndpointDestination, WebhookStore } from "#core/storage/webhook-store.ts";
import { fromJson } from "../../engine/columns.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw } from "../../engine/queries.ts";
import type { SqlDialect } from "../../schema/dialect.ts";

/** Reads where deliveries go, for all endpoints at once, so that the list is one parameter. */
export function findDestinations(engine: SqlEngine): WebhookStore["findDestinations"] {
  const select = destinationQuery(engine.dialect, engine.db);
  return async (endpoint_ids) =>
    readDestinations(await engine.read(() => many(select(idList(endpoint_ids)))));
}

export const destinationQuery = (dialect: SqlDialect, db: Db) =>
  prepareRaw<{ record: string }>(
    db,
    (param) => sql`
    select e.record from ${sql.table("webhook_endpoints")} as e
    where e.state = 'enabled' and e.id in (
      select k.id from ${dialect.jsonTable("k", param("ids"), { id: "text" })}
    )`,
  );

export const idList = (endpoint_ids: readonly string[]) => ({
  ids: JSON.stringify(endpoint_ids.map((id) => ({ id }))),
});

export const readDestinations = (rows: readonly { readonly record: string }[]) =>
  rows.map(({ record }): EndpointDestination => {
    const { id, url, secrets, agent } = fromJson<EndpointRecord>(record);
    return { id, url, secrets, agent };
  });
