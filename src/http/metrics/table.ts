import { boundariesOfRequests, boundariesOfStorage } from "./boundaries.ts";

interface MetricRow {
  /** The name in Prometheus. */
  readonly name: `vitrine_${string}`;
  /**
   * The name in OpenTelemetry. Null means that a metric of its HTTP
   * conventions has the same value.
   */
  readonly otel: `vitrine.${string}` | null;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  readonly help: string;
  /** The boundaries of a histogram's buckets, in seconds. */
  readonly boundaries?: readonly number[];
}

/**
 * The table lists every metric of `GET {basePath}/metrics` and of OpenTelemetry.
 * Counters and histograms count what one process did since its start. Gauges are
 * read from the storage. A metric that is named `vitrine_..._seconds` is in
 * seconds.
 */
export const metricTable = {
  requests: {
    name: "vitrine_requests_total",
    otel: "vitrine.requests",
    type: "counter",
    labels: ["method", "route", "status", "code"],
    help: "Requests answered.",
  },
  request_duration: {
    name: "vitrine_request_duration_seconds",
    otel: null,
    type: "histogram",
    labels: ["route"],
    help: "Time until the answer.",
    boundaries: boundariesOfRequests,
  },
  idempotency: {
    name: "vitrine_idempotency_total",
    otel: "vitrine.idempotency",
    type: "counter",
    labels: ["outcome"],
    help: "Requests with an Idempotency-Key, by what the key meant.",
  },
  limited: {
    name: "vitrine_limited_total",
    otel: "vitrine.limited",
    type: "counter",
    labels: ["route"],
    help: "Requests over a rate limit.",
  },
  sessions: {
    name: "vitrine_sessions_total",
    otel: "vitrine.sessions",
    type: "counter",
    labels: ["outcome"],
    help: "Checkout sessions that were created, were paid, or whose order failed.",
  },
  payments: {
    name: "vitrine_payments_total",
    otel: "vitrine.payments",
    type: "counter",
    labels: ["gateway", "outcome"],
    help: "Results of payments that changed something, by gateway.",
  },
  caches: {
    name: "vitrine_cache_lookups_total",
    otel: "vitrine.cache.lookups",
    type: "counter",
    labels: ["cache", "outcome"],
    help: "Lookups in the caches of keys and of catalog answers, by hit and miss.",
  },
  storage_calls: {
    name: "vitrine_storage_call_duration_seconds",
    otel: "vitrine.storage.call.duration",
    type: "histogram",
    labels: ["call", "outcome"],
    help: "Time of a call of the storage, with its wait for a connection.",
    boundaries: boundariesOfStorage,
  },
  webhook_attempts: {
    name: "vitrine_webhook_attempts_total",
    otel: "vitrine.webhook.attempts",
    type: "counter",
    labels: ["outcome"],
    help: "Attempts to deliver a webhook, by outcome.",
  },
  webhook_attempt_duration: {
    name: "vitrine_webhook_attempt_duration_seconds",
    otel: null,
    type: "histogram",
    labels: [],
    help: "Time of an attempt.",
    boundaries: boundariesOfRequests,
  },
  alerts: {
    name: "vitrine_alerts_total",
    otel: "vitrine.alerts",
    type: "counter",
    labels: ["type"],
    help: "Alerts told to the host, by type.",
  },
  storage_up: {
    name: "vitrine_storage_up",
    otel: "vitrine.storage.up",
    type: "gauge",
    labels: [],
    help: "Whether the storage answered.",
  },
  webhooks_due: {
    name: "vitrine_webhooks_due",
    otel: "vitrine.webhooks.due",
    type: "gauge",
    labels: [],
    help: "Deliveries that are due, 100000 at most.",
  },
  webhooks_oldest_due: {
    name: "vitrine_webhooks_oldest_due_seconds",
    otel: "vitrine.webhooks.oldest_due",
    type: "gauge",
    labels: [],
    help: "How long the first of them has been due.",
  },
  webhooks_last_attempt: {
    name: "vitrine_webhooks_last_attempt_timestamp_seconds",
    otel: "vitrine.webhooks.last_attempt",
    type: "gauge",
    labels: [],
    help: "When any process last began to deliver; no value before the first time.",
  },
  endpoints_disabled: {
    name: "vitrine_endpoints_disabled",
    otel: "vitrine.endpoints.disabled",
    type: "gauge",
    labels: [],
    help: "Webhook endpoints that are disabled.",
  },
  payments_in_doubt: {
    name: "vitrine_payments_in_doubt",
    otel: "vitrine.payments.in_doubt",
    type: "gauge",
    labels: [],
    help: "Payments that gave no result in their time.",
  },
  payments_in_doubt_oldest: {
    name: "vitrine_payments_in_doubt_oldest_seconds",
    otel: "vitrine.payments.in_doubt.oldest",
    type: "gauge",
    labels: [],
    help: "Age of the oldest of them, from its beginning.",
  },
  refunds_pending: {
    name: "vitrine_refunds_pending",
    otel: "vitrine.refunds.pending",
    type: "gauge",
    labels: [],
    help: "Refunds whose result is still asked for.",
  },
  maintenance_oldest_due: {
    name: "vitrine_maintenance_oldest_due_seconds",
    otel: "vitrine.maintenance.oldest_due",
    type: "gauge",
    labels: [],
    help: "How long the first work of maintenance has been due.",
  },
  oldest_transaction: {
    name: "vitrine_oldest_transaction_seconds",
    otel: "vitrine.oldest_transaction",
    type: "gauge",
    labels: [],
    help: "Age of the oldest transaction of the database.",
  },
  rows_to_backfill: {
    name: "vitrine_rows_to_backfill",
    otel: "vitrine.rows.to_backfill",
    type: "gauge",
    labels: [],
    help: "Rows of an older version that maintenance has yet to index or count.",
  },
  consumer_lag: {
    name: "vitrine_consumer_lag_events",
    otel: "vitrine.consumer.lag",
    type: "gauge",
    labels: ["consumer"],
    help: "Events that a consumer or relay of this process has not handled.",
  },
  consumer_lag_oldest: {
    name: "vitrine_consumer_lag_oldest_seconds",
    otel: "vitrine.consumer.lag.oldest",
    type: "gauge",
    labels: ["consumer"],
    help: "Age of the oldest of them.",
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

type Table = typeof metricTable;

export type MetricName = keyof Table;

/** Selects the metrics of one type. */
type OfType<Type> = {
  [Name in MetricName]: Table[Name]["type"] extends Type ? Name : never;
}[MetricName];

export type CounterName = OfType<"counter">;
export type HistogramName = OfType<"histogram">;
export type GaugeName = OfType<"gauge">;

export const metricRows = Object.entries(metricTable) as readonly (readonly [
  MetricName,
  MetricRow,
])[];
