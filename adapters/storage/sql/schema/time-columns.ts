import type { Tables } from "./tables.ts";

/**
 * The clock of a time column. `real` is the time of the host or the database. `mode` is the
 * time of the store's mode, which in test mode an owner may have turned ahead. A `Due` column
 * holds the real time at which work is due, and comes nearer when the clock moves.
 */
export type TimeKind = "real" | "mode" | Due;

/** Which of the rows wait for their time. The others are held by somebody. */
export type Due =
  /** Every row waits. */
  | { readonly waits: "always" }
  /**
   * A row waits while its column says what its record says. A lease has moved the column
   * alone. A row also does not wait whose field is equal to the field `unless`.
   */
  | { readonly waits: "as_recorded"; readonly field: string; readonly unless?: string }
  /** The same, where the column holds the first of several times of the record. */
  | { readonly waits: "as_one_recorded"; readonly fields: readonly string[] }
  /** A delivery waits while it is pending and carries no lease. */
  | { readonly waits: "pending" };

const recorded = (field: string, unless?: string): Due => ({
  waits: "as_recorded",
  field,
  ...(unless === undefined ? {} : { unless }),
});

/** Every column of a time has a line here: `test/postgres/time-columns.test.ts` compares them. */
export const timeColumns: Readonly<
  Partial<Record<keyof Tables, Readonly<Record<string, TimeKind>>>>
> = {
  api_keys: { created_at: "real", revoked_at: "real", last_used_at: "real" },
  // The alerts of a payment or an order tell the time of their mode, those of endpoints the real.
  alerts: { created_at: "mode", acknowledged_at: "real" },
  // A notice is due at once, or leased: it never waits for a time.
  alert_notices: { due_at: "real" },
  audit_log: { created_at: "real" },
  checkout_sessions: { expires_at: "mode", sweep_at: recorded("sweep_at") },
  counted_sales: { starts_at: "mode" },
  customer_tokens: { not_before: "real" },
  dashboard_forms: { expires_at: "real" },
  dashboard_links: { created_at: "real", expires_at: "real" },
  dashboard_sessions: { created_at: "real", expires_at: "real" },
  // Events and deliveries are pruned by the age of what is stored. An event's own time, which
  // is that of its mode, stands in its body.
  deliveries: {
    due_at: { waits: "pending" },
    resume_due: { waits: "pending" },
    created_at: "real",
    updated_at: "real",
  },
  delivery_attempts: { started_at: "real" },
  erasures: { touched_at: "real" },
  event_cursors: { leased_until: "real" },
  events: { created_at: "real" },
  gateway_notifications: { created_at: "real" },
  hourly_stats: { hour: "mode" },
  stats_hours: { hour: "mode" },
  product_categories: { created_at: "real" },
  products: { placed_at: "real", facets_at: "real" },
  idempotency_keys: { locked_until: "real", created_at: "real" },
  order_notes: { created_at: "mode" },
  orders: {
    sweep_at: recorded("sweep_at"),
    period_start: "mode",
    created_at: "mode",
    updated_at: "mode",
  },
  payment_attempts: { check_at: recorded("check_at", "call_ends_at"), created_at: "mode" },
  payments: { check_at: recorded("check_at") },
  rate_buckets: { updated_at: "real" },
  refunds: { check_at: recorded("check_at") },
  request_blocks: { expires_at: "real" },
  sales_rollups: { counted_since: "mode", counted_until: "mode" },
  session_days: { day: "real" },
  session_rollups: { until: "mode" },
  subscriptions: {
    ends_at: { waits: "always" },
    charge_at: {
      waits: "as_one_recorded",
      fields: ["renewal.charge_at", "renewal.notice_at", "forget.at"],
    },
  },
  webhook_endpoints: { failing_since: "real" },
};

/** A column that makes work due. */
export interface DueColumn {
  readonly table: keyof Tables;
  readonly column: string;
  readonly due: Due;
}

export const dueColumns: readonly DueColumn[] = Object.entries(timeColumns).flatMap(
  ([table, columns]) =>
    Object.entries(columns).flatMap(([column, kind]) =>
      typeof kind === "string" ? [] : [{ table: table as keyof Tables, column, due: kind }],
    ),
);
