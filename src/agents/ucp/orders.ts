import type { Order } from "../../contract/schemas.ts";
import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import { totalsOf } from "./checkout-view.ts";
import { agentField, call, type Desk, findSession } from "./desk.ts";
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
  return json(200, {
    ucp: success(desk.active),
    id: order.id,
    label: `#${order.number}`,
    checkout_id,
    permalink_url: checkout_url ?? success_url,
    line_items: order.items.map(showItem),
    fulfillment: {},
    adjustments: adjustmentsOf(order),
    currency: order.currency,
    totals: totalsOf(order),
  });
}

/** The store does not tell what it has delivered, so that nothing is said to be. */
const showItem = (item: Order["items"][number]) => ({
  id: item.id,
  item: { id: item.product_id, title: item.name, price: item.unit_amount },
  quantity: { original: item.quantity, total: item.quantity, fulfilled: 0 },
  totals: totalsOf(item),
  status: "processing",
});

/** What has happened to the money since: refunds that are done or under way, and a dispute. */
function adjustmentsOf(order: Order) {
  const { id, amount_refunded, amount_refunding, refunded_at, updated_at, disputed_at } = order;
  const refund = (status: string, amount: number, occurred_at: string) => ({
    id: `${id}_refund_${status}`,
    type: "refund",
    status,
    occurred_at,
    totals: [{ type: "total", amount: -amount }],
  });
  return [
    ...(amount_refunded > 0
      ? [refund("completed", amount_refunded, refunded_at ?? updated_at)]
      : []),
    ...(amount_refunding > 0 ? [refund("pending", amount_refunding, updated_at)] : []),
    ...(order.status === "chargeback" && disputed_at !== null
      ? [{ id: `${id}_dispute`, type: "dispute", status: "pending", occurred_at: disputed_at }]
      : []),
  ];
}
