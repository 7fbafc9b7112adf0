import { z } from "zod";
import {
  intervals,
  Product,
  type ProductGroup,
  ProductOption,
  type ProductSort,
  type ProductVariable,
  Promotion,
  productSorts,
} from "./catalog/product-schema.ts";
import { Entitlement } from "./entitlement-schema.ts";

const id = z.string();
const money = z.int().min(0).describe("Minor units of `currency`");
const timestamp = z.iso.datetime({ precision: 3 });
const nullableText = z.string().nullable();
const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const variableValues = z.record(z.string(), z.string());
/** What tells the product of a line from the others of its group. Absent without options. */
const lineOptions = z.array(ProductOption).optional();
export const orderStatuses = [
  "pending",
  "paid",
  "failed",
  "partially_refunded",
  "refunded",
  "chargeback",
] as const;
export const subscriptionStatuses = ["trialing", "active", "past_due", "canceled"] as const;
export const failureCodes = ["declined", "expired", "canceled", "fraud", "error"] as const;
/** The owner's own words: refunds have no list of reasons, unlike disputes and declines. */
export const RefundReason = z.string().max(500);
export const paymentMethodTypes = ["pix", "card", "boleto", "wallet", "crypto", "other"] as const;

/** The store that an API key belongs to, as the public API shows it. */
export const Store = z.strictObject({
  id,
  slug: z.string(),
  name: z.string(),
  description: nullableText,
  logo_url: nullableText,
  website_url: nullableText,
  support_email: nullableText,
  support_url: nullableText,
  terms_url: nullableText,
  privacy_url: nullableText,
  country: nullableText,
  currency: z.string(),
  locale: z.string(),
  timezone: z.string(),
  created_at: timestamp,
});

