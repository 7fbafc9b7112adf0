import { sql } from "kysely";
import type {
  AttemptCount,
  AttemptWindow,
  ListingStore,
} from "#core/storage/reads/listing-store.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { one, type QueryGenerator } from "../engine/queries.ts";

type Counts = Pick<ListingStore, "countAttempts">;

export const sqlAttemptCounts = (engine: SqlEngine): Counts => ({
  countAttempts: (window) => engine.read(() => countAttempts(engine, window)),
});

interface CountRow {
  readonly attempts: number;
  readonly accepted: number;
}

/**
 * Counts attempts. Each outcome has an index of its own, because an attempt stands
 * in one of the two.
 */
function* countAttempts({ db }: SqlEngine, window: AttemptWindow): QueryGenerator<AttemptCount> {
  const { store_id, endpoint_id, since, limit } = window;
  const newest = (outcome: "accepted" | "refused") => sql`
    select * from (
      select started_at, ${sql.lit(outcome === "accepted" ? 1 : 0)} as accepted
      from ${sql.table("delivery_attempts")}
      where store_id = ${store_id} and endpoint_id = ${endpoint_id} and started_at >= ${since}
        and error is ${outcome === "accepted" ? sql`null` : sql`not null`}
      order by started_at desc limit ${limit}
    ) as of_outcome`;

  const row = yield* one(
    sql<CountRow>`
      select count(*) as attempts, coalesce(sum(accepted), 0) as accepted from (
        ${newest("accepted")} union all ${newest("refused")}
        order by started_at desc limit ${limit}
      ) as counted`.compile(db),
  );
  const last = yield* one(lastAccepted(db, window));
  return {
    attempts: Number(row?.attempts ?? 0),
    accepted: Number(row?.accepted ?? 0),
    last_accepted_at: last?.started_at ?? null,
  };
}

const lastAccepted = (db: Db, { store_id, endpoint_id }: AttemptWindow) =>
  db
    .selectFrom("delivery_attempts")
    .select("started_at")
    .where("store_id", "=", store_id)
    .where("endpoint_id", "=", endpoint_id)
    .where("error", "is", null)
    .orderBy("started_at", "desc")
    .limit(1);
