import { sql } from "kysely";
import type { Claim, ClaimedDelivery, DeliveryKey, EndpointRecord, Settlement, SettleOutcome } from "../../../src/storage/webhook-store.ts";
import type { SqlEngine } from "./engine.ts";
import { fromJson, own } from "./json.ts";
import { many, one, type Step } from "./step.ts";

/** Endpoints looked at in one claim; the rest come first the next time. */
const maxEndpoints = 256;

/** A few due rows of each endpoint, by an index jump from one endpoint to the next: one endpoint's queue, however long, is never walked through. */
export function* claimDeliveries(engine: SqlEngine, claim: Claim): Step<readonly ClaimedDelivery[]> {
  const { db } = engine;
  const endpoints = yield* dueEndpoints(engine, claim);
  const claimed: ClaimedDelivery[] = [];
  for (const endpoint of endpoints) {
    const room = Math.min(claim.per_endpoint, claim.limit - claimed.length);
    if (room <= 0) break;
    const rows = yield* leaseRows(engine, endpoint, claim, room);
    if (rows.length === 0) continue;
    const { store_id, livemode } = own(endpoint);
    const ids = rows.map((row) => row.event_id);
    const bodies = yield* many(
      db
        .selectFrom("events")
        .select(["id", "body"])
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "in", ids),
    );
    const bodyOf = new Map(bodies.map((row) => [row.id, row.body]));
    for (const { lease_token: _, ...row } of rows) {
      const body = bodyOf.get(row.event_id);
      if (body) claimed.push({ ...row, livemode: row.livemode === 1, url: endpoint.url, secrets: endpoint.secrets, body });
    }
  }
  return claimed;
}

function* dueEndpoints({ db }: SqlEngine, claim: Claim): Step<readonly EndpointRecord[]> {
  const jump = (from: string) => sql<{ endpoint_id: string }>`
    with recursive due(endpoint_id) as (
      select (select min(d.endpoint_id) from ${sql.table("deliveries")} as d where d.state = 'pending' and d.endpoint_id > ${from})
      union all
      select (select min(d.endpoint_id) from ${sql.table("deliveries")} as d where d.state = 'pending' and d.endpoint_id > due.endpoint_id) from due where due.endpoint_id is not null
    )
    select due.endpoint_id as endpoint_id from due where due.endpoint_id is not null
      and exists (select 1 from ${sql.table("deliveries")} as d where d.state = 'pending' and d.endpoint_id = due.endpoint_id and d.due_at <= ${claim.now})
    limit ${maxEndpoints}`;
  const from = claim.after_endpoint ?? "";
  const after = yield* many(jump(from).compile(db));
  const before = from === "" || after.length >= maxEndpoints ? [] : yield* many(jump("").compile(db));
  const saturated = new Set(claim.saturated);
  const ids = [...new Set([...after, ...before].map((row) => row.endpoint_id))].filter((id) => !saturated.has(id)).slice(0, maxEndpoints);
  if (ids.length === 0) return [];
  const rows = yield* many(db.selectFrom("webhook_endpoints").select("record").where("state", "=", "enabled").where("id", "in", ids));
  const endpoints = new Map(rows.map((row) => fromJson<EndpointRecord>(row.record)).map((endpoint) => [endpoint.id, endpoint]));
  return ids.flatMap((id) => endpoints.get(id) ?? []);
}

function* leaseRows({ db, dialect }: SqlEngine, endpoint: EndpointRecord, claim: Claim, room: number) {
  const due = dialect.skipLocked(
    db
      .selectFrom("deliveries")
      .select("event_id")
      .where("state", "=", "pending")
      .where("endpoint_id", "=", endpoint.id)
      .where("due_at", "<=", claim.now)
      .orderBy("due_at")
      .limit(room),
  );
  const keys = yield* many(due);
  if (keys.length === 0) return [];
  return yield* many(
    db
      .updateTable("deliveries")
      .set({ due_at: claim.lease_until, lease_token: claim.lease_token })
      .where("store_id", "=", endpoint.store_id)
      .where("endpoint_id", "=", endpoint.id)
      .where(
        "event_id",
        "in",
        keys.map((key) => key.event_id),
      )
      .where("state", "=", "pending")
      .returningAll(),
  );
}

export function* settleDeliveries(engine: SqlEngine, settlements: readonly Settlement[], now: number): Step<readonly SettleOutcome[]> {
  const outcomes: SettleOutcome[] = [];
  for (const settlement of settlements) outcomes.push(yield* settle(engine, settlement, now));
  const logs = settlements.filter((_, index) => outcomes[index] !== "lease_lost").map((settlement) => settlement.log);
  if (logs.length > 0)
    yield* many(
      engine.db
        .insertInto("delivery_attempts")
        .values(logs)
        .onConflict((conflict) => conflict.doNothing()),
    );
  return outcomes;
}

/** A failure counts only from the lease's holder; a late success comes from anyone. */
function* settle({ db }: SqlEngine, settlement: Settlement, now: number): Step<SettleOutcome> {
  const { store_id, endpoint_id, event_id, lease_token, delivered, due_at } = settlement;
  const state = delivered ? "delivered" : due_at === null ? "exhausted" : "pending";
  const update = db
    .updateTable("deliveries")
    .set((eb) => ({ state, attempts: eb("attempts", "+", 1), lease_token: null, updated_at: now, ...(due_at === null ? {} : { due_at }) }))
    .where("store_id", "=", store_id)
    .where("endpoint_id", "=", endpoint_id)
    .where("event_id", "=", event_id)
    .returning("event_id");
  const row = yield* one(
    delivered ? update.where("state", "!=", "delivered") : update.where("state", "=", "pending").where("lease_token", "=", lease_token),
  );
  if (!row) return "lease_lost";
  return state === "pending" ? "rescheduled" : state;
}

export function* releaseDeliveries({ db }: SqlEngine, keys: readonly DeliveryKey[], lease_token: string, now: number): Step<void> {
  for (const { store_id, endpoint_id, event_id } of keys) {
    yield* many(
      db
        .updateTable("deliveries")
        .set({ due_at: now, lease_token: null })
        .where("store_id", "=", store_id)
        .where("endpoint_id", "=", endpoint_id)
        .where("event_id", "=", event_id)
        .where("state", "=", "pending")
        .where("lease_token", "=", lease_token),
    );
  }
}