/** A category of the catalog, as the public API shows it. */
export const Category = z.strictObject({
  id,
  slug: z.string(),
  name: z.string(),
  description: nullableText,
  image_url: nullableText,
  parent_id: nullableText,
  position: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A way to pay that the store offers. */
export const PaymentMethod = z.strictObject({
  id,
  type: z.enum(paymentMethodTypes),
  name: z.string(),
  icon_url: nullableText,
  currencies: z.array(z.string()),
  min_amount: money.nullable(),
  max_amount: money.nullable(),
  supports_recurring: z.boolean(),
  settlement: z.enum(["instant", "delayed"]),
  position: z.int(),
});

export const LineItem = z.strictObject({
  id,
  product_id: z.string(),
  name: z.string(),
  image_url: nullableText,
  quantity: z.int().min(1),
  unit_amount: money,
  amount_subtotal: money,
  amount_discount: money,
  amount_total: money,
  currency: z.string(),
  variables: variableValues,
  options: lineOptions,
});

/** A checkout session as the call that creates or changes it returns it. */
export const CheckoutSession = z.strictObject({
  id,
  version: z.int().min(1),
  checkout_url: z.string(),
  status: z.enum(["open", "complete", "expired"]),
  payment_status: z.enum(["unpaid", "pending", "paid"]),
  expires_at: timestamp,
  amount_subtotal: money,
  amount_discount: money,
  amount_total: money,
  currency: z.string(),
  line_items: z.array(LineItem),
  coupon_code: nullableText,
  customer: z.strictObject({ email: nullableText, discord_id: nullableText }),
  success_url: z.string(),
  cancel_url: z.string(),
  metadata,
  created_at: timestamp,
});

const orderStatus = z.enum(orderStatuses);

/** A publishable key may see this of a session, for the page that the buyer comes back to. */
export const CheckoutSessionStatus = CheckoutSession.pick({
  id: true,
  version: true,
  status: true,
  payment_status: true,
  expires_at: true,
  amount_subtotal: true,
  amount_discount: true,
  amount_total: true,
  currency: true,
}).extend({
  line_items: z.array(LineItem.omit({ variables: true })),
  order: z.strictObject({ number: z.int(), status: orderStatus }).nullable(),
});

/** A secret key may see the whole session with its order. */
export const CheckoutSessionDetails = CheckoutSession.extend({
  checkout_url: z.string().nullable(),
  order: z.strictObject({ id, number: z.int(), status: orderStatus }).nullable(),
});

export const RetrievedCheckoutSession = z.union([CheckoutSessionDetails, CheckoutSessionStatus]);

export const CouponValidation = z.union([
  z.strictObject({
    valid: z.literal(true),
    message: z.string(),
    code: z.string(),
    discount: Promotion,
    amount_subtotal: money,
    amount_discount: money,
    amount_total: money,
    currency: z.string(),
  }),
  z.strictObject({ valid: z.literal(false), message: z.string() }),
]);

export const OrderItem = z.strictObject({
  id,
  product_id: z.string(),
  product_slug: z.string(),
  name: z.string(),
  image_url: nullableText,
  quantity: z.int(),
  unit_amount: money,
  amount_subtotal: money,
  amount_discount: money,
  amount_total: money,
  variables: variableValues,
  options: lineOptions,
});

/** The buyer of an order. Its tax id is masked. */
export const Customer = z.strictObject({
  id,
  email: nullableText,
  name: nullableText,
  discord_id: nullableText,
  tax_id: nullableText,
  tax_id_type: z.enum(["cpf", "cnpj"]).nullable(),
  country: nullableText,
});

/** An order, as the public API, events and services show it. Amounts are in minor units. */
export const Order = z.strictObject({
  id,
  number: z.int(),
  status: orderStatus,
  currency: z.string(),
  amount_subtotal: money,
  amount_discount: money,
  amount_total: money,
  amount_refunded: money,
  amount_refunding: money,
  coupon_code: nullableText,
  items: z.array(OrderItem),
  customer: Customer,
  payment_method: z.strictObject({ type: z.enum(paymentMethodTypes) }).nullable(),
  checkout_session_id: nullableText,
  subscription_id: nullableText,
  failure_code: z.enum(failureCodes).nullable(),
  metadata: metadata.optional(),
  entitlements: z.array(Entitlement).optional(),
  created_at: timestamp,
  updated_at: timestamp,
  paid_at: timestamp.nullable(),
  refunded_at: timestamp.nullable(),
  disputed_at: timestamp.nullable(),
});

/** A subscription, which is charged each period. Amounts are in minor units. */
export const Subscription = z.strictObject({
  id,
  status: z.enum(subscriptionStatuses),
  product_id: z.string(),
  product_name: z.string(),
  quantity: z.int(),
  unit_amount: money,
  amount: money,
  currency: z.string(),
  interval: z.enum(intervals),
  interval_count: z.int(),
  current_period_start: timestamp,
  current_period_end: timestamp,
  trial_end: timestamp.nullable(),
  cancel_at_period_end: z.boolean(),
  canceled_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  customer: Customer,
  latest_order_id: nullableText,
  collection_method: z.enum(["charge_automatically", "host"]),
  saved_method: z
    .strictObject({ kind: z.string(), label: z.string(), expires_at: timestamp.nullable() })
    .nullable(),
  next_charge_at: timestamp.nullable(),
  paused_at: timestamp.nullable(),
  metadata,
  created_at: timestamp,
  updated_at: timestamp,
});

export const Event = z.strictObject({
  id,
  type: z.string(),
  livemode: z.boolean(),
  created_at: timestamp,
  api_version: z.literal("v1"),
  sequence: z.int(),
  store_id: z.string(),
  data: z.record(z.string(), z.unknown()),
});

export interface Store extends z.output<typeof Store> {}
export interface Category extends z.output<typeof Category> {}
export interface PaymentMethod extends z.output<typeof PaymentMethod> {}
export interface LineItem extends z.output<typeof LineItem> {}
export interface CheckoutSession extends z.output<typeof CheckoutSession> {}
export interface CheckoutSessionStatus extends z.output<typeof CheckoutSessionStatus> {}
export interface CheckoutSessionDetails extends z.output<typeof CheckoutSessionDetails> {}
export type CouponValidation = z.output<typeof CouponValidation>;
export interface OrderItem extends z.output<typeof OrderItem> {}
export interface Customer extends z.output<typeof Customer> {}
export interface Order extends z.output<typeof Order> {}

/** An order is in one of these states. */
export type OrderStatus = Order["status"];
/** A payment fails for one of these reasons. */
export type FailureCode = (typeof failureCodes)[number];
export interface Subscription extends z.output<typeof Subscription> {}
export {
  Entitlement,
  intervals,
  Product,
  type ProductGroup,
  type ProductOption,
  type ProductSort,
  type ProductVariable,
  productSorts,
};
export interface Event extends z.output<typeof Event> {}
