import type { Generated } from "kysely";
import type { EventType } from "#core/contract/events.ts";
import type { AuditSubjectType } from "#core/rules/audit/audit-records.ts";
import type { Sale } from "#core/rules/owner/sales.ts";
import type { StoredDelivery } from "#core/rules/webhooks/deliveries.ts";
import type { AttemptLog } from "#core/rules/webhooks/webhook-records.ts";
import type { StoredFacets } from "./facet-columns.ts";

// Every database stores values alike: booleans are 0 or 1, times are epoch milliseconds, and JSON
// is text. The primary key of every table of a store begins with store_id.

type Bool = 0 | 1;

interface StoreOwned {
  store_id: string;
}

/** The fields of a record as columns: what is true or false is 1 or 0. */
type Columns<Stored> = {
  -readonly [Field in keyof Stored]: Stored[Field] extends boolean ? Bool : Stored[Field];
};

/** A row that belongs to one store in one mode, live or test. */
export interface Partitioned extends StoreOwned {
  livemode: Bool;
}

/** A row of a store that is listed by its position. */
export interface Positioned extends StoreOwned {
  id: string;
  position: number;
  record: string;
}

type CountedProduct = Positioned & StoredFacets;

/** Someone uses the dashboard of a store by these rows. */
interface DashboardPass extends StoreOwned {
  actor: string;
  access: string;
  created_at: number;
  expires_at: number;
  made_by: string | null;
  made_in: string | null;
}

export interface Tables {
  stores: {
    id: string;
    slug: string;
    catalog_version: number;
    record: string;
    origins: string;
    return_urls: string;
    test_offset: Generated<number>;
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
    last_used_at: Generated<number | null>;
  };
  alerts: Partitioned & {
    id: string;
    type: string;
    subject: string;
    data: string;
    created_at: number;
    acknowledged_at: Generated<number | null>;
    acknowledged_by: Generated<string | null>;
  };
  categories: Positioned & { slug: string; enabled: Bool };
  payment_methods: Positioned;
  products: CountedProduct & {
    slug: string;
    active: Bool;
    name_folded: string;
    document_version: number;
    document_live: string;
    document_test: string;
    /** The words that were counted, with blanks between them. Null until somebody counts them. */
    words: Generated<string | null>;
    group_id: Generated<string | null>;
    combination: Generated<string | null>;
    /** Folded. */
    sku: Generated<string | null>;
    external_id: Generated<string | null>;
    /** 1 where another product stands for the group in a list of groups. Null elsewhere. */
    group_hidden: Generated<1 | null>;
    /** The `updated_at` of the record whose place in its group was written. */
    placed_at: Generated<number | null>;
  };
  search_words: StoreOwned & { word: string; products: number };
  search_deletions: StoreOwned & { deletion: string; word: string };
  product_categories: StoreOwned & {
    category_id: string;
    product_id: string;
    position: number;
    /** Null in a row that an older version wrote, until maintenance fills it; so is the time. */
    price: number | null;
    created_at: number | null;
    group_hidden: Generated<1 | null>;
  };
  stock: Partitioned & {
    product_id: string;
    stock: number;
    held: number;
    counted: Generated<Bool>;
  };
  key_pools: Partitioned & { product_id: string; free: number };
  pool_keys: Partitioned & {
    product_id: string;
    key_hash: string;
    id: string;
    /** Null once the key is given: it goes on with its entitlement. */
    sealed_key: string | null;
    last4: string;
    entitlement_id: string | null;
  };
  coupons: StoreOwned & { id: string; code: string; record: string };
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
    sweep_at: Generated<number | null>;
    record: string;
    kept: Generated<Bool>;
  };
  open_holds: Partitioned & { address: string; open: number };
  session_days: Partitioned & { day: number; sessions: number };
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
    created_at: Generated<number | null>;
    in_stats: Generated<1 | null>;
  };
  order_terms: Partitioned & { term: string; number: number };
  customer_totals: Partitioned & {
    customer_id: string;
    currency: string;
    orders: number;
    spent: number;
  };
  order_notes: Partitioned & { order_id: string; id: string; body: string; created_at: number };
  payment_attempts: Partitioned & {
    id: string;
    order_id: string;
    session_id: string | null;
    gateway: string;
    account: Generated<string | null>;
    reference: string | null;
    payment_reference: Generated<string | null>;
    state: string;
    check_at: number | null;
    created_at: number;
    record: string;
  };
  payments: Partitioned & {
    gateway: string;
    /** Empty when the host has one provider account for all stores. */
    account: string;
    payment_reference: string;
    id: string;
    attempt_id: string;
    order_id: string;
    check_at: number | null;
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
    charge_at: number | null;
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
  customer_tokens: Partitioned & {
    /** A keyed hash of the id. Older versions wrote the id itself. */
    customer_id: string;
    not_before: number;
    erased: Generated<Bool>;
  };
  /** Erasures that have begun and not ended. Only while they last is the id of the buyer kept. */
  erasures: StoreOwned & {
    customer_id: string;
    customer_keys: string;
    position: string;
    touched_at: number;
  };
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
  deliveries: Columns<StoredDelivery>;
  delivery_attempts: Columns<AttemptLog> & { in_stats: Generated<1 | null> };
  /** Only the version before writes this table, and nothing reads it. */
  stats_hours: Partitioned;
  session_rollups: Partitioned & { until: number; first_id: string };
  hourly_stats: Partitioned & {
    hour: number;
    kind: string;
    currency: string;
    count: number;
    amount: number;
  };
  counted_sales: Partitioned & Columns<Sale> & { unit: "hour" | "day" | "week"; starts_at: number };
  sales_rollups: Partitioned & {
    counted_since: number;
    counted_until: number;
    /** The last store that was walked, in the row without a store. Empty in all others. */
    last_store: string;
  };
  dashboard_links: DashboardPass & { link_hash: string };
  dashboard_sessions: DashboardPass & { session_hash: string };
  dashboard_forms: StoreOwned & { form_id: string; expires_at: number };
  audit_log: StoreOwned & {
    id: string;
    livemode: Bool | null;
    actor: string;
    action: string;
    subject_type: AuditSubjectType;
    subject_id: string;
    fields: string;
    created_at: number;
  };
  request_blocks: Partitioned & {
    number: number;
    places: number;
    first_id: string;
    last_id: string;
    expires_at: number;
    entries: string;
  };
  rate_buckets: { bucket: string; hits: string; updated_at: number };
}
