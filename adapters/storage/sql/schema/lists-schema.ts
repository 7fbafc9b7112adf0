import type { SqlDialect } from "./dialect.ts";
import { listedFields } from "./json-fields.ts";

/**
 * The indexes of the owner's lists, and who has acknowledged an alert. What a list is
 * sorted by often stands in the record alone: an index on the field needs no column
 * to fill, and cannot differ from the record.
 */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  const field = listedFields(database);

  return [
    `create index {payment_attempts_by_state} on {payment_attempts}
      (store_id, livemode, state, created_at, id)`,
    `create index {refunds_by_state} on {refunds}
      (store_id, livemode, (${field.refund_state}), id)`,
    `create index {disputes_by_status} on {disputes}
      (store_id, livemode, (${field.dispute_status}), (${field.created_at}), order_id, id)`,
    `create index {checkout_sessions_by_status} on {checkout_sessions}
      (store_id, livemode, status, id)`,
    `create index {subscriptions_due} on {subscriptions}
      (store_id, livemode, (${field.period_end}), id)
      where ends_at is null and status <> 'canceled'`,
    `create index {events_by_type} on {events}
      (store_id, livemode, type, created_at, sequence)`,
    `create index {events_by_order} on {events}
      (store_id, livemode, (${field.event_order}), sequence) where body is not null`,
    `create index {orders_by_coupon} on {orders}
      (store_id, livemode, (${field.coupon_id}), number)
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

export const listsSchema: Readonly<Record<SqlDialect["name"], readonly string[]>> = {
  postgres: statementsOn("postgres"),
  sqlite: statementsOn("sqlite"),
};
