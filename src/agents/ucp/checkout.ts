import type { Store } from "../../contract/schemas.ts";
import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import type { Session } from "../shared/session.ts";
import { Basket, changeSession, makeSession, NewCheckout } from "./basket.ts";
import { isClosed, showCheckout, statusOf } from "./checkout-view.ts";
import { call, type Desk, expireSession, findSession, readRequest } from "./desk.ts";
import { cart, isActive } from "./profile.ts";
import type { Message } from "./replies.ts";

/** Makes a checkout. With `cart_id` it is that of the cart, with the cart's contents. */
export async function createCheckout(desk: Desk): Promise<WireReply> {
  const { cart_id, ...wanted } = await readRequest(desk, NewCheckout);
  if (cart_id != null && isActive(desk.agreed, cart)) {
    const { findCart } = await import("./carts.ts");
    return shown(desk, 201, await findCart(desk, cart_id, "$.cart_id"));
  }
  const { session, notices } = await makeSession(desk, wanted, "checkout");
  return shown(desk, 201, session, notices);
}

export async function getCheckout(desk: Desk, id: string): Promise<WireReply> {
  return shown(desk, 200, await findSession(desk, id));
}

/** Replaces lines, buyer and codes. What the store refuses leaves the session as it was. */
export async function updateCheckout(desk: Desk, id: string): Promise<WireReply> {
  const wanted = await readRequest(desk, Basket);
  const find = () => findSession(desk, id);
  const { session, notices, isOpen } = await changeSession(desk, find, wanted, "checkout");
  return isOpen ? shown(desk, 200, session, notices) : refused(desk, session);
}

/** Hands the buyer over: the store takes no payment of an agent, and reads none. */
export async function completeCheckout(desk: Desk, id: string): Promise<WireReply> {
  const session = await findSession(desk, id);
  return isClosed(session) ? refused(desk, session) : shown(desk, 200, session);
}

/** Closes a checkout that nobody pays. A payment under way may still bring money. */
export async function cancelCheckout(desk: Desk, id: string): Promise<WireReply> {
  const session = await findSession(desk, id);
  if (isClosed(session) || session.payment_status !== "unpaid") return refused(desk, session);

  const after = await expireSession(desk, id);
  return statusOf(after, []) === "canceled" ? shown(desk, 200, after) : refused(desk, after);
}

async function shown(
  desk: Desk,
  status: number,
  session: Session,
  notices: readonly Message[] = [],
): Promise<WireReply> {
  const store = await call<Store>(desk, { method: "GET", path: "/store" });
  return json(status, showCheckout(session, { store: store.data, agreed: desk.agreed, notices }));
}

/** Answers with the checkout as it stands, and the reason why it can no longer change. */
async function refused(desk: Desk, session: Session): Promise<WireReply> {
  const status = statusOf(session, []);
  const code = `checkout_${status}`;
  const content = `The checkout is ${status}: it can no longer change.`;
  const store = await call<Store>(desk, { method: "GET", path: "/store" });
  const notice: Message = { type: "error", code, content, severity: "unrecoverable" };
  const showing = { store: store.data, agreed: desk.agreed, notices: [notice] };
  return json(409, { ...showCheckout(session, showing), code, content });
}
