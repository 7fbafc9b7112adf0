import { sql } from "kysely";
import type { FoundOrder } from "#core/rows/step/step-rows.ts";
import { orderTerms } from "#core/rules/orders/order-terms.ts";
import { startOfHour, statOfSessions } from "#core/rules/owner/stats.ts";
import type { SessionRecord } from "#core/rules/records.ts";
import { statsWriter } from "../access/add-stats.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { lockRollup, readRollup } from "./rollup-lock.ts";

/**
 * Deletes an order and all that belongs to it. Its customer's totals, the numbers and the uses of
 * coupons stay as they are.
 */
export function* removeOrder(engine: SqlEngine, found: FoundOrder): QueryGenerator<void> {
  const { db } = engine;
  const { order, session } = found;
  const { store_id, livemode } = partitionColumns(order);
  const rows = (table: string, column: string, value: string | number) =>
    sql`delete from ${sql.table(table)} where store_id = ${store_id} and livemode = ${livemode}
      and ${sql.ref(column)} = ${value}`;

  // Most orders have no rows in three of these.
  for (const [table, { length }] of [
    ["order_notes", found.notes],
    ["refunds", found.refunds],
    ["disputes", found.disputes],
    ["payments", found.payments],
    ["payment_attempts", found.attempts],
  ] as const)
    if (length > 0) yield* many(rows(table, "order_id", order.id).compile(db));

  const terms = orderTerms(order);
  const ofNumber = rows("order_terms", "number", order.number);
  yield* many(sql`${ofNumber} and term in (${sql.join(terms)})`.compile(db));
  yield* many(rows("orders", "id", order.id).compile(db));
  if (!session) return;

  yield* many(rows("checkout_sessions", "id", session.id).compile(db));
  yield* countSession(engine, session);
}

/** Adds to the stored numbers a session that was counted anew at each reading until now. */
function* countSession(engine: SqlEngine, session: SessionRecord): QueryGenerator<void> {
  const { created_at } = session;
  // The time only grows, so that most sessions need no lock.
  if ((yield* readRollup(engine, session)).until > created_at) return;
  if ((yield* lockRollup(engine, session)).until > created_at) return;
  yield* statsWriter(engine)(session, [statOfSessions(startOfHour(created_at), 1)]);
}
