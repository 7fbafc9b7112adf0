import type { SqlDialect } from "../../dialect.ts";
import { listedFields } from "../../json-fields.ts";
import type { Migration } from "../../migration.ts";

/**
 * Makes the indexes of the owner's lists, and the columns that tell who has
 * acknowledged an alert. What a list is sorted by often stands in the record alone:
 * an index on the field needs no column to fill, and cannot differ from the record.
 *
 * The state stands first. An index that begins with store and mode could be taken
 * for the look-up of a row by its id: without statistics, PostgreSQL read a third
 * of `events_by_type` for each delivery that it claimed.
 */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  const field = listedFields(database);

  return [
    `create index {payment_attempts_by_state} on {payment_attempts}
      (state, store_id, livemode, created_at, id)`,
    `create index {refunds_by_state} on {refunds}
      ((${field.refund_state}), store_id, livemode, id)`,
    `create index {disputes_by_status} on {disputes}
      ((${field.dispute_status}), store_id, livemode, (${field.created_at}), order_id, id)`,
    `create index {checkout_sessions_by_status} on {checkout_sessions}
      (status, store_id, livemode, id)`,
    `create index {subscriptions_due} on {subscriptions}
      (store_id, livemode, (${field.period_end}), id)
      where ends_at is null and status <> 'canceled'`,
    `create index {events_by_type} on {events}
      (type, store_id, livemode, created_at, sequence)`,
    `create index {events_by_order} on {events}
      ((${field.event_order}), store_id, livemode, sequence) where body is not null`,
    `create index {orders_by_coupon} on {orders}
      ((${field.coupon_id}), store_id, livemode, number)
      where ${field.coupon_id} is not null and ${field.coupon_holds} <> 'none'`,
    "create index {products_drafts} on {products} (store_id, id) where active = 0",
    `create index {delivery_attempts_accepted} on {delivery_attempts}
      (store_id, endpoint_id, started_at) where error is null`,
    `create index {delivery_attempts_refused} on {delivery_attempts}
      (store_id, endpoint_id, started_at) where error is not null`,
    "alter table {alerts} add column acknowledged_at bigint",
    "alter table {alerts} add column acknowledged_by text",
    "create index {alerts_by_id} on {alerts} (store_id, id)",
    "create index {alerts_open} on {alerts} (store_id, id) where acknowledged_at is null",
  ];
}

export const migration13: Migration = {
  id: 13,
  name: "lists",
  compatible_from: 1,
  statements: {
    postgres: statementsOn("postgres"),
    sqlite: statementsOn("sqlite"),
  },
};
