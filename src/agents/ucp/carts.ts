import type { Store } from "../../contract/schemas.ts";
import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import type { Session } from "../shared/session.ts";
import { Basket, changeSession, makeSession } from "./basket.ts";
import { isClosed, showBasket, statusOf } from "./checkout-view.ts";
import { call, type Desk, expireSession, findSession, readRequest } from "./desk.ts";
import { cart, discount } from "./profile.ts";
import { type Message, notFound, ProtocolFault, success } from "./replies.ts";

// A cart is a session under another id: an open session holds no stock and no use of a coupon. A
// checkout of the cart is the session itself, so that there is one at most, and what either changes
// is changed in both.

const cartPrefix = "cart_";
const sessionPrefix = "cs_";

const cartIdOf = ({ id }: Session): string => id.replace(sessionPrefix, cartPrefix);
const sessionIdOf = (id: string): string => id.replace(cartPrefix, sessionPrefix);

/** Finds a cart of this agent. A cart that was bought or canceled, or has expired, is not found. */
export async function findCart(desk: Desk, id: string, path?: string): Promise<Session> {
  if (!id.startsWith(cartPrefix)) throw notFound(path);
  const session = await findSession(desk, sessionIdOf(id), path);
  if (isClosed(session)) throw notFound(path);
  return session;
}

export async function createCart(desk: Desk): Promise<WireReply> {
  const wanted = await readRequest(desk, Basket);
  const { session, notices } = await makeSession(desk, wanted, "cart");
  return shown(desk, 201, session, notices);
}

export async function getCart(desk: Desk, id: string): Promise<WireReply> {
  return shown(desk, 200, await findCart(desk, id));
}

/** Replaces lines, buyer and codes. What the store refuses leaves the cart as it was. */
export async function updateCart(desk: Desk, id: string): Promise<WireReply> {
  const wanted = await readRequest(desk, Basket);
  const find = () => findCart(desk, id);
  const { session, notices, isOpen } = await changeSession(desk, find, wanted, "cart");
  if (!isOpen) throw underPayment();
  return shown(desk, 200, session, notices);
}

/** Closes a cart that nobody pays, and answers with it as it was. */
export async function cancelCart(desk: Desk, id: string): Promise<WireReply> {
  const session = await findCart(desk, id);
  if (session.payment_status !== "unpaid") throw underPayment();

  const answer = await shown(desk, 200, session);
  const after = await expireSession(desk, session.id);
  if (statusOf(after, []) !== "canceled") throw underPayment();
  return answer;
}

const underPayment = (): ProtocolFault =>
  new ProtocolFault(
    409,
    "cart_complete_in_progress",
    "The buyer is paying for the cart: it cannot change now.",
  );

async function shown(
  desk: Desk,
  status: number,
  session: Session,
  notices: readonly Message[] = [],
): Promise<WireReply> {
  const { agreed } = desk;
  const { data: store } = await call<Store>(desk, { method: "GET", path: "/store" });
  return json(status, {
    ucp: success(agreed, cart, discount),
    id: cartIdOf(session),
    ...showBasket(session, { store, agreed }),
    messages: notices,
    ...(session.checkout_url !== null && { continue_url: session.checkout_url }),
  });
}
