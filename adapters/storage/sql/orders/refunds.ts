import { sql } from "kysely";
import type { RefundRecord } from "#core/rules/payments/payment-records.ts";
import { readRefund } from "#core/rules/payments/stored-payments.ts";
import type { Partition } from "#core/rules/records.ts";
import type { OrderStore, RefundQuery } from "#core/storage/order-store.ts";
import { ofPartition } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { movedIn } from "../engine/moved.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { listedFields } from "../schema/json-fields.ts";

type Refunds = Pick<OrderStore, "listRefunds">;

export function sqlRefunds(engine: SqlEngine): Refunds {
  return {
    listRefunds: (query) =>
      engine.read(function* (): QueryGenerator<readonly RefundRecord[]> {
        const page = query.succeeded ? succeededRefunds : pageOfRefunds;
        const rows = yield* many(page(engine, query));
        return rows.map((row) => readRefund(row.record));
      }),
  };
}

function refundsOf({ db }: SqlEngine, partition: Partition) {
  return db.selectFrom("refunds").select("record").where(ofPartition(partition));
}

/** Walks the index of refunds that have succeeded, the oldest first. */
function succeededRefunds(
  engine: SqlEngine,
  { succeeded = { from: 0, to: 0 }, limit, ...partition }: RefundQuery,
) {
  const { where, order } = movedIn(succeeded, {
    at: listedFields(engine.dialect.name).succeeded_at,
    columns: ["id"],
    after: [succeeded.after?.id ?? ""],
  });
  return refundsOf(engine, partition)
    .where(sql<boolean>`${where}`)
    .orderBy(order)
    .limit(limit + 1);
}

function pageOfRefunds(engine: SqlEngine, query: RefundQuery) {
  const { order_id, state, after, limit } = query;
  const { dialect } = engine;
  const { way, sign } = directionOf(query.oldest_first);
  const ofState = sql`${sql.raw(listedFields(dialect.name).refund_state)}`;
  let rows = refundsOf(engine, query);
  if (order_id !== undefined) rows = rows.where("order_id", "=", order_id);
  if (state !== undefined) rows = rows.where(ofState, "=", state);
  if (after !== undefined) rows = rows.where("id", sign, after);
  const place = order_id === undefined ? sql.ref("id") : dialect.withoutIndex("id");
  return rows.orderBy(place, way).limit(limit + 1);
}
