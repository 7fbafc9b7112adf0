import type { Customer, Order } from "../../contract/schemas.ts";
import { iso, isoOrNull } from "../../domain/text/iso.ts";
import type { OrderRecord } from "../records.ts";
import { optionsField } from "./groups/product-options.ts";

export const renderCustomer = (customer: OrderRecord["customer"]): Customer => ({
  id: customer.id,
  email: customer.email,
  name: customer.name,
  discord_id: customer.discord_id,
  tax_id: customer.tax_id,
  tax_id_type: customer.tax_id_type,
  country: customer.country,
});

export function renderOrder(order: OrderRecord, viewer: "store" | "buyer" = "store"): Order {
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    currency: order.currency,
    amount_subtotal: order.amount_subtotal,
    amount_discount: order.amount_discount,
    amount_total: order.amount_total,
    amount_refunded: order.amount_refunded,
    amount_refunding: order.amount_refunding,
    coupon_code: order.coupon_code,
    items: order.items.map((item) => ({
      id: item.id,
      product_id: item.product_id,
      product_slug: item.product_slug,
      name: item.name,
      image_url: item.image_url,
      quantity: item.quantity,
      unit_amount: item.unit_amount,
      amount_subtotal: item.amount_subtotal,
      amount_discount: item.amount_discount,
      amount_total: item.amount_total,
      variables: { ...item.variables },
      ...optionsField(item),
    })),
    customer: renderCustomer(order.customer),
    payment_method: order.payment_method_type && { type: order.payment_method_type },
    checkout_session_id: order.session_id,
    subscription_id: order.subscription_id,
    failure_code: order.failure_code,
    ...(viewer === "store" ? { metadata: { ...order.metadata } } : {}),
    created_at: iso(order.created_at),
    updated_at: iso(order.updated_at),
    paid_at: isoOrNull(order.paid_at),
    refunded_at: isoOrNull(order.refunded_at),
    disputed_at: isoOrNull(order.disputed_at),
  };
}
