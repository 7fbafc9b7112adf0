import type { EventType } from "../contract/events.ts";
import type {
  FailureCode,
  Order,
  OrderStatus,
  PaymentMethod,
  Product,
} from "../contract/schemas.ts";
import type { StoreArchive } from "./archive/store-archive.ts";
import type { SessionHold } from "./checkout/hold-record.ts";
import type { SessionLine } from "./checkout/session-line.ts";
import type { EntitlementRecord, ProductDelivery } from "./entitlements/entitlement-record.ts";
import type { PaymentFee } from "./payments/fees/payment-fee.ts";
import type { RenewedPeriod } from "./subscriptions/renewed-period.ts";

// A storage keeps these records. Times are epoch milliseconds here and ISO 8601 in
// public documents. Amounts of money are integers of the currency's smallest unit.

/** A store's live or test mode. Their rows never mix. */
export interface Partition {
  readonly store_id: string;
  readonly livemode: boolean;
}

/** A store of the platform, with its settings. */
export interface StoreRecord {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly logo_url: string | null;
  readonly website_url: string | null;
  readonly support_email: string | null;
  readonly support_url: string | null;
  readonly terms_url: string | null;
  readonly privacy_url: string | null;
  readonly country: string | null;
  readonly currency: string;
  readonly locale: string;
  readonly timezone: string;
  readonly headless_enabled: boolean;
  readonly maintenance: boolean;
  /** Whether test keys may be used from any page on localhost. Old stores lack it. */
  readonly localhost_origins?: boolean;
  /** Grows with every write that changes what a catalog route answers. */
  readonly catalog_version: number;
  readonly created_at: number;
  /** The clock of the test mode. Absent means that it was never turned. */
  readonly test_clock?: TestClock;
  readonly archive?: StoreArchive;
}

/** How far an owner has turned the clock of a store's test mode ahead of the real time. */
export interface TestClock {
  /** Milliseconds that the test mode is ahead. */
  readonly offset: number;
  /** The clock moves until `offset` is this. */
  readonly target: number;
  /** The call that moves the clock. Null means that none does. */
  readonly lease: { readonly token: string; readonly until: number } | null;
}

