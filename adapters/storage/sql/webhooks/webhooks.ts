import { sql } from "kysely";
import type { Partition } from "#core/rules/records.ts";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import { ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { sqlClaims } from "./claim/claims.ts";
import { sqlDeliveries } from "./deliveries.ts";
import { sqlEndpoints } from "./endpoints.ts";
import { sqlNotices } from "./notices.ts";
import { pruneStep } from "./prune.ts";

type EventQuery = Parameters<WebhookStore["listEvents"]>[0];
type EventList = Awaited<ReturnType<WebhookStore["listEvents"]>>;

export function sqlWebhooks(engine: SqlEngine): WebhookStore {
  const prune = pruneStep(engine);

  return {
    ...sqlEndpoints(engine),
    ...sqlDeliveries(engine),
    ...sqlClaims(engine),
    ...sqlNotices(engine),
    listEvents: (query) => engine.read(() => listEvents(engine, query)),
    prune: (range) => engine.write(() => prune(range)),
  };
}

function* listEvents(
  engine: SqlEngine,
  { after, limit, ...partition }: EventQuery,
): QueryGenerator<EventList> {
  const all = eventsOf(engine, partition);
  if (after === undefined) return yield* page(all, limit);

  const cursor = yield* one(all.select("sequence").where("id", "=", after));
  if (!cursor) return { outcome: "unknown_cursor" };

  const later = all.where("sequence", ">", cursor.sequence);
  const isPruned = sql<boolean>`body is null`;
  const pruned = later.select("sequence").where(isPruned).orderBy("sequence").limit(1);
  if (yield* one(pruned)) return { outcome: "cursor_expired" };

  return yield* page(later, limit);
}

function eventsOf({ db }: SqlEngine, partition: Partition) {
  return db.selectFrom("events").where(ofPartition(partition));
}

/** Reads one event more than `limit`, to tell whether there are others. */
function* page(events: ReturnType<typeof eventsOf>, limit: number): QueryGenerator<EventList> {
  const rows = yield* many(
    events
      .selectAll()
      .where("body", "is not", null)
      .orderBy("sequence")
      .limit(limit + 1),
  );
  return {
    outcome: "listed",
    events: rows.map((row) => ({ ...row, livemode: row.livemode === 1 })),
  };
}
