import { sql } from "kysely";
import { deliveriesRecovered } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import type { Partition } from "#core/rules/records.ts";
import { restarted } from "#core/rules/webhooks/deliveries.ts";
import type {
  AttemptLog,
  DeliveryKey,
  DeliveryRecord,
  DeliveryState,
} from "#core/rules/webhooks/webhook-records.ts";
import type {
  DeliveryPlace,
  DeliveryQuery,
  Recovery,
  WebhookStore,
} from "#core/storage/webhook-store.ts";
import { auditedWrite } from "../engine/audited-write.ts";
import { ofPartition, partitionColumns } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import {
  rareState,
  rareStates,
} from "../schema/migrations/0011-0020/0019-key-uses-and-delivery-states.ts";
import { readDelivery } from "./rows.ts";

type DeliverySteps = Pick<WebhookStore, "listDeliveries" | "listAttempts" | "recoverDeliveries">;
type Recovered = Awaited<ReturnType<WebhookStore["recoverDeliveries"]>>;

export const sqlDeliveries = (engine: SqlEngine): DeliverySteps => ({
  listDeliveries: (query) => engine.read(() => listDeliveries(engine, query)),
  listAttempts: (key) => engine.read(() => listAttempts(engine, key)),
  recoverDeliveries: (recovery) => auditedWrite(engine, recovery, () => recover(engine, recovery)),
});

function* listDeliveries(
  { db, dialect }: SqlEngine,
  query: DeliveryQuery,
): QueryGenerator<readonly DeliveryRecord[]> {
  let rows = db.selectFrom("deliveries").selectAll().where(ofPartition(query));
  if (query.endpoint_id !== undefined) rows = rows.where("endpoint_id", "=", query.endpoint_id);
  if (query.event_id !== undefined) rows = rows.where(isOfEvent(query, query.event_id));
  if (query.state !== undefined) rows = rows.where(isInState(dialect.name, query.state));
  if (query.before !== undefined) rows = rows.where(isBehind(query.before, query.oldest_first));

  const { way } = directionOf(query.oldest_first);
  const found = yield* many(
    rows
      .orderBy("created_at", way)
      .orderBy("event_id", way)
      .orderBy("endpoint_id", way)
      .limit(query.limit),
  );
  return found.map(readDelivery);
}

/**
 * Makes the condition on the state. A rare state is asked by the expression of the
 * index that finds it.
 */
const isInState = (database: SqlDialect["name"], state: DeliveryState) =>
  rareStates[database].includes(state)
    ? sql<boolean>`(${sql.raw(rareState(database))}) = ${state}`
    : sql<boolean>`state = ${state}`;

/**
 * Makes the condition on the event. A delivery has its event's time, by which the
 * index of the list finds it.
 */
const isOfEvent = (partition: Partition, event_id: string) => {
  const { store_id, livemode } = partitionColumns(partition);
  return sql<boolean>`
    created_at = (select e.created_at from ${sql.table("events")} as e
      where e.store_id = ${store_id} and e.livemode = ${livemode} and e.id = ${event_id})
    and event_id = ${event_id}`;
};

const isBehind = ({ created_at, event_id, endpoint_id }: DeliveryPlace, oldest_first?: true) =>
  sql<boolean>`
    (created_at, event_id, endpoint_id) ${sql.raw(directionOf(oldest_first).sign)}
      (${created_at}, ${event_id}, ${endpoint_id})`;

function* listAttempts({ db }: SqlEngine, key: DeliveryKey): QueryGenerator<readonly AttemptLog[]> {
  const { store_id, endpoint_id, event_id } = key;
  return yield* many(
    db
      .selectFrom("delivery_attempts")
      .selectAll()
      .where((eb) => eb.and({ store_id, endpoint_id, event_id }))
      .orderBy("attempt"),
  );
}

function* recover(engine: SqlEngine, recovery: Recovery): QueryGenerator<Written<Recovered>> {
  const { db, dialect } = engine;
  const { store_id } = recovery;
  const { endpoint_id, limit, now } = recovery;
  const rows = yield* many(dialect.forUpdate(recoverable(db, recovery)));
  if (rows.length > 0) {
    yield* many(
      db
        .updateTable("deliveries")
        .set(restarted(now))
        .where("store_id", "=", store_id)
        .where("endpoint_id", "=", endpoint_id)
        .where(
          "event_id",
          "in",
          rows.map((row) => row.event_id),
        ),
    );
  }

  const last = rows.length < limit ? undefined : rows.at(-1);
  const before = last && { created_at: last.created_at, event_id: last.event_id, endpoint_id };
  return {
    result: { recovered: rows.length, before: before ?? null },
    change: rows.length > 0 ? deliveriesRecovered(recovery) : null,
  };
}

/** Selects the newest final deliveries of the recovery whose event still has its bytes. */
function recoverable(db: SqlEngine["db"], recovery: Recovery) {
  const { endpoint_id, since, until, states, before, limit } = recovery;
  const newest = db
    .selectFrom("deliveries as d")
    .select(["d.event_id", "d.created_at"])
    .where(ofPartition(recovery, "d"))
    .where("d.endpoint_id", "=", endpoint_id)
    .where("d.created_at", ">=", since)
    .where("d.created_at", "<=", until)
    .where("d.state", "in", states)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("events as e")
          .select("e.id")
          .where(ofPartition(recovery, "e"))
          .whereRef("e.id", "=", "d.event_id")
          .where("e.body", "is not", null),
      ),
    )
    .orderBy("d.created_at", "desc")
    .orderBy("d.event_id", "desc")
    .limit(limit);

  return before ? newest.where(isBehind(before)) : newest;
}
