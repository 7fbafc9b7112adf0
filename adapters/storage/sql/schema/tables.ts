import type { Generated } from "kysely";
import type { EventType } from "../../../../src/contract/events.ts";
import type { DeliveryState } from "../../../../src/rules/webhook-records.ts";
import { searchSchema } from "./search-schema.ts";

// Booleans are 0 or 1, times epoch milliseconds, JSON text: alike on every database. Keys of partitioned tables begin with store_id.

type Bool = 0 | 1;
interface Own {
  store_id: string;
}
interface Partitioned extends Own {
  livemode: Bool;
}
interface Placed extends Own {
  id: string;
  position: number;
  record: string;
}

export interface Tables {
  stores: {
    id: string;
    slug: string;
    catalog_version: number;
    record: string;
    origins: string;
    return_urls: string;
  };
  api_keys: Partitioned & {
    key_hash: string;
    id: string;
    kind: "publishable" | "secret";
    name: string;
    scopes: string;
    last4: string;
    created_at: number;
    revoked_at: number | null;
  };
  alerts: Partitioned & {
    id: string;
    type: string;
    subject: string;
    data: string;
    created_at: number;
  };
  categories: Placed & { slug: string; enabled: Bool };
  payment_methods: Placed;
  products: Placed & {
    slug: string;
    active: Bool;
    name_folded: string;
    document_version: number;
    document_live: string;
    document_test: string;
  };
  product_categories: Own & { category_id: string; product_id: string; position: number };
  stock: Partitioned & { product_id: string; stock: number; held: number };
  coupons: Own & { id: string; code: string; record: string };
  coupon_counters: Partitioned & { coupon_id: string; used: number };
  coupon_uses: Partitioned & { coupon_id: string; customer_key: string; used: number };
  idempotency_keys: Partitioned & {
    key_kind: "publishable" | "secret";
    operation: string;
    idempotency_key: string;
    fingerprint: string;
    session_id: string;
    status: number | null;
    body: string | null;
    request_id: string | null;
    lock_token: string | null;
    locked_until: number;
    created_at: number;
  };
  checkout_sessions: Partitioned & {
    id: string;
    status: "open" | "complete";
    expires_at: number;
    record: string;
  };
  orders: Partitioned & {
    id: string;
    number: number;
    status: string;
    session_id: string | null;
    customer_id: string;
    subscription_id: string | null;
    period_start: number | null;
    sweep_at: number | null;
    updated_at: number;
    record: string;
  };
  payment_attempts: Partitioned & {
    id: string;
    order_id: string;
    session_id: string | null;
    gateway: string;
    reference: string | null;
    state: string;
    check_at: number | null;
    created_at: number;
    record: string;
  };
  refunds: Partitioned & {
    order_id: string;
    id: string;
    reference: string;
    check_at: number | null;
    record: string;
  };
  disputes: Partitioned & { order_id: string; id: string; record: string };
  subscriptions: Partitioned & {
    id: string;
    status: string;
    customer_id: string;
    ends_at: number | null;
    record: string;
  };
  gateway_notifications: Partitioned & {
    gateway: string;
    notification_id: string;
    created_at: number;
  };
  event_cursors: Partitioned & {
    consumer: string;
    sequence: number;
    lease_token: string | null;
    leased_until: number;
    failures: number;
  };
  customer_tokens: Partitioned & { customer_id: string; not_before: number };
  counters: Partitioned & { order_number: number; sequence: number };
  events: Partitioned & {
    id: string;
    sequence: number;
    type: EventType;
    created_at: number;
    body: string | null;
  };
  webhook_endpoints: Partitioned & {
    id: string;
    state: "enabled" | "disabled";
    event_types: string | null;
    record: string;
    failing_since: Generated<number | null>;
    failed_attempts: Generated<number>;
    failed_event: Generated<string | null>;
    several_events: Generated<Bool>;
    warned: Generated<Bool>;
  };
  alert_notices: Partitioned & { alert_id: string; due_at: number };
  deliveries: Partitioned & {
    endpoint_id: string;
    event_id: string;
    event_type: EventType;
    state: DeliveryState;
    attempts: number;
    due_at: number;
    lease_token: string | null;
    created_at: number;
    updated_at: number;
    failures: Generated<number>;
    lost_leases: Generated<number>;
    resume_state: Generated<DeliveryState | null>;
    resume_due: Generated<number | null>;
  };
  delivery_attempts: Own & {
    endpoint_id: string;
    event_id: string;
    attempt: number;
    started_at: number;
    duration_ms: number;
    status: number | null;
    error: string | null;
    snippet: string | null;
  };
  rate_buckets: { bucket: string; hits: string; updated_at: number };
}

