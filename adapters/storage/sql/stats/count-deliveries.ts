import { sql } from "kysely";
import { mergeStats, statOfDelivery } from "#core/rules/owner/stats.ts";
import { statsWriter } from "../access/add-stats.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/**
 * Counts attempts of deliveries that an older version wrote. One call counts those
 * of one store, the newest first. In the same transaction `in_stats` marks each
 * attempt as counted.
 */
export async function countDeliveries(engine: SqlEngine, limit: number): Promise<number> {
  const store_id = await engine.read(() => findUncounted(engine));
  return store_id === null ? 0 : engine.write(() => countStore(engine, store_id, limit));
}

function* findUncounted({ db }: SqlEngine): QueryGenerator<string | null> {
  const row = yield* one(
    db
      .selectFrom("delivery_attempts")
      .select("store_id")
      .where("in_stats", "is", null)
      .orderBy("store_id")
      .limit(1),
  );
  return row?.store_id ?? null;
}

interface UncountedRow {
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly attempt: number;
  readonly started_at: number;
  readonly error: string | null;
}

const keyColumns = { endpoint_id: "text", event_id: "text", attempt: "bigint" } as const;

const keysOf = (rows: readonly UncountedRow[]): string =>
  JSON.stringify(
    rows.map(({ endpoint_id, event_id, attempt }) => ({ endpoint_id, event_id, attempt })),
  );

function* countStore(engine: SqlEngine, store_id: string, limit: number): QueryGenerator<number> {
  const rows = yield* lockUncounted(engine, store_id, limit);
  if (rows.length === 0) return 0;

  const modes = yield* readModes(engine, store_id, rows);
  yield* markCounted(engine, store_id, rows);
  const addStats = statsWriter(engine);
  for (const livemode of [false, true]) {
    // When the delivery is gone, the mode of its attempts is unknown, so they are not counted.
    const ofMode = rows.filter((row) => modes.get(nameOf(row)) === livemode);
    yield* addStats({ store_id, livemode }, mergeStats(ofMode.map(statOfDelivery)));
  }
  return rows.length;
}

const lockUncounted = (
  { db, dialect }: SqlEngine,
  store_id: string,
  limit: number,
): QueryGenerator<readonly UncountedRow[]> =>
  many(
    dialect.skipLocked(
      db
        .selectFrom("delivery_attempts")
        .select(["endpoint_id", "event_id", "attempt", "started_at", "error"])
        .where("store_id", "=", store_id)
        .where("in_stats", "is", null)
        .orderBy("started_at", "desc")
        .limit(limit),
    ),
  );

const nameOf = ({ endpoint_id, event_id }: Pick<UncountedRow, "endpoint_id" | "event_id">) =>
  `${endpoint_id} ${event_id}`;

/** Reads the mode of each delivery by its name: true is the live mode. */
function* readModes(
  { db, dialect }: SqlEngine,
  store_id: string,
  rows: readonly UncountedRow[],
): QueryGenerator<ReadonlyMap<string, boolean>> {
  const found = yield* many(
    sql<{ endpoint_id: string; event_id: string; livemode: 0 | 1 }>`
      select d.endpoint_id, d.event_id, d.livemode
      from ${dialect.jsonTable("g", sql<string>`${keysOf(rows)}`, keyColumns)}
      join ${sql.table("deliveries")} as d
        on d.endpoint_id = g.endpoint_id and d.event_id = g.event_id
      where d.store_id = ${store_id}`.compile(db),
  );
  return new Map(found.map((delivery) => [nameOf(delivery), delivery.livemode === 1]));
}

function* markCounted(
  { db, dialect }: SqlEngine,
  store_id: string,
  rows: readonly UncountedRow[],
): QueryGenerator<void> {
  yield* many(
    sql`
      update ${sql.table("delivery_attempts")} as a set in_stats = 1
      from ${dialect.jsonTable("g", sql<string>`${keysOf(rows)}`, keyColumns)}
      where a.store_id = ${store_id} and a.endpoint_id = g.endpoint_id
        and a.event_id = g.event_id and a.attempt = g.attempt`.compile(db),
  );
}
