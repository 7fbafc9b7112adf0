import { sql } from "kysely";
import type { DeliveryKey } from "#core/rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many, one, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import { pendingDue } from "../../schema/migrations/0011-0020/0018-next-delivery.ts";
import { settleOnPostgres } from "../settle/settle.postgres.ts";
import { settleOnSqlite } from "../settle/settle.sqlite.ts";
import { skipStep } from "../settle/skip.ts";
import { claimOnPostgres } from "./claim.postgres.ts";
import { claimOnSqlite } from "./claim.sqlite.ts";
import { findDestinations } from "./destinations.ts";

type ClaimSteps = Pick<
  WebhookStore,
  | "claimDeliveries"
  | "findDestinations"
  | "settleDeliveries"
  | "releaseDeliveries"
  | "skipDeliveries"
  | "findNextWork"
>;
type NextWork = Awaited<ReturnType<WebhookStore["findNextWork"]>>;

const algorithms = {
  postgres: { claim: claimOnPostgres, settle: settleOnPostgres },
  sqlite: { claim: claimOnSqlite, settle: settleOnSqlite },
} as const;

export function sqlClaims(engine: SqlEngine): ClaimSteps {
  const { claim, settle } = algorithms[engine.dialect.name];
  const skip = skipStep(engine);
  const release = releaseStep(engine);
  const nextWork = nextWorkStep(engine);

  return {
    claimDeliveries: claim(engine),
    findDestinations: findDestinations(engine),
    settleDeliveries: settle(engine),
    releaseDeliveries: (keys, lease_token, now) =>
      engine.write(() => release(keys, lease_token, now)),
    skipDeliveries: (_store_id, endpoint_id, limit, now) =>
      engine.write(() => skip(endpoint_id, limit, now)),
    findNextWork: (now) => engine.read(() => nextWork(now)),
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

/** The earliest due delivery of an enabled endpoint, and the number of notices that are due. */
export interface NextWorkRow {
  readonly next_due: number | null;
  readonly notices: number;
}

export function nextWorkQuery(db: Db) {
  // The query counts the endpoints, because PostgreSQL turns `exists` into a join. With old
  // statistics it would join and sort everything that is pending.
  const due = sql.raw(pendingDue);
  return prepareRaw<NextWorkRow>(
    db,
    (param) => sql`
    select (
        select ${due} from ${sql.table("deliveries")} as d
        where (${due}) is not null and (
          select count(*) from ${sql.table("webhook_endpoints")} as e
          where e.store_id = d.store_id and e.id = d.endpoint_id and e.state = 'enabled'
        ) > 0
        order by ${due} limit 1
      ) as next_due,
      (
        select count(*) from ${sql.table("alert_notices")} as n where n.due_at <= ${param("now")}
      ) as notices`,
  );
}

function nextWorkStep({ db }: SqlEngine) {
  const select = nextWorkQuery(db);

  return function* (now: number): QueryGenerator<NextWork> {
    const row = yield* one(select({ now }));
    return { next_due: row?.next_due ?? null, notices: (row?.notices ?? 0) > 0 };
  };
}