/** The first schema. `{name}` is a table or an index of ours; `$id` is text sorted by bytes. */
export const firstSchema: readonly string[] = [
  "create table {stores} (id $id primary key, slug $id not null unique, catalog_version bigint not null, record text not null, origins text not null, return_urls text not null)",
  `create table {api_keys} (key_hash $id primary key, store_id $id not null, livemode integer not null, id $id not null, kind text not null, name text not null,
    scopes text not null, last4 text not null, created_at bigint not null, revoked_at bigint)`,
  "create unique index {api_keys_by_id} on {api_keys} (store_id, id)",
  `create table {alerts} (store_id $id not null, livemode integer not null, id $id not null, type text not null, subject $id not null, data text not null,
    created_at bigint not null, primary key (store_id, livemode, id))`,
  "create index {alerts_by_subject} on {alerts} (store_id, livemode, type, subject, created_at)",
  `create table {categories} (store_id $id not null, id $id not null, slug $id not null, position bigint not null, enabled integer not null, record text not null,
    primary key (store_id, id), unique (store_id, slug))`,
  "create table {payment_methods} (store_id $id not null, id $id not null, position bigint not null, record text not null, primary key (store_id, id))",
  `create table {products} (store_id $id not null, id $id not null, slug $id not null, position bigint not null, active integer not null, name_folded text not null,
    document_version integer not null, document_live text not null, document_test text not null, record text not null, primary key (store_id, id), unique (store_id, slug))`,
  "create index {products_in_order} on {products} (store_id, position, id) where active = 1",
  `create table {product_categories} (store_id $id not null, category_id $id not null, product_id $id not null, position bigint not null,
    primary key (store_id, category_id, position, product_id))`,
  "create index {product_categories_by_product} on {product_categories} (store_id, product_id, category_id)",
  `create table {stock} (store_id $id not null, livemode integer not null, product_id $id not null, stock bigint not null, held bigint not null,
    primary key (store_id, livemode, product_id))`,
  "create table {coupons} (store_id $id not null, id $id not null, code $id not null, record text not null, primary key (store_id, id), unique (store_id, code))",
  `create table {coupon_counters} (store_id $id not null, livemode integer not null, coupon_id $id not null, used bigint not null,
    primary key (store_id, livemode, coupon_id))`,
  `create table {coupon_uses} (store_id $id not null, livemode integer not null, coupon_id $id not null, customer_key $id not null, used bigint not null,
    primary key (store_id, livemode, coupon_id, customer_key))`,
  `create table {idempotency_keys} (store_id $id not null, livemode integer not null, key_kind text not null, operation text not null, idempotency_key $id not null,
    fingerprint text not null, session_id text not null, status integer, body text, request_id text, lock_token text, locked_until bigint not null, created_at bigint not null,
    primary key (store_id, livemode, key_kind, operation, idempotency_key))`,
  "create index {idempotency_keys_by_age} on {idempotency_keys} (created_at)",
  `create table {checkout_sessions} (store_id $id not null, livemode integer not null, id $id not null, status text not null, expires_at bigint not null, record text not null,
    primary key (store_id, livemode, id))`,
  `create table {orders} (store_id $id not null, livemode integer not null, id $id not null, number bigint not null, status $id not null, session_id $id,
    customer_id $id not null, subscription_id $id, period_start bigint, sweep_at bigint, updated_at bigint not null, record text not null,
    primary key (store_id, livemode, id), unique (store_id, livemode, number), unique (store_id, livemode, session_id),
    unique (store_id, livemode, subscription_id, period_start))`,
  "create index {orders_by_status} on {orders} (store_id, livemode, status, number)",
  "create index {orders_by_customer} on {orders} (store_id, livemode, customer_id, number)",
  "create index {orders_to_sweep} on {orders} (sweep_at) where sweep_at is not null",
  `create table {payment_attempts} (store_id $id not null, livemode integer not null, id $id not null, order_id $id not null, session_id $id, gateway $id not null,
    reference $id, state text not null, check_at bigint, created_at bigint not null, record text not null, primary key (store_id, livemode, id))`,
  "create index {payment_attempts_by_order} on {payment_attempts} (store_id, livemode, order_id, created_at)",
  "create index {payment_attempts_by_reference} on {payment_attempts} (gateway, reference)",
  "create index {payment_attempts_by_id} on {payment_attempts} (id)",
  "create index {payment_attempts_to_check} on {payment_attempts} (check_at) where check_at is not null",
  `create table {refunds} (store_id $id not null, livemode integer not null, order_id $id not null, id $id not null, reference $id not null, check_at bigint,
    record text not null, primary key (store_id, livemode, id), unique (store_id, livemode, order_id, reference))`,
  "create index {refunds_to_check} on {refunds} (check_at) where check_at is not null",
  `create table {disputes} (store_id $id not null, livemode integer not null, order_id $id not null, id $id not null, record text not null,
    primary key (store_id, livemode, order_id, id))`,
  `create table {subscriptions} (store_id $id not null, livemode integer not null, id $id not null, status text not null, customer_id $id not null, ends_at bigint,
    record text not null, primary key (store_id, livemode, id))`,
  "create index {subscriptions_by_customer} on {subscriptions} (store_id, livemode, customer_id, id)",
  "create index {subscriptions_ending} on {subscriptions} (ends_at) where ends_at is not null",
  `create table {gateway_notifications} (store_id $id not null, livemode integer not null, gateway $id not null, notification_id $id not null, created_at bigint not null,
    primary key (store_id, livemode, gateway, notification_id))`,
  "create index {gateway_notifications_by_age} on {gateway_notifications} (created_at)",
  `create table {event_cursors} (store_id $id not null, livemode integer not null, consumer $id not null, sequence bigint not null, lease_token text,
    leased_until bigint not null, failures integer not null, primary key (store_id, livemode, consumer))`,
  `create table {customer_tokens} (store_id $id not null, livemode integer not null, customer_id $id not null, not_before bigint not null,
    primary key (store_id, livemode, customer_id))`,
  "create table {counters} (store_id $id not null, livemode integer not null, order_number bigint not null, sequence bigint not null, primary key (store_id, livemode))",
  `create table {events} (store_id $id not null, livemode integer not null, id $id not null, sequence bigint not null, type text not null, created_at bigint not null,
    body text, primary key (store_id, livemode, sequence), unique (store_id, livemode, id))`,
  "create index {events_to_prune} on {events} (created_at) where body is not null",
  "create index {events_pruned} on {events} (store_id, livemode, sequence) where body is null",
  "create index {events_to_forget} on {events} (created_at) where body is null",
  `create table {webhook_endpoints} (store_id $id not null, livemode integer not null, id $id not null, state text not null, event_types text, record text not null,
    failing_since bigint, failed_attempts integer not null default 0, failed_event $id, several_events integer not null default 0, warned integer not null default 0,
    primary key (store_id, livemode, id))`,
  "create index {webhook_endpoints_by_id} on {webhook_endpoints} (id)",
  `create table {alert_notices} (store_id $id not null, livemode integer not null, alert_id $id not null, due_at bigint not null,
    primary key (store_id, livemode, alert_id))`,
  `create table {deliveries} (store_id $id not null, livemode integer not null, endpoint_id $id not null, event_id $id not null, event_type text not null, state text not null,
    attempts integer not null, due_at bigint not null, lease_token text, created_at bigint not null, updated_at bigint not null,
    failures integer not null default 0, lost_leases integer not null default 0, resume_state text, resume_due bigint, primary key (store_id, endpoint_id, event_id))`,
  "create index {deliveries_due} on {deliveries} (endpoint_id, due_at) where state = 'pending'",
  "create index {deliveries_next} on {deliveries} (due_at, endpoint_id) where state = 'pending'",
  "create index {deliveries_by_age} on {deliveries} (store_id, livemode, created_at, event_id, endpoint_id)",
  `create table {delivery_attempts} (store_id $id not null, endpoint_id $id not null, event_id $id not null, attempt integer not null, started_at bigint not null,
    duration_ms bigint not null, status integer, error text, snippet text, primary key (store_id, endpoint_id, event_id, attempt))`,
  "create index {delivery_attempts_by_age} on {delivery_attempts} (started_at)",
  "create table {rate_buckets} (bucket $id primary key, hits text not null, updated_at bigint not null)",
  "create index {rate_buckets_by_age} on {rate_buckets} (updated_at)",
];

export const migrationTable = "migrations";

export const tableNames: readonly string[] = [
  migrationTable,
  ...[...firstSchema, ...searchSchema.sqlite].flatMap(
    (statement) => /^create (?:virtual )?table \{(\w+)\}/.exec(statement)?.[1] ?? [],
  ),
];
