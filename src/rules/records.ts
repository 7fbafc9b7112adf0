import type { EventType } from "../contract/events.ts";
import type {
  FailureCode,
  Order,
  OrderStatus,
  PaymentMethod,
  ProductVariable,
} from "../contract/schemas.ts";

/** What storage keeps. Times are epoch milliseconds here and ISO 8601 in public documents; money is minor units. */
export interface Partition {
  readonly store_id: string;
  readonly livemode: boolean;
}

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
  /** Grows with every write that changes what a catalog route answers. */
  readonly catalog_version: number;
  readonly created_at: number;
}

export interface KeyRecord {
  readonly id: string;
  readonly store_id: string;
  readonly livemode: boolean;
  readonly kind: "publishable" | "secret";
  readonly name: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the whole key, hex. */
  readonly key_hash: string;
  readonly last4: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** Everything the checks before the work need, in one read. */
export interface AccessRecord {
  readonly key: KeyRecord;
  readonly store: StoreRecord;
  readonly origins: readonly string[];
  readonly return_urls: readonly string[];
}

export interface AlertRecord {
  readonly id: string;
  readonly store_id: string;
  readonly livemode: boolean;
  readonly type: string;
  /** Id of what the alert is about: a key, an order, an endpoint. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: number;
}

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

export interface PaymentMethodRecord extends PaymentMethod {
  readonly store_id: string;
  readonly enabled: boolean;
  /** Id of the gateway that takes it; null when the host settles it by itself. */
  readonly gateway: string | null;
}

export interface Discount {
  readonly discount_type: "percentage" | "fixed";
  readonly discount_amount: number;
}

export interface ProductRecord {
  readonly id: string;
  readonly store_id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly images: readonly string[];
  readonly price: number;
  readonly compare_at_price: number | null;
  readonly currency: string;
  readonly promotion: Discount | null;
  readonly category_ids: readonly string[];
  readonly variables: readonly ProductVariable[];
  readonly recurring: {
    readonly interval: "day" | "week" | "month" | "year";
    readonly interval_count: number;
  } | null;
  readonly max_quantity: number | null;
  readonly active: boolean;
  readonly blocked: boolean;
  /** Pieces in each mode as the owner last set it; null = not counted. What is left stands in the stock rows. */
  readonly stock: number | null;
  readonly position: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A product as a cart needs it: `on_hand` = stock - held in the cart's mode, null when not counted. */
export interface CartProduct extends ProductRecord {
  readonly on_hand: number | null;
}

export interface CouponRecord extends Discount {
  readonly id: string;
  readonly store_id: string;
  /** Normalised: NFKC, trimmed, upper case. */
  readonly code: string;
  readonly enabled: boolean;
  readonly currency: string | null;
  readonly min_subtotal: number | null;
  readonly product_ids: readonly string[] | null;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly max_uses: number | null;
  readonly max_uses_per_customer: number | null;
  readonly created_at: number;
}

/** `used` counts in the cart's mode. */
export interface CartCoupon extends CouponRecord {
  readonly used: number;
}

export interface SessionLine {
  readonly id: string;
  readonly product_id: string;
  readonly product_slug: string;
  readonly name: string;
  readonly image_url: string | null;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly recurring: ProductRecord["recurring"];
}

export interface SessionRecord extends Partition {
  readonly id: string;
  /** `expired` is never stored: reads derive it from `expires_at` (CONTRACT 6). */
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
  /** `sub` of the buyer token that came with the request. */
  readonly customer_id: string | null;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  /** Which seal key the checkout token is derived from; null with an external `checkout.url`. */
  readonly seal_key_id: string | null;
  /** The external builder's address; null = derived from the token. */
  readonly checkout_url: string | null;
}

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
  /** Whom the coupon's use is counted for while it is taken. */
  readonly coupon_key: string | null;
  readonly items: Order["items"];
  readonly customer: Order["customer"];
  readonly payment_method_type: PaymentMethod["type"] | null;
  readonly failure_code: FailureCode | null;
  readonly metadata: SessionRecord["metadata"];
  /** Stock and coupon slot are taken: `held` while pending, `consumed` once paid, `none` else. */
  readonly holds: "none" | "held" | "consumed";
  /** Pieces are reserved in the host's own catalog; `confirm` or `release` is still to be told. */
  readonly reserved: boolean;
  /** When maintenance looks at it again: a pending order, or one whose reservation is not settled. Null else. */
  readonly sweep_at: number | null;
  /** Start of the subscription's period that it pays; null for other orders. */
  readonly period_start: number | null;
  /** The status to go back to when a dispute is won. */
  readonly status_before_dispute: OrderStatus | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly paid_at: number | null;
  readonly refunded_at: number | null;
  readonly disputed_at: number | null;
}

/** An event before it has a sequence. `data` is called inside the step, with the order's number. */
export interface EventDraft {
  readonly id: string;
  readonly type: EventType;
  readonly created_at: number;
  readonly data: (order_number: number) => unknown;
}

/** An event as stored: `body` is the exact bytes that are sent and listed; null once pruned. */
export interface EventRecord extends Partition {
  readonly id: string;
  readonly sequence: number;
  readonly type: EventType;
  readonly created_at: number;
  readonly body: string | null;
}
