import type { Order } from "../../contract/schemas.ts";
import type { WireReply } from "../../http/wire.ts";
import { adjustmentsOf } from "../shared/adjustments.ts";
import { json } from "../shared/json.ts";
import { totalsOf } from "./checkout-view.ts";
import { agentField, call, type Desk, findSession } from "./desk.ts";
import type { Agreed } from "./profile.ts";
import { notFound, success } from "./replies.ts";

/**
 * Gives an order that came of a checkout of this agent. The buyer's data is not in it. An order
 * that nobody has paid is none yet.
 */
export async function getOrder(desk: Desk, id: string): Promise<WireReply> {
  const path = `/orders/${encodeURIComponent(id)}`;
  const { data: order } = await call<Order>(desk, { method: "GET", path });
  const { checkout_session_id: checkout_id, metadata = {} } = order;
  const isOwn = metadata[agentField] === desk.agent.profile;
  if (!isOwn || checkout_id === null || order.paid_at === null) throw notFound();

  const { checkout_url, success_url } = await findSession(desk, checkout_id);
  return json(200, showOrder(order, checkout_url ?? success_url, desk.agreed));
}

/** Shows a paid order as the protocol's. */
export const showOrder = (order: Order, permalink_url: string, agreed: Agreed) => ({
  ucp: success(agreed),
  id: order.id,
  label: `#${order.number}`,
  checkout_id: order.checkout_session_id,
  permalink_url,
  line_items: order.items.map(showItem),
  fulfillment: {},
  adjustments: adjustmentsOf(order).map(({ amount, ...told }) => ({
    ...told,
    ...(amount !== null && { totals: [{ type: "total", amount: -amount }] }),
  })),
  currency: order.currency,
  totals: totalsOf(order),
});

/** The store does not tell what it has delivered, so that nothing is said to be. */
const showItem = (item: Order["items"][number]) => ({
  id: item.id,
  item: { id: item.product_id, title: item.name, price: item.unit_amount },
  quantity: { original: item.quantity, total: item.quantity, fulfilled: 0 },
  totals: totalsOf(item),
  status: "processing",
});
