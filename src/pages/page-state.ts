import { minuteMs } from "../domain/durations.ts";
import type { CheckoutView } from "../payments/checkout/checkout-service.ts";
import { stateOfOrder } from "../rules/orders/order-states.ts";
import { asksMethod } from "./parts/renewal.ts";

/** The page shows a session in one of these states. */
export type StateName =
  /** The buyer chooses a method and pays, for the first time or again. */
  | "form"
  /** There is an amount to pay, and no method for it. */
  | "no_methods"
  /** The buyer has left for the provider's page, or is to go there. */
  | "redirect"
  | "qr_code"
  /** The time of the code is over, and the payment is still open. */
  | "qr_expired"
  | "voucher"
  /** The payment needs a page of the host's own. */
  | "client_secret"
  /** The payment has no result yet, and the buyer can do nothing. */
  | "pending"
  | "paid"
  | "refunded"
  | "expired";

/** Decides what is shown; `now` is in epoch milliseconds. */
export function stateOf(view: CheckoutView, now: number): StateName {
  const { session, order, payment_methods } = view;
  const page = order && stateOfOrder(order.status).page;
  if (page !== null) return page === "waiting" ? waitingState(view.next_action, now) : page;

  if (session.status !== "open") return "expired";
  return asksMethod(view) && payment_methods.length === 0 ? "no_methods" : "form";
}

function waitingState(action: CheckoutView["next_action"], now: number): StateName {
  if (action === null) return "pending";
  if (action.type !== "qr_code" || action.expires_at === null) return action.type;
  return now < action.expires_at ? "qr_code" : "qr_expired";
}

/** A payment runs in these states, so that the page waits for its result. */
export type WaitingState = Exclude<
  StateName,
  "form" | "no_methods" | "paid" | "refunded" | "expired"
>;

export const isWaiting = (state: StateName): state is WaitingState => waitingStates.has(state);

/** Tells whether money came, or a payment of it runs. */
export const hasPayment = (state: StateName): boolean =>
  isWaiting(state) || state === "paid" || state === "refunded";

const waitingStates: ReadonlySet<StateName> = new Set<WaitingState>([
  "redirect",
  "qr_code",
  "qr_expired",
  "voucher",
  "client_secret",
  "pending",
]);

/** Changes whenever the page would show something else: a waiting browser compares it. */
export const versionOf = (view: CheckoutView, state: StateName): string =>
  `${state}.${Date.parse(view.order?.updated_at ?? view.session.created_at)}`;

/** A buyer who comes to the page so soon after the payment is sent on to the store. */
const freshMs = 15 * minuteMs;

export function isFreshlyPaid({ order }: CheckoutView, now: number): boolean {
  const paid = order?.status === "paid" ? order.paid_at : null;
  return paid !== null && now - Date.parse(paid) < freshMs;
}
