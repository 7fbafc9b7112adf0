import { sql } from "kysely";
import type {
  AttemptLog,
  DeliveryKey,
  DeliveryRecord,
} from "../../../../src/rules/webhook-records.ts";
import type {
  DeliveryPlace,
  DeliveryQuery,
  Recovery,
  WebhookStore,
} from "../../../../src/storage/webhook-store.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { claimDeliveries } from "./claim.ts";
import { readDelivery } from "./rows.ts";
import { settleDeliveries } from "./settle.ts";

type Steps = Pick<
  WebhookStore,
  | "claimDeliveries"
  | "settleDeliveries"
  | "releaseDeliveries"
  | "skipDeliveries"
  | "outlook"
  | "listDeliveries"
  | "listAttempts"
  | "resendDelivery"
  | "recoverDeliveries"
>;
type Resent = Awaited<ReturnType<WebhookStore["resendDelivery"]>>;
type Outlook = Awaited<ReturnType<WebhookStore["outlook"]>>;

export function sqlDeliveries(engine: SqlEngine): Steps {
  const { db } = engine;
  const claims = claimDeliveries(engine);
  const settle = settleDeliveries(engine);
  const release = releaseStep(engine);
  // Counted, for `exists` is made a join, and by old statistics all that is pending would be joined and sorted.
  const outlook = prepareRaw<{ next_due: number | null; notices: number }>(
    db,
    (param) => sql`
    select (
        select d.due_at from ${sql.table("deliveries")} as d where d.state = 'pending' and (
          select count(*) from ${sql.table("webhook_endpoints")} as e where e.id = d.endpoint_id and e.state = 'enabled'
        ) > 0 order by d.due_at limit 1
      ) as next_due,
      (select count(*) from ${sql.table("alert_notices")} as n where n.due_at <= ${param("now")}) as notices`,
  );

  return {
    claimDeliveries: claims.claim,
    settleDeliveries: settle,
    releaseDeliveries: (keys, lease_token, now) =>
      engine.write(() => release(keys, lease_token, now)),
    skipDeliveries: (_store_id, endpoint_id, limit, now) => claims.skip(endpoint_id, limit, now),
    outlook: (now) =>
      engine.read(function* (): QueryGenerator<Outlook> {
        const row = yield* one(outlook({ now }));
        return { next_due: row?.next_due ?? null, notices: (row?.notices ?? 0) > 0 };
      }),
    listDeliveries: (query) => engine.read(() => listDeliveries(engine, query)),
    listAttempts: ({ store_id, endpoint_id, event_id }) =>
      engine.read(function* (): QueryGenerator<readonly AttemptLog[]> {
        return yield* many(
          db
            .selectFrom("delivery_attempts")
            .selectAll()
            .where((eb) => eb.and({ store_id, endpoint_id, event_id }))
            .orderBy("attempt"),
        );
      }),
    resendDelivery: (partition, key, now) =>
      engine.write(function* (): QueryGenerator<Resent> {
        const { store_id, livemode } = partitionColumns(partition);
        const { endpoint_id, event_id } = key;
        const row = yield* one(
          engine.dialect.forUpdate(
            db
              .selectFrom("deliveries")
              .selectAll()
              .where((eb) => eb.and({ store_id, livemode, endpoint_id, event_id })),
          ),
        );
        if (!row) return { outcome: "unknown" };
        const endpoint = yield* one(
          db
            .selectFrom("webhook_endpoints")
            .select("state")
            .where((eb) => eb.and({ store_id, livemode, id: endpoint_id })),
        );
        if (endpoint?.state !== "enabled") return { outcome: "endpoint_disabled" };
        const event = yield* one(
          engine.dialect.forUpdate(
            db
              .selectFrom("events")
              .select("body")
              .where((eb) => eb.and({ store_id, livemode, id: event_id })),
          ),
        );
        if (!event || event.body === null) return { outcome: "event_pruned" };
        if (row.state === "pending" && row.lease_token !== null && row.due_at > now)
          return { outcome: "in_flight", delivery: readDelivery(row) };
        const resumes = {
          resume_state: row.resume_state ?? row.state,
          resume_due: row.resume_due ?? row.due_at,
        };
        const changes = {
          state: "pending",
          due_at: now,
          lease_token: null,
          updated_at: now,
          ...resumes,
        } as const;
        yield* many(
          db
            .updateTable("deliveries")
            .set(changes)
            .where((eb) => eb.and({ store_id, endpoint_id, event_id })),
        );
        return { outcome: "queued", delivery: readDelivery({ ...row, ...changes }) };
      }),
    recoverDeliveries: (recovery) => engine.write(() => recover(engine, recovery)),
  };
}

