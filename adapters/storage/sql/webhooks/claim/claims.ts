import { sql } from "kysely";
import type { DeliveryKey } from "#core/rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import { settleOnPostgres } from "../settle/settle.postgres.ts";
import { settleOnSqlite } from "../settle/settle.sqlite.ts";
import { skipStep } from "../settle/skip.ts";
import { claimOnPostgres } from "./claim.postgres.ts";
import { claimOnSqlite } from "./claim.sqlite.ts";
import { findDestinations } from "./destinations.ts";
import { nextWorkOnPostgres } from "./next-work.postgres.ts";
import { nextWorkOnSqlite } from "./next-work.ts";

type ClaimSteps = Pick<
  WebhookStore,
  | "claimDeliveries"
  | "findDestinations"
  | "settleDeliveries"
  | "releaseDeliveries"
  | "skipDeliveries"
  | "findNextWork"
>;

const algorithms = {
  postgres: { claim: claimOnPostgres, settle: settleOnPostgres, nextWork: nextWorkOnPostgres },
  sqlite: { claim: claimOnSqlite, settle: settleOnSqlite, nextWork: nextWorkOnSqlite },
} as const;

export function sqlClaims(engine: SqlEngine): ClaimSteps {
  const { claim, settle, nextWork } = algorithms[engine.dialect.name];
  const skip = skipStep(engine);
  const release = releaseStep(engine);

  return {
    claimDeliveries: claim(engine),
    findDestinations: findDestinations(engine),
    settleDeliveries: settle(engine),
    releaseDeliveries: (keys, lease_token, now) =>
      engine.write(() => release(keys, lease_token, now)),
    skipDeliveries: (_store_id, endpoint_id, limit, now) =>
      engine.write(() => skip(endpoint_id, limit, now)),
    findNextWork: nextWork(engine),
  };
}

function releaseStep({ db, dialect }: SqlEngine) {
  const columns = { store: "text", endpoint: "text", event: "text" } as const;
  // Only pending rows hold a lease token. The text does not say that they are pending: PostgreSQL
  // might then read through the whole partial index.
  const update = prepareRaw<unknown>(
    db,
    (param) => sql`
    update ${sql.table("deliveries")} as d set due_at = ${param("now")}, lease_token = null
    from ${dialect.jsonTable("g", param("keys"), columns)}
    where d.store_id = g.store and d.endpoint_id = g.endpoint and d.event_id = g.event
      and d.lease_token = ${param("lease_token")}`,
  );

  return function* (
    keys: readonly DeliveryKey[],
    lease_token: string,
    now: number,
  ): QueryGenerator<void> {
    const list = keys.map(({ store_id, endpoint_id, event_id }) => ({
      store: store_id,
      endpoint: endpoint_id,
      event: event_id,
    }));
    yield* many(update({ keys: JSON.stringify(list), lease_token, now }));
  };
}
