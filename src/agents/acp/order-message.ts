import type { Order } from "../../contract/schemas.ts";
import { iso } from "../../domain/text/iso.ts";
import type { Message } from "../../webhooks/send/send.ts";
import { signWebhook } from "../../webhooks/signature.ts";
import { adjustmentsOf } from "../shared/adjustments.ts";
import type { OrderNews } from "../shared/order-news.ts";
import { totalsOf } from "./checkout-view.ts";

/** Writes an order as the protocol's, with `Merchant-Signature`. */
export async function writeOrder({
  secret,
  event,
  order,
  permalink,
  started_at,
}: OrderNews): Promise<Message> {
  const body = JSON.stringify({
    type: event.type === "order.paid" ? "order_create" : "order_update",
    data: showOrder(order, permalink),
  });
  const timestamp = Math.floor(started_at / 1_000);
  const headers = {
    "content-type": "application/json",
    "merchant-signature": await signWebhook({ rawBody: body, secret, timestamp }),
    "request-id": event.id,
    timestamp: iso(started_at),
  };
  return { body, headers };
}

/** Shows an order as the protocol's, by the schema of 2026-04-17. */
function showOrder(order: Order, permalink_url: string) {
  const { id, checkout_session_id, amount_refunded } = order;
  const refunded = { type: "amount_refunded", display_text: "Refunded", amount: amount_refunded };
  const currency = order.currency.toLowerCase();

  return {
    type: "order",
    id,
    checkout_session_id,
    order_number: String(order.number),
    permalink_url,
    status: "confirmed",
    line_items: order.items.map(showItem),
    adjustments: adjustmentsOf(order).map(({ amount, ...told }) => ({
      ...told,
      ...(amount !== null && { amount, currency }),
    })),
    totals: [...totalsOf(order), ...(amount_refunded > 0 ? [refunded] : [])],
  };
}

/** The store does not tell what it has delivered, so that nothing is said to be. */
const showItem = (item: Order["items"][number]) => ({
  id: item.id,
  title: item.name,
  product_id: item.product_id,
  quantity: { ordered: item.quantity, current: item.quantity, fulfilled: 0 },
  unit_price: item.unit_amount,
  subtotal: item.amount_subtotal,
  totals: totalsOf(item),
  status: "processing",
});