function releaseStep({ db, dialect }: SqlEngine) {
  const release = prepareRaw<unknown>(
    db,
    (param) => sql`
    update ${sql.table("deliveries")} as d set due_at = ${param("now")}, lease_token = null
    from ${dialect.jsonTable("g", param("keys"), { store: "text", endpoint: "text", event: "text" })}
    where d.store_id = g.store and d.endpoint_id = g.endpoint and d.event_id = g.event
      and d.lease_token = ${param("lease_token")}`, // held by pending rows alone; named, their index might be walked through
  );
  return function* (
    keys: readonly DeliveryKey[],
    lease_token: string,
    now: number,
  ): QueryGenerator<void> {
    const given = keys.map(({ store_id, endpoint_id, event_id }) => ({
      store: store_id,
      endpoint: endpoint_id,
      event: event_id,
    }));
    yield* many(release({ keys: JSON.stringify(given), lease_token, now }));
  };
}

const after = ({ created_at, event_id, endpoint_id }: DeliveryPlace) =>
  sql<boolean>`(created_at, event_id, endpoint_id) < (${created_at}, ${event_id}, ${endpoint_id})`;

function* listDeliveries(
  { db }: SqlEngine,
  query: DeliveryQuery,
): QueryGenerator<readonly DeliveryRecord[]> {
  const { store_id, livemode } = partitionColumns(query);
  let rows = db
    .selectFrom("deliveries")
    .selectAll()
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode);
  if (query.endpoint_id !== undefined) rows = rows.where("endpoint_id", "=", query.endpoint_id);
  if (query.event_id !== undefined) rows = rows.where("event_id", "=", query.event_id);
  if (query.state !== undefined) rows = rows.where("state", "=", query.state);
  if (query.before !== undefined) rows = rows.where(after(query.before));
  const found = yield* many(
    rows
      .orderBy("created_at", "desc")
      .orderBy("event_id", "desc")
      .orderBy("endpoint_id", "desc")
      .limit(query.limit),
  );
  return found.map(readDelivery);
}

function* recover({ db, dialect }: SqlEngine, recovery: Recovery) {
  const { store_id, livemode } = partitionColumns(recovery);
  const { endpoint_id, since, until, states, before, limit, now } = recovery;
  let picked = db
    .selectFrom("deliveries as d")
    .select(["d.event_id", "d.created_at"])
    .where("d.store_id", "=", store_id)
    .where("d.livemode", "=", livemode)
    .where("d.endpoint_id", "=", endpoint_id)
    .where("d.created_at", ">=", since)
    .where("d.created_at", "<=", until)
    .where("d.state", "in", states)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("events as e")
          .select("e.id")
          .where("e.store_id", "=", store_id)
          .where("e.livemode", "=", livemode)
          .whereRef("e.id", "=", "d.event_id")
          .where("e.body", "is not", null),
      ),
    )
    .orderBy("d.created_at", "desc")
    .orderBy("d.event_id", "desc")
    .limit(limit);
  if (before) picked = picked.where(after(before));
  const rows = yield* many(dialect.forUpdate(picked));
  const last = rows.length < limit ? undefined : rows.at(-1);
  if (rows.length > 0)
    yield* many(
      db
        .updateTable("deliveries")
        .set({
          state: "pending",
          due_at: now,
          failures: 0,
          lost_leases: 0,
          resume_state: null,
          resume_due: null,
          lease_token: null,
          updated_at: now,
        })
        .where("store_id", "=", store_id)
        .where("endpoint_id", "=", endpoint_id)
        .where(
          "event_id",
          "in",
          rows.map((row) => row.event_id),
        ),
    );
  return {
    recovered: rows.length,
    before: last ? { created_at: last.created_at, event_id: last.event_id, endpoint_id } : null,
  };
}
