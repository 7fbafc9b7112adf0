import { type RawBuilder, sql } from "kysely";
import { orderTerms } from "#core/rules/orders/order-terms.ts";
import type { AttemptRecord, PaymentRecord } from "#core/rules/payments/payment-records.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, one, type Param, prepare, prepareEach } from "../../engine/queries.ts";
import { paymentWriter } from "../payments.ts";
import { newOrder, orderUpdateValues, orderValues } from "./order-columns.ts";
import {
  attemptUpsert,
  attemptValues,
  orderUpdate,
  paymentInsert,
  paymentValues,
  sessionUpdate,
  sessionValues,
} from "./row-statements.ts";
import { movedOrder, type StepRows, type WriteRows } from "./step-rows.ts";

/**
 * Which rows a statement writes. It writes at most one of each table, as nearly every step does.
 */
interface Shape {
  readonly session: boolean;
  readonly order: "new" | "changed" | null;
  readonly attempt: boolean;
  readonly payment: boolean;
}

/** Counts the written rows of those that a condition or a known key may keep out. */
interface Written {
  readonly orders: number;
  readonly payments: number;
}

/**
 * One statement writes the rows of a step: each further one would cost a round trip,
 * which is more than the writing itself. No row of it depends on another.
 */
export function writeRowsOnPostgres(engine: SqlEngine): WriteRows {
  const { db } = engine;
  const write = prepareEach<Shape, Written>(nameOf, (shape, param) => ({
    compile: () => statementOf(engine, shape, param).compile(db),
  }));
  const putAttempt = prepare((param) => attemptUpsert(db, param));
  const money = paymentWriter(engine);

  return function* writeRows(rows) {
    const { attempts, payments, offset } = rows;
    const [attempt = null, ...moreAttempts] = attempts;
    const [payment = null, ...morePayments] = payments;
    const shape = shapeOf(rows);
    if (nameOf(shape) !== nothing) {
      const written = yield* one(write(shape, valuesOf(rows, attempt, payment)));
      if (shape.order && written?.orders !== 1) throw movedOrder();
      if (payment && written?.payments !== 1) yield* money.update(payment, offset);
    }

    for (const more of moreAttempts) yield* many(putAttempt(attemptValues(more, offset)));
    for (const more of morePayments) yield* money.put(more, offset);
    return true;
  };
}

const isWritten = ({ order, order_before }: StepRows): boolean =>
  order !== null && order !== order_before;

const shapeOf = (rows: StepRows): Shape => ({
  session: rows.session !== null,
  order: isWritten(rows) ? (rows.order_before ? "changed" : "new") : null,
  attempt: rows.attempts.length > 0,
  payment: rows.payments.length > 0,
});

const nameOf = ({ session, order, attempt, payment }: Shape): string =>
  `${session} ${order} ${attempt} ${payment}`;

const nothing = nameOf({ session: false, order: null, attempt: false, payment: false });

function statementOf({ db, dialect }: SqlEngine, shape: Shape, param: Param) {
  const parts: RawBuilder<unknown>[] = [];
  if (shape.session) parts.push(sql`s as (${sessionUpdate(db, prefixed(param, "s_"))})`);

  const ofOrder = prefixed(param, "o_");
  if (shape.order === "changed")
    parts.push(sql`o as (${orderUpdate(db, ofOrder).returning("id")})`);
  if (shape.order === "new") {
    parts.push(sql`o as (${newOrder(db, ofOrder).returning("id")})`);
    parts.push(sql`t as (
      insert into ${sql.table("order_terms")} (store_id, livemode, term, number)
      select ${ofOrder("store_id")}, cast(${ofOrder("livemode")} as integer), value,
        cast(${ofOrder("number")} as bigint)
      from ${dialect.jsonValues(ofOrder("terms"))})`);
  }

  if (shape.attempt) parts.push(sql`a as (${attemptUpsert(db, prefixed(param, "a_"))})`);
  if (shape.payment)
    parts.push(sql`p as (${paymentInsert(db, prefixed(param, "p_")).returning("id")})`);

  return sql<Written>`with ${sql.join(parts)}
    select ${shape.order ? sql`(select count(*) from o)` : sql`0`} as orders,
      ${shape.payment ? sql`(select count(*) from p)` : sql`0`} as payments`;
}

/** The rows of a statement have columns of the same names. */
const prefixed =
  (param: Param, prefix: string): Param =>
  (name) =>
    param(`${prefix}${name}`);

function valuesOf(
  rows: StepRows,
  attempt: AttemptRecord | null,
  payment: PaymentRecord | null,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const add = (prefix: string, row: Readonly<Record<string, unknown>>): void => {
    for (const name of Object.keys(row)) values[prefix + name] = row[name];
  };
  const { session, order, order_before, offset } = rows;
  if (session) add("s_", sessionValues(session, offset));
  if (order && isWritten(rows))
    add(
      "o_",
      order_before
        ? orderUpdateValues(order, order_before, offset)
        : { ...orderValues(order, offset), terms: JSON.stringify(orderTerms(order)) },
    );
  if (attempt) add("a_", attemptValues(attempt, offset));
  if (payment) add("p_", paymentValues(payment, offset));
  return values;
}
