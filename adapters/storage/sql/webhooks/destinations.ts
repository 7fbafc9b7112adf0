import { sql } from "kysely";
import type { EndpointRecord } from "../../../../src/rules/webhook-records.ts";
import type { WebhookStore } from "../../../../src/storage/webhook-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw } from "../engine/queries.ts";

/** Reads where deliveries go, for all endpoints at once: the list is one parameter. */
export function findDestinations(engine: SqlEngine): WebhookStore["findDestinations"] {
  const select = prepareRaw<{ record: string }>(
    engine.db,
    (param) => sql`
    select e.record from ${sql.table("webhook_endpoints")} as e
    where e.state = 'enabled' and e.id in (
      select k.id from ${engine.dialect.jsonTable("k", param("ids"), { id: "text" })}
    )`,
  );

  return async (endpoint_ids) => {
    const ids = JSON.stringify(endpoint_ids.map((id) => ({ id })));
    const rows = await engine.read(() => many(select({ ids })));
    return rows.map(({ record }) => {
      const { id, url, secrets } = fromJson<EndpointRecord>(record);
      return { id, url, secrets };
    });
  };
}
