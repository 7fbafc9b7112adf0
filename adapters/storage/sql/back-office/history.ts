import { maxNotes } from "#core/rules/orders/order-terms.ts";
import { byCreation } from "#core/rules/payments/order-money.ts";
import {
  readAttempt,
  readDispute,
  readPayment,
  readRefund,
} from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord, Partition } from "#core/rules/records.ts";
import type { OrderHistory } from "#core/storage/back-office-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { listNotes } from "../orders/notes.ts";

type MoneyTable = "payment_attempts" | "payments" | "refunds" | "disputes";

export function* findHistory(
  engine: SqlEngine,
  partition: Partition,
  order_id: string,
): QueryGenerator<OrderHistory | null> {
  const { db, dialect } = engine;
  const found = yield* one(
    db
      .selectFrom("orders")
      .select("record")
      .where(ofPartition(partition))
      .where("id", "=", order_id),
  );
  if (!found) return null;

  function* recordsOf(table: MoneyTable): QueryGenerator<readonly string[]> {
    const rows = yield* many(
      db
        // Kysely types one table at a time. All of these have the columns that are named here.
        .selectFrom(table as "payments")
        .select("record")
        .where(ofPartition(partition))
        .where("order_id", "=", order_id)
        .orderBy(dialect.withoutIndex("id")),
    );
    return rows.map(({ record }) => record);
  }

  const attempts = (yield* recordsOf("payment_attempts")).map(readAttempt);
  const payments = (yield* recordsOf("payments")).map(readPayment).sort(byCreation);
  const refunds = (yield* recordsOf("refunds")).map(readRefund);
  const disputes = (yield* recordsOf("disputes")).map(readDispute);
  const page = { order_id, after: null, limit: maxNotes };
  const notes = yield* listNotes(engine, { ...partition, ...page });
  const order = fromJson<OrderRecord>(found.record);
  return { order, attempts, payments, refunds, disputes, notes };
}
