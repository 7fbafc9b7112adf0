import { sql } from "kysely";
import { orderTerms } from "#core/rules/orders/order-terms.ts";
import type { Partition } from "#core/rules/records.ts";
import { GuardFailed } from "../../catalog/stock/guard-failed.ts";
import { partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { one, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import { functionNames } from "../../schema/function-names.ts";
import { eventList } from "../../webhooks/event-statements.ts";
import { orderValues } from "./order-columns.ts";
import { attemptValues, paymentValues, sessionValues } from "./row-statements.ts";
import { movedOrder, type StepRows, type StepWrites, type WriteStep } from "./step-rows.ts";
import type { StepWritten } from "./write-function.ts";

/**
 * The node of the store writes the step, by one call of `writeFunction`. A step that has
 * something to write between its rows and its events takes two.
 */
export function writeStepOnCitus({ db }: SqlEngine): WriteStep {
  const call = prepareRaw<{ readonly written: StepWritten }>(
    db,
    (param) => sql`
      select ${sql.table(functionNames.writeStep)}(${sql.join(names.map((name) => param(name)))})
        as written`,
  );

  function* write(partition: Partition, values: Partial<StepValues>): QueryGenerator<boolean> {
    const isEmpty = written.every((name) => (values[name] ?? null) === null);
    if (isEmpty) return true;

    const row = yield* one(call({ ...nothing, ...values, ...partitionColumns(partition) }));
    if (row?.written === "order moved") throw movedOrder();
    if (row?.written === "money known")
      throw new GuardFailed("The same money was written for another order.");
    return row?.written === "indexed";
  }

  return function* writeStep(partition, writes) {
    const between = writes.between();
    let turn = between.next([]);
    if (turn.done) {
      yield* write(partition, { ...rowValues(writes.rows), ...eventValues(writes) });
      return;
    }

    const isIndexed = yield* write(partition, rowValues(writes.rows));
    while (!turn.done) turn = between.next(yield turn.value);
    const totals = isIndexed ? writes.totals : null;
    yield* write(partition, eventValues({ ...writes, totals }));
  };
}

/** A call may write this. */
const written = ["session", "order", "attempts", "payments", "events", "totals", "stats"] as const;

/** The parameters of `writeFunction`. */
const names = [
  "store_id",
  "livemode",
  "session",
  "order",
  "status",
  "terms",
  "attempts",
  "payments",
  "events",
  "before",
  "totals",
  "stats",
] as const;

type StepValues = Readonly<Record<(typeof names)[number], string | number | null>>;

const nothing = Object.fromEntries(names.map((name) => [name, null]));

function rowValues({ session, order, order_before, attempts, payments, offset }: StepRows) {
  const changed = order === order_before ? null : order;
  return {
    session: session && JSON.stringify(sessionValues(session, offset)),
    order: changed && JSON.stringify(orderValues(changed, offset)),
    status: order_before?.status ?? null,
    terms: changed && !order_before ? JSON.stringify(orderTerms(changed)) : null,
    attempts: listOf(attempts.map((attempt) => attemptValues(attempt, offset))),
    payments: listOf(payments.map((payment) => paymentValues(payment, offset))),
  };
}

const eventValues = ({ events, first_sequence, totals, stats }: StepWrites) => ({
  events: events.length === 0 ? null : eventList(events),
  before: first_sequence === null ? null : first_sequence - 1,
  totals: totals && listOf(totals.totals),
  stats: listOf(stats),
});

const listOf = (rows: readonly unknown[]): string | null =>
  rows.length === 0 ? null : JSON.stringify(rows);
