import type { OrderStore, WorkClaim } from "../../../../src/storage/order-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import {
  attemptWork,
  holdWork,
  orderWork,
  paymentWork,
  refundWork,
  type Work,
} from "../orders/maintenance.ts";
import { atOnce } from "./at-once.ts";

type Claims = Pick<
  OrderStore,
  "claimOrders" | "claimHolds" | "claimAttempts" | "claimPayments" | "claimRefunds"
>;

export const citusMaintenance = (engine: SqlEngine): Claims => ({
  claimOrders: (work) => claimRows(engine, orderWork, work),
  claimHolds: (work) => claimRows(engine, holdWork, work),
  claimAttempts: (work) => claimRows(engine, attemptWork, work),
  claimPayments: (work) => claimRows(engine, paymentWork, work),
  claimRefunds: (work) => claimRows(engine, refundWork, work),
});

/** A claim looks again so often when other processes were faster. */
const maxLooks = 4;

/**
 * Leases rows that are due, the oldest first. Citus locks no rows of several shards: a
 * read of all of them finds the rows, and a guarded update takes each on its own shard.
 */
async function claimRows<R>(
  engine: SqlEngine,
  work: Work<R>,
  claim: WorkClaim,
): Promise<readonly R[]> {
  const claimed: R[] = [];
  for (let look = 0; look < maxLooks && claimed.length < claim.limit; look += 1) {
    const limit = claim.limit - claimed.length;
    const due = await engine.read(() => findDue(engine, work, { ...claim, limit }));
    const taken = await atOnce(due, (row) => engine.write(() => take(engine, work, claim, row)));

    const records = taken.flatMap((record) => record ?? []);
    for (const record of records)
      claimed.push({ ...work.read(record), [work.column]: claim.until });
    if (records.length === due.length) break;
  }
  return claimed;
}

interface DueRow {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly id: string;
}

function* findDue<R>(
  { db }: SqlEngine,
  { table, column }: Work<R>,
  { now, limit }: WorkClaim,
): QueryGenerator<readonly DueRow[]> {
  const dueAt = db.dynamic.ref(column);
  return yield* many(
    db
      // Kysely types one table at a time. All of these have the columns that are named here.
      .selectFrom(table as "orders")
      .select(["store_id", "livemode", "id"])
      .where(dueAt, "<=", now)
      .orderBy(dueAt)
      .limit(limit),
  );
}

/** The record of the row; null when another process was faster. */
function* take<R>(
  { db }: SqlEngine,
  { table, column }: Work<R>,
  { now, until }: WorkClaim,
  { store_id, livemode, id }: DueRow,
): QueryGenerator<string | null> {
  const row = yield* one(
    db
      .updateTable(table as "orders")
      .set({ [column]: until })
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", id)
      .where(db.dynamic.ref(column), "<=", now)
      .returning("record"),
  );
  return row?.record ?? null;
}
