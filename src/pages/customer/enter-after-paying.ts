import { isApiError } from "../../contract/errors.ts";
import type { WireReply } from "../../http/wire.ts";
import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import type { PagePass } from "../../rules/owner/page-pass.ts";
import { readFields } from "../parts/form-fields.ts";
import { seeOther } from "../replies.ts";
import { isSameOrigin } from "../same-origin.ts";
import { boughtOpenMs, justPaidOrder } from "./bought-form.ts";
import type { Asked, Place } from "./context.ts";
import { messageReply } from "./frame.ts";
import { findVisitor, isServed, openSession, spendPass, type Visitor } from "./visitor.ts";

const sessionSeconds = 3_600;
const longestToken = 200;

/**
 * Takes the form at the end of the checkout: a browser that pays may see this order, once. A
 * checkout's address is no proof of who its buyer is, so that nothing else is shown.
 */
export async function enterAfterPaying(asked: Asked): Promise<WireReply> {
  const { place, request, language } = asked;
  const token = (await readFields(request)).get("checkout") ?? "";
  const view = await viewOf(place, token);
  if (!view) return messageReply(place, language, { name: "spent", back: false });
  if (!isFromCheckout(asked, view))
    return messageReply(place, language, { name: "foreign_form", back: false });

  const pass = await passOf(place, view);
  if (!pass) return messageReply(place, language, { name: "spent", back: false });
  const target = `${place.base}/orders/${pass.order_id}`;
  if (maySee(await findVisitor(request, place), pass)) return seeOther(target);

  const now = place.ctx.http.now();
  const entering = await spendPass(place.ctx, pass);
  if (!entering) return messageReply(place, language, { name: "spent", back: false });
  return seeOther(target, await openSession(place, entering, { now, seconds: sessionSeconds }));
}

/** Gives null for a checkout that is not there, or not served here. */
async function viewOf({ ctx }: Place, token: string): Promise<CheckoutView | null> {
  if (token === "" || token.length > longestToken) return null;
  try {
    const view = await ctx.checkout.view(token);
    return isServed(ctx, { store_id: view.store.id, livemode: view.livemode }) ? view : null;
  } catch (error) {
    if (isApiError(error) && error.code === "resource_not_found") return null;
    throw error;
  }
}

/** The checkout page may have an origin of its own. */
function isFromCheckout({ request }: Asked, { session }: CheckoutView): boolean {
  const origin = request.header("origin");
  if (origin === undefined || origin === "null") return isSameOrigin(request, session.checkout_url);
  return origin === new URL(session.checkout_url).origin;
}

/** Makes the pass of an order that was just paid. Its name is the session's, so it works once. */
async function passOf({ ctx }: Place, view: CheckoutView) {
  const partition = { store_id: view.store.id, livemode: view.livemode };
  const { now } = await ctx.clock.of(partition);
  const order = justPaidOrder(view, now);
  if (!order) return null;

  const sincePaid = now - Date.parse(order.paid_at);
  const issued_at = ctx.http.now() - sincePaid;
  return {
    ...partition,
    customer_id: order.customer.id,
    order_id: order.id,
    id: `checkout:${view.session.id}`,
    // A token revocation that came after the payment also refuses this pass.
    issued_at,
    expires_at: issued_at + boughtOpenMs,
  } satisfies PagePass;
}

/** A buyer who is signed in keeps the session, which may show more. */
function maySee(visitor: Visitor | null, pass: PagePass): boolean {
  if (!visitor || visitor.buyer.customer_id !== pass.customer_id) return false;
  const { partition, order_id } = visitor;
  const isSame = partition.store_id === pass.store_id && partition.livemode === pass.livemode;
  return isSame && (order_id === null || order_id === pass.order_id);
}
