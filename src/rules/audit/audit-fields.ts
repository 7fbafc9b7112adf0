import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
  PersonRecord,
} from "../owner/dashboard-records.ts";
import type { StoredAlert } from "../owner/list-records.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type {
  CategoryRecord,
  CouponRecord,
  KeyRecord,
  OrderRecord,
  PaymentMethodRecord,
  ProductRecord,
  SessionRecord,
  StoreRecord,
} from "../records.ts";
import type { EndpointRecord } from "../webhooks/webhook-records.ts";
import type { AuditedRecordType } from "./audit-records.ts";

/** How the fields of a kind of record are audited. */
export interface AuditedFields {
  /** The fields that are kept with their values. */
  readonly shown: ReadonlySet<string>;
  /**
   * The fields that are not kept at all. They hold a secret's hash, or only serve the storage and
   * its workers.
   */
  readonly silent: ReadonlySet<string>;
}

/** The shown fields that hold a time in epoch milliseconds. */
export const timeFields: ReadonlySet<string> = new Set([
  "acknowledged_at",
  "current_period_end",
  "current_period_start",
  "due_by",
  "ends_at",
  "expires_at",
  "period_start",
  "revoked_at",
  "starts_at",
]);

const silentAlways = ["id", "store_id", "livemode", "created_at", "updated_at"];

/**
 * Lists the fields whose values are kept. For every other field that is not silent,
 * only the name is kept, so that a field that is added later is never leaked
 * because it was forgotten here.
 */
const fields = <Row>(
  shown: readonly (keyof Row & string)[],
  silent: readonly (keyof Row & string)[] = [],
): AuditedFields => ({ shown: new Set(shown), silent: new Set([...silentAlways, ...silent]) });

export const recordFields: Readonly<Record<AuditedRecordType, AuditedFields>> = {
  store: fields<StoreRecord>(
    [
      "slug",
      "name",
      "description",
      "logo_url",
      "website_url",
      "support_email",
      "support_url",
      "terms_url",
      "privacy_url",
      "country",
      "currency",
      "locale",
      "timezone",
      "headless_enabled",
      "maintenance",
      "localhost_origins",
      "test_clock",
    ],
    ["catalog_version"],
  ),
  api_key: fields<KeyRecord>(["kind", "name", "scopes", "last4", "revoked_at"], ["key_hash"]),
  product: fields<ProductRecord>([
    "slug",
    "name",
    "description",
    "images",
    "price",
    "compare_at_price",
    "currency",
    "promotion",
    "category_ids",
    "variables",
    "recurring",
    "max_quantity",
    "active",
    "blocked",
    "stock",
    "position",
    "sku",
    "external_id",
    "group",
    "options",
  ]),
  category: fields<CategoryRecord>([
    "slug",
    "name",
    "description",
    "image_url",
    "parent_id",
    "position",
    "enabled",
  ]),
  coupon: fields<CouponRecord>([
    "code",
    "enabled",
    "discount_type",
    "discount_amount",
    "currency",
    "min_subtotal",
    "min_subtotal_currency",
    "product_ids",
    "starts_at",
    "ends_at",
    "max_uses",
    "max_uses_per_customer",
  ]),
  payment_method: fields<PaymentMethodRecord>([
    "type",
    "name",
    "icon_url",
    "currencies",
    "min_amount",
    "max_amount",
    "supports_recurring",
    "settlement",
    "position",
    "enabled",
    "gateway",
  ]),
  endpoint: fields<EndpointRecord>([
    "url",
    "event_types",
    "state",
    "disabled_reason",
    "description",
  ]),
  alert: fields<StoredAlert>(["type", "subject", "acknowledged_at", "acknowledged_by"]),
  dashboard_link: fields<DashboardLinkRecord>(
    ["actor", "access", "expires_at", "made_by"],
    ["link_hash", "made_in"],
  ),
  dashboard_session: fields<DashboardSessionRecord>(
    ["actor", "access", "expires_at", "made_by"],
    ["session_hash", "made_in"],
  ),
  person: fields<PersonRecord>(["name", "access", "made_by"], ["made_in", "last_seen_at"]),
};

/**
 * Lists the fields of the records that a step on orders writes. No shown field
 * holds data of a buyer.
 */
export const orderStepFields = {
  order: fields<OrderRecord>(
    [
      "number",
      "status",
      "currency",
      "amount_subtotal",
      "amount_discount",
      "amount_total",
      "amount_refunded",
      "amount_refunding",
      "payment_method_type",
      "failure_code",
      "subscription_id",
      "session_id",
      "coupon_id",
      "period_start",
    ],
    [
      // `coupon_id` names the same coupon.
      "coupon_code",
      "holds",
      "reserved",
      "sweep_at",
      "in_stats",
      "coupon_key",
      "status_before_dispute",
      "paid_at",
      "refunded_at",
      "disputed_at",
    ],
  ),
  checkout_session: fields<SessionRecord>(
    [
      "status",
      "payment_status",
      "expires_at",
      "currency",
      "amount_subtotal",
      "amount_discount",
      "amount_total",
      "coupon_id",
    ],
    ["coupon_code", "sweep_at", "seal_key_id"],
  ),
  attempt: fields<AttemptRecord>(
    ["gateway", "state", "reference", "amount", "currency", "failure_code"],
    [
      "order_id",
      "session_id",
      "account",
      "method_id",
      "method_type",
      "payment_reference",
      "next_action",
      "received_amount",
      "received_currency",
      "idempotency_key",
      "expires_at",
      "call_ends_at",
      "check_at",
      "asked",
    ],
  ),
  payment: fields<PaymentRecord>(
    ["gateway", "state", "payment_reference", "amount", "currency"],
    ["order_id", "attempt_id", "account", "sent_back", "return", "check_at"],
  ),
  refund: fields<RefundRecord>(
    ["reference", "state", "amount", "moved", "gateway"],
    [
      "order_id",
      "attempt_id",
      "account",
      "attempt_reference",
      "payment_reference",
      "provider_reference",
      "key_attempt",
      "requested_at",
      "acknowledged",
      "asks_first",
      "check_at",
      "succeeded_at",
    ],
  ),
  dispute: fields<DisputeRecord>(
    ["amount", "due_by", "outcome"],
    ["order_id", "payment_reference", "notified"],
  ),
  subscription: fields<SubscriptionRecord>(
    [
      "status",
      "product_id",
      "quantity",
      "unit_amount",
      "amount",
      "currency",
      "interval",
      "interval_count",
      "current_period_start",
      "current_period_end",
      "cancel_at_period_end",
      "paused_at",
      "payment_method_type",
      "latest_order_id",
    ],
    [
      // These values are the product's from the time when the subscription began.
      "product_slug",
      "product_name",
      "image_url",
      "options",
      "anchor",
      "periods",
      "canceled_at",
      "ended_at",
      "renewal",
    ],
  ),
} as const satisfies Readonly<Record<string, AuditedFields>>;
