import { fail } from "../../contract/errors.ts";
import type { WireReply } from "../../http/wire.ts";
import {
  cancelOwn,
  findOwnSubscription,
  keepOwn,
  listOwnOrders,
  type OwnCall,
  refuseRevoked,
  requireOwnSubscription,
} from "../../operations/buyers/own.ts";
import { showOrder } from "../../rules/entitlements/show-order.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord } from "../../rules/records.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import { seeOther } from "../replies.ts";
import { type CustomerScene, sceneReply } from "./frame.ts";
import type { ReceiptSeller } from "./options.ts";
import { renderHome } from "./render-home.ts";
import { renderOrderPage } from "./render-order.ts";

const ordersShown = 20;
const subscriptionsShown = 100;

const callOf = ({ place, visitor: { partition, buyer } }: CustomerScene): OwnCall => ({
  ctx: place.ctx.http,
  partition,
  buyer,
});

/** Shows a page of the buyer's orders, and on the first one the subscriptions. */
export async function readHome(scene: CustomerScene, after: string | null): Promise<WireReply> {
  const call = callOf(scene);
  const { checkoutUrls } = call.ctx;
  const { order_id } = scene.visitor;
  const subscriptions = after === null ? await subscriptionsOf(call, order_id) : [];
  const page = { limit: ordersShown, ...(after !== null && { after }) };
  const found =
    order_id === null ? await listOwnOrders(call, page) : [await requireOwnOrder(call, order_id)];

  const shown = found.slice(0, ordersShown);
  const body = await renderHome(scene, {
    orders: await Promise.all(shown.map((order) => showOrder(call.ctx, order, "buyer"))),
    subscriptions: subscriptions.slice(0, subscriptionsShown).map(renderSubscription),
    older: found.length > ordersShown ? (shown.at(-1)?.id ?? null) : null,
    isNewest: after === null,
    takesPayment: checkoutUrls.build === null,
  });
  const title = scene.language.say("title_at", { store: scene.store.name });
  return sceneReply(scene, { title, body });
}

/** Lists the buyer's subscriptions, or that of the one order which the visitor may see. */
async function subscriptionsOf(
  call: OwnCall,
  order_id: string | null,
): Promise<readonly SubscriptionRecord[]> {
  const { ctx, partition, buyer } = call;
  const { customer_id } = buyer;
  if (order_id === null) {
    const of = { ...partition, customer_id, limit: subscriptionsShown };
    return ctx.storage.orders.listSubscriptions(of);
  }
  const { subscription_id } = await requireOwnOrder(call, order_id);
  const found = subscription_id && (await findOwnSubscription(call, subscription_id));
  return found ? [found] : [];
}

/** Reads an order of the buyer. Another buyer's order is `resource_not_found`, as a missing one. */
async function requireOwnOrder(call: OwnCall, id: string): Promise<OrderRecord> {
  const found = await call.ctx.storage.orders.find("order", call.partition, id);
  await refuseRevoked(call);
  return found?.customer.id === call.buyer.customer_id ? found : fail("resource_not_found");
}

/** Shows an order. A visitor who may see one order sees no other. */
export async function readOrder(scene: CustomerScene, id: string): Promise<WireReply> {
  const call = callOf(scene);
  const { order_id } = scene.visitor;
  const found = await requireOwnOrder(call, id);
  if (order_id !== null && order_id !== found.id) return fail("resource_not_found");

  const order = await showOrder(call.ctx, found, "buyer");
  const body = renderOrderPage(scene, { order, seller: await sellerOf(scene) });
  const title = scene.language.say("order", { number: String(order.number) });
  return sceneReply(scene, { title: `${title} · ${scene.store.name}`, body });
}

/** A function of the host's that fails leaves the store's name on the receipt. */
async function sellerOf({ place, store }: CustomerScene): Promise<ReceiptSeller | null> {
  try {
    return (await place.options.seller?.(store)) ?? null;
  } catch (error) {
    place.ctx.onError(error, "customerPage.seller");
    return null;
  }
}

/** Does what a form of a subscription asks for, and leads on. */
export async function changeSubscription(
  scene: CustomerScene,
  id: string,
  action: string,
): Promise<WireReply> {
  const call = callOf(scene);
  const { ctx, options, base } = scene.place;
  const { order_id } = scene.visitor;
  if (order_id !== null && (await requireOwnOrder(call, order_id)).subscription_id !== id)
    return fail("resource_not_found");
  if (action === "pay") {
    const { subscription_id } = await requireOwnSubscription(call, id);
    const where = { ...call.partition, success_url: options.baseUrl };
    return seeOther((await ctx.subscriptions.payLink(subscription_id, where)).url);
  }
  await (action === "keep" ? keepOwn : cancelOwn)(call, id);
  return seeOther(`${base}#${encodeURIComponent(id)}`);
}
