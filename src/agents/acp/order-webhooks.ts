import type { Order } from "../../contract/schemas.ts";
import { signWebhook } from "../../webhooks/signature.ts";
import { adjustmentsOf } from "../shared/adjustments.ts";
import { type EventSource, type ToldAgent, tellAgents } from "../shared/order-webhooks.ts";
import { findPermalink } from "../shared/permalink.ts";
import type { StoreApi } from "../shared/store-api.ts";
import { totalsOf } from "./checkout-view.ts";
import { agentField } from "./desk.ts";
import type { AcpSettings } from "./options.ts";

/** Posts orders to each agent, with `Merchant-Signature`, until the signal aborts. */
export const runOrderWebhooks = (
  source: EventSource,
  settings: AcpSettings,
  signal: AbortSignal,
): Promise<void> =>
  tellAgents(
    source,
    settings,
    { protocol: "acp", field: agentField, agents: (api) => agentsOf(settings, api) },
    signal,
  );

const agentsOf = ({ webhooks, success_url, now }: AcpSettings, api: StoreApi) =>
  Object.entries(webhooks?.agents ?? {}).map(
    ([name, { url, secret }]): ToldAgent => ({
      name,
      async post({ id, type, data: { order } }) {
        const permalink = await findPermalink(api, order, success_url);
        const body = JSON.stringify({
          type: type === "order.paid" ? "order_create" : "order_update",
          data: showOrder(order, permalink),
        });
        const sentAt = now();
        const timestamp = Math.floor(sentAt / 1_000);
        const headers = {
          "content-type": "application/json",
          "merchant-signature": await signWebhook({ rawBody: body, secret, timestamp }),
          "request-id": id,
          timestamp: new Date(sentAt).toISOString(),
        };
        return { url, body, headers };
      },
    }),
  );

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