/** An API key. The key itself is never stored. */
export interface KeyRecord {
  readonly id: string;
  readonly store_id: string;
  readonly livemode: boolean;
  readonly kind: "publishable" | "secret";
  readonly name: string;
  readonly scopes: readonly string[];
  /** The SHA-256 of the whole key, in hex. */
  readonly key_hash: string;
  readonly last4: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** A request's key and store, with the store's lists. All are checked before its work. */
export interface AccessRecord {
  readonly key: KeyRecord;
  readonly store: StoreRecord;
  readonly origins: readonly string[];
  readonly return_urls: readonly string[];
}

/** Something that a person should look at, as it is stored and given to `onAlert`. */
export interface AlertRecord {
  readonly id: string;
  readonly store_id: string;
  readonly livemode: boolean;
  readonly type: string;
  /** The id of the key, order or endpoint that the alert is about. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: number;
}

/** A category of a store's products. */
export interface CategoryRecord {
  readonly id: string;
  readonly store_id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly image_url: string | null;
  readonly parent_id: string | null;
  readonly position: number;
  readonly enabled: boolean;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A way to pay that a store offers. */
export interface PaymentMethodRecord extends PaymentMethod {
  readonly store_id: string;
  readonly enabled: boolean;
  /** The id of the gateway that takes the payment. Null means that the host takes it. */
  readonly gateway: string | null;
}

/** A promotion or a coupon takes this off: a percentage, or an amount in minor units. */
export interface Discount {
  readonly discount_type: "percentage" | "fixed";
  readonly discount_amount: number;
}

/** The fields of a public document in a record, which is replaced and never changed in place. */
type ReadOnly<T> = { readonly [K in keyof T]: ReadOnlyList<T[K]> };
type ReadOnlyList<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

/** A product as its store's owner keeps it: the public fields, and those of the owner alone. */
export interface ProductRecord
  extends ReadOnly<Omit<Product, "available" | "group" | "created_at" | "updated_at">> {
  readonly store_id: string;
  /** The group that the product is a variant of. Null or absent means none. */
  readonly group?: string | null;
  /** What the owner counts the product by. Null or absent means none. */
  readonly sku?: string | null;
  /** The product's id in another shop or program. Null or absent means none. */
  readonly external_id?: string | null;
  readonly active: boolean;
  readonly blocked: boolean;
  /**
   * The number of pieces in each mode as the owner last set it. Null means
   * that they are not counted. The stock rows tell how many are left.
   */
  readonly stock: number | null;
  /** The buyer gets this with the payment. Null or absent means nothing of ours. */
  readonly delivery?: ProductDelivery | null;
  readonly position: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A coupon as its store's owner keeps it. */
export interface CouponRecord extends Discount {
  readonly id: string;
  readonly store_id: string;
  /** In normal form: NFKC, trimmed, upper case. */
  readonly code: string;
  readonly enabled: boolean;
  readonly currency: string | null;
  readonly min_subtotal: number | null;
  /** Null exactly when there is no `min_subtotal`. */
  readonly min_subtotal_currency: string | null;
  readonly product_ids: readonly string[] | null;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly max_uses: number | null;
  readonly max_uses_per_customer: number | null;
  readonly created_at: number;
}

/** A checkout session. */
export interface SessionRecord extends Partition {
  readonly id: string;
  /** Counts the changes by its buyer, from 1. Absent in a session that was never changed. */
  readonly version?: number;
  /** `expired` is never stored: reads derive it from `expires_at`. */
  readonly status: "open" | "complete";
  readonly payment_status: "unpaid" | "pending" | "paid";
  readonly expires_at: number;
  readonly created_at: number;
  readonly currency: string;
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
  readonly lines: readonly SessionLine[];
  readonly coupon_id: string | null;
  readonly coupon_code: string | null;
  readonly email: string | null;
  readonly discord_id: string | null;
  /** The `sub` of the buyer token that came with the request. */
  readonly customer_id: string | null;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  /**
   * The id of the seal key from which the checkout token comes. Null with the host's
   * `checkout.url`.
   */
  readonly seal_key_id: string | null;
  /** The host's `checkout.url` made this address. Null means that the address holds the token. */
  readonly checkout_url: string | null;
  /** The agent that made it, as its entry named it: `ucp:agent.example`. Absent without one. */
  readonly channel?: string;
  /** The period of a subscription that the session pays. It takes no goods then. */
  readonly renews?: RenewedPeriod;
  /** Null or absent means that it holds nothing. Rows of older versions have no such field. */
  readonly hold?: SessionHold | null;
  /** The time at which maintenance looks at the hold. Null or absent without a hold. */
  readonly sweep_at?: number | null;
}

/** An order, with what was bought, by whom, and what was paid and refunded. */
export interface OrderRecord extends Partition {
  readonly id: string;
  readonly number: number;
  readonly status: OrderStatus;
  readonly session_id: string | null;
  readonly subscription_id: string | null;
  readonly currency: string;
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
  readonly amount_refunded: number;
  readonly amount_refunding: number;
  readonly coupon_id: string | null;
  readonly coupon_code: string | null;
  /** The coupon's use counts for this customer, as `couponCustomerKey` names them. */
  readonly coupon_key: string | null;
  readonly items: Order["items"];
  /** What the buyer has got. Absent when the order delivers nothing of ours. */
  readonly entitlements?: readonly EntitlementRecord[];
  readonly customer: Order["customer"];
  readonly payment_method_type: PaymentMethod["type"] | null;
  /** What the provider keeps of the money that paid the order. Absent where it did not tell. */
  readonly fee?: PaymentFee;
  readonly failure_code: FailureCode | null;
  readonly metadata: SessionRecord["metadata"];
  /** The agent that made its session. Absent without one. */
  readonly channel?: string;
  /**
   * Pieces and coupon use are `held` while the order is pending, `consumed` once it
   * is paid, and `none` otherwise.
   */
  readonly holds: "none" | "held" | "consumed";
  /**
   * True means that the host's own catalog reserved the pieces, and must still
   * confirm or release them.
   */
  readonly reserved: boolean;
  /**
   * The time at which maintenance looks at the order, while it is pending or its reservation is not
   * settled. Null when there is nothing to do.
   */
  readonly sweep_at: number | null;
  /** The start of the subscription period that the order pays. Null for other orders. */
  readonly period_start: number | null;
  /** True where the numbers of the store count the order. Absent: maintenance has yet to. */
  readonly in_stats?: true;
  /** The order goes back to this status when its dispute is won. */
  readonly status_before_dispute: OrderStatus | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly paid_at: number | null;
  readonly refunded_at: number | null;
  readonly disputed_at: number | null;
}

/** A text that the owner wrote about an order. */
export interface NoteRecord extends Partition {
  readonly id: string;
  readonly order_id: string;
  readonly text: string;
  readonly created_at: number;
}

/** An event before it has a sequence. */
export interface EventDraft {
  readonly id: string;
  readonly type: EventType;
  readonly created_at: number;
  /** The step calls it with the order's number, which a new order has only then. */
  readonly data: (order_number: number) => unknown;
  /** The shopping agent whose endpoint is told of the event too. */
  readonly agent?: string | undefined;
}

/** An event as it is stored. */
export interface EventRecord extends Partition {
  readonly id: string;
  readonly sequence: number;
  readonly type: EventType;
  /** The real time at which it was stored. The event's own time, in the body, may be ahead. */
  readonly created_at: number;
  /** The exact bytes that are sent and listed. Null once they are pruned. */
  readonly body: string | null;
}
