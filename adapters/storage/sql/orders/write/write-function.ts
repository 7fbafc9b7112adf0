import { type RawBuilder, sql } from "kysely";
import { addUpStats } from "../../access/add-stats.ts";
import type { Db } from "../../engine/engine.ts";
import type { Param } from "../../engine/queries.ts";
import { type StoreFunction, textOf, valuesOf } from "../../engine/store-function.ts";
import { citus } from "../../schema/dialect.citus.ts";
import { functionNames } from "../../schema/function-names.ts";
import {
  newDeliveryColumns,
  newDeliveryValues,
  wantsEventText,
} from "../../webhooks/event-statements.ts";
import { newOrder } from "./order-columns.ts";
import { addUpTotals } from "./order-index.ts";
import {
  attemptUpsert,
  orderUpdate,
  paymentInsert,
  paymentUpdate,
  sessionUpdate,
} from "./row-statements.ts";

/** The function answers this. After "order moved" and "money known" the step must end. */
export type StepWritten = "indexed" | "not indexed" | "order moved" | "money known";

const answer = (value: StepWritten): string => `return '${value}'`;

/**
 * Writes the rows of a step, its events with their deliveries, and what follows them, in
 * the order of the locks; what is null is not written. The order is a new one unless its
 * status before the step is given. The sequences are taken from the counters unless the
 * sequence before the first event is given. An endpoint that is read here cannot be
 * deleted before the commit: its end finds all of its deliveries, and skips them.
 */
export const writeFunction: StoreFunction = {
  name: functionNames.writeStep,
  parameters: [
    "given_store text",
    "given_livemode integer",
    "given_session json",
    "given_order json",
    "given_status text",
    "given_terms json",
    "given_attempts json",
    "given_payments json",
    "given_events json",
    "given_before bigint",
    "given_totals json",
    "given_stats json",
  ],
  returns: "text",
  body: (db) => `
    declare
      session_row {checkout_sessions};
      order_row {orders};
      word text;
      indexed_at bigint = 0;
      attempt_row {payment_attempts};
      payment_row {payments};
      before bigint = given_before;
      wanted bigint = json_array_length(given_events);
      g record;
      e record;
      total_row {customer_totals};
      stat_row {hourly_stats};
    begin
      ${rowsText(db)}
      ${eventsText(db)}
      if indexed_at is null then ${answer("not indexed")}; end if;
      ${answer("indexed")};
    end`,
};

const rowsText = (db: Db): string => `
  if given_session is not null then
    session_row = json_populate_record(null::{checkout_sessions}, given_session);
    ${textOf(sessionUpdate(db, valuesOf("session_row")))};
  end if;
  if given_order is not null then
    order_row = json_populate_record(null::{orders}, given_order);
    if given_status is null then
      ${textOf(newOrder(db, valuesOf("order_row")))};
      for word in select value from json_array_elements_text(given_terms) loop
        insert into {order_terms} (store_id, livemode, term, number)
          values (given_store, order_row.livemode, word, order_row.number);
      end loop;
    else
      ${textOf(orderUpdate(db, orderValues).returning("created_at"))} into indexed_at;
      if not found then ${answer("order moved")}; end if;
    end if;
  end if;
  for attempt_row in
    select * from json_populate_recordset(null::{payment_attempts}, given_attempts)
  loop
    ${textOf(attemptUpsert(db, valuesOf("attempt_row")))};
  end loop;
  for payment_row in
    select * from json_populate_recordset(null::{payments}, given_payments)
  loop
    ${textOf(paymentInsert(db, valuesOf("payment_row")))};
    if not found then
      ${textOf(paymentUpdate(db, valuesOf("payment_row")))};
      if not found then ${answer("money known")}; end if;
    end if;
  end loop;`;

const orderValues: Param = <T>(name: string) =>
  name === "status_before"
    ? (sql.raw("given_status") as RawBuilder<T>)
    : valuesOf("order_row")<T>(name);

function eventsText(db: Db): string {
  const text = (part: RawBuilder<unknown>): string => textOf({ compile: () => part.compile(db) });
  return `
  if before is null and wanted > 0 then
    insert into {counters} as c (store_id, livemode, order_number, sequence)
      values (given_store, given_livemode, 0, wanted)
      on conflict (store_id, livemode) do update set sequence = c.sequence + excluded.sequence
      returning sequence - wanted into before;
  end if;
  for g in
    select * from json_to_recordset(given_events)
      as t(id text, type text, created_at bigint, agent text, at bigint, head text, tail text)
  loop
    insert into {events} (store_id, livemode, id, sequence, type, created_at, body)
      values (given_store, given_livemode, g.id, before + g.at, g.type, g.created_at,
        g.head || cast(before + g.at as text) || g.tail);
    for e in
      select id, state, event_types from {webhook_endpoints}
        where store_id = given_store and livemode = given_livemode
        order by id for key share
    loop
      if ${text(wantsEventText(citus))} then
        insert into {deliveries} ${text(newDeliveryColumns)}
          values (given_store, given_livemode, ${text(newDeliveryValues)});
      end if;
    end loop;
  end loop;
  if indexed_at is null then given_totals = null; end if;
  for total_row in
    select * from json_populate_recordset(null::{customer_totals}, given_totals)
  loop
    insert into {customer_totals} as k
      (store_id, livemode, customer_id, currency, orders, spent)
      values (given_store, given_livemode, total_row.customer_id, total_row.currency,
        total_row.orders, total_row.spent)
      ${text(addUpTotals)};
  end loop;
  for stat_row in
    select * from json_populate_recordset(null::{hourly_stats}, given_stats)
  loop
    insert into {hourly_stats} as s
      (store_id, livemode, hour, kind, currency, count, amount)
      values (given_store, given_livemode, stat_row.hour, stat_row.kind, stat_row.currency,
        stat_row.count, stat_row.amount)
      ${text(addUpStats)};
  end loop;`;
}
