import type { Customer, OrderItem, OrderStatus, Subscription } from "../../contract/schemas.ts";
import type { Refund } from "../../rules/refunds/render-refund.ts";
import type { OwnerCoupon } from "../catalog/coupons.ts";
import type { OwnerCustomer } from "../sales/customers.ts";
import type { OwnerDispute } from "../sales/disputes.ts";
import type { OwnerOrder } from "../sales/orders.ts";
import type { OwnerPayment } from "../sales/payments.ts";
import { type ColumnsOf, columnsOf } from "./cells.ts";

/** An item of an order, with the fields that tell the orders apart. */
export interface ExportedOrderItem extends OrderItem {
  readonly order_id: string;
  readonly order_number: number;
  readonly order_status: OrderStatus;
  readonly currency: string;
  /** The time at which the order was made, in ISO 8601, in UTC. */
  readonly created_at: string;
  /** A time in ISO 8601, in UTC. */
  readonly paid_at: string | null;
}

/** A refund with its order's number and currency. */
export interface ExportedRefund extends Refund {
  readonly order_number: number;
  readonly currency: string;
}

/** A customer with the totals of one currency. */
export type CustomerInCurrency = Omit<OwnerCustomer, "totals"> & OwnerCustomer["totals"][number];

const customer: ColumnsOf<Customer> = {
  id: "text",
  email: "text",
  name: "text",
  discord_id: "text",
  tax_id: "text",
  tax_id_type: "text",
  country: "text",
};

/** A list does not open what buyers have got. */
const orders: ColumnsOf<Omit<OwnerOrder, "entitlements">> = {
  id: "text",
  number: "number",
  status: "text",
  currency: "text",
  amount_subtotal: "number",
  amount_discount: "number",
  amount_total: "number",
  amount_refunded: "number",
  amount_refunding: "number",
  coupon_code: "text",
  customer,
  payment_method: { type: "text" },
  checkout_session_id: "text",
  subscription_id: "text",
  failure_code: "text",
  created_at: "text",
  updated_at: "text",
  paid_at: "text",
  refunded_at: "text",
  disputed_at: "text",
  items: "json",
  metadata: "json",
  store_id: "text",
  livemode: "boolean",
  channel: "text",
};

const orderItems: ColumnsOf<ExportedOrderItem> = {
  order_id: "text",
  order_number: "number",
  order_status: "text",
  id: "text",
  product_id: "text",
  product_slug: "text",
  name: "text",
  quantity: "number",
  currency: "text",
  unit_amount: "number",
  amount_subtotal: "number",
  amount_discount: "number",
  amount_total: "number",
  variables: "json",
  image_url: "text",
  created_at: "text",
  paid_at: "text",
  options: "json",
};

const payments: ColumnsOf<OwnerPayment> = {
  id: "text",
  order_id: "text",
  checkout_session_id: "text",
  status: "text",
  gateway: "text",
  account: "text",
  payment_method_id: "text",
  payment_method_type: "text",
  amount: "number",
  currency: "text",
  reference: "text",
  failure_code: "text",
  money: "json",
  created_at: "text",
  updated_at: "text",
  decline_code: "text",
  fee: { amount: "number", currency: "text" },
};

const refunds: ColumnsOf<ExportedRefund> = {
  id: "text",
  order_id: "text",
  order_number: "number",
  payment_id: "text",
  reference: "text",
  status: "text",
  amount: "number",
  currency: "text",
  reason: "text",
  moved: "text",
  provider_reference: "text",
  failure_reason: "text",
  created_at: "text",
  updated_at: "text",
  succeeded_at: "text",
};

const disputes: ColumnsOf<OwnerDispute> = {
  reference: "text",
  order_id: "text",
  order_number: "number",
  status: "text",
  amount: "number",
  currency: "text",
  reason: "text",
  due_by: "text",
  payment_reference: "text",
  told_by: "text",
  created_at: "text",
  updated_at: "text",
};

const customers: ColumnsOf<CustomerInCurrency> = {
  id: "text",
  email: "text",
  name: "text",
  currency: "text",
  orders: "number",
  spent: "number",
};

const coupons: ColumnsOf<OwnerCoupon> = {
  id: "text",
  code: "text",
  enabled: "boolean",
  discount_type: "text",
  discount_amount: "number",
  currency: "text",
  min_subtotal: "number",
  min_subtotal_currency: "text",
  product_ids: "json",
  starts_at: "text",
  ends_at: "text",
  max_uses: "number",
  max_uses_per_customer: "number",
  used: { live: "number", test: "number" },
  created_at: "text",
};

const subscriptions: ColumnsOf<Subscription> = {
  id: "text",
  status: "text",
  product_id: "text",
  product_name: "text",
  quantity: "number",
  unit_amount: "number",
  amount: "number",
  currency: "text",
  interval: "text",
  interval_count: "number",
  current_period_start: "text",
  current_period_end: "text",
  cancel_at_period_end: "boolean",
  canceled_at: "text",
  ended_at: "text",
  customer,
  latest_order_id: "text",
  collection_method: "text",
  saved_method: { kind: "text", label: "text", expires_at: "text" },
  next_charge_at: "text",
  paused_at: "text",
  metadata: "json",
  created_at: "text",
  updated_at: "text",
  // Readers of older versions find the columns that they know in their places.
  trial_end: "text",
};

export const orderColumns = columnsOf(orders);
export const orderItemColumns = columnsOf(orderItems);
export const paymentColumns = columnsOf(payments);
export const refundColumns = columnsOf(refunds);
export const disputeColumns = columnsOf(disputes);
export const customerColumns = columnsOf(customers);
export const couponColumns = columnsOf(coupons);
export const subscriptionColumns = columnsOf(subscriptions);
