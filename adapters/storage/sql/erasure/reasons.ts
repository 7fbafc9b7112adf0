import { sql } from "kysely";
import { withoutConsent, withoutReason } from "#core/rules/owner/erasure.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
} from "#core/rules/payments/payment-records.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

const blankReason = (record: string): object | null => {
  const row = fromJson<RefundRecord | DisputeRecord>(record);
  return row.reason === null ? null : withoutReason(row);
};

/** Removes the text that a row of each table has of a buyer. Gives null when there is none. */
const blanks = {
  refunds: blankReason,
  disputes: blankReason,
  payment_attempts: (record: string): object | null => {
    const row = fromJson<AttemptRecord>(record);
    return row.consent ? withoutConsent(row) : null;
  },
};

interface ErasedReasons {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly order_ids: readonly string[];
}

/**
 * Takes the reasons out of the refunds and disputes of orders, and the consent out of their
 * attempts. The locks of the orders keep their steps away, so the rows need no order: SQLite
 * would read all refunds of the store for one by id.
 */
export function* eraseReasons(engine: SqlEngine, erased: ErasedReasons): QueryGenerator<void> {
  for (const table of ["refunds", "disputes", "payment_attempts"] as const)
    yield* eraseTable(engine, table, erased);
}

function* eraseTable(
  { db, dialect }: SqlEngine,
  table: keyof typeof blanks,
  { store_id, livemode, order_ids }: ErasedReasons,
): QueryGenerator<void> {
  const rows = yield* many(
    dialect.forUpdate(
      db
        .selectFrom(table)
        .select(["order_id", "id", "record"])
        .where(ofPartition({ store_id, livemode }))
        .where("order_id", "in", order_ids),
    ),
  );
  const blank = rows.flatMap(({ order_id, id, record }) => {
    const blanked = blanks[table](record);
    return blanked === null ? [] : [{ order_id, id, record: JSON.stringify(blanked) }];
  });
  if (blank.length === 0) return;

  const columns = { order_id: "text", id: "text", record: "text" } as const;
  yield* many(
    sql`
      with b as materialized (
        select * from ${dialect.jsonTable("j", sql<string>`${JSON.stringify(blank)}`, columns)})
      update ${sql.table(table)} as r set record = b.record from b
      where r.store_id = ${store_id} and r.livemode = ${livemode}
        and r.order_id = b.order_id and r.id = b.id`.compile(db),
  );
}
