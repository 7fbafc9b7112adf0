import type { Customer } from "../contract/schemas.ts";
import type { SubscriptionRecord } from "./payment-records.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";

// What stays of a record once its customer is erased. Amounts, numbers and items stay: they are the
// store's books.

/** Stands where the customer stood. */
const erasedCustomer: Customer = {
  id: "cus_erased",
  email: null,
  name: null,
  discord_id: null,
  tax_id: null,
  tax_id_type: null,
  country: null,
};

const erasedSessionCustomer = { email: null, discord_id: null };

export const blankOrder = (order: OrderRecord): OrderRecord => ({
  ...order,
  customer: erasedCustomer,
  coupon_key: order.coupon_key === null ? null : "erased",
});

export const blankSession = (session: SessionRecord): SessionRecord => ({
  ...session,
  ...erasedSessionCustomer,
  customer_id: session.customer_id === null ? null : erasedCustomer.id,
});

export const blankSubscription = (subscription: SubscriptionRecord): SubscriptionRecord => ({
  ...subscription,
  customer: erasedCustomer,
});

/** A stored reply shows the session, which names its customer without an id. */
export function blankReply(body: string): string {
  const reply = JSON.parse(body);
  return JSON.stringify({ ...reply, data: { ...reply.data, customer: erasedSessionCustomer } });
}

interface WithCustomer {
  readonly customer?: { readonly id?: string };
}

/** The event's bytes without the customer; null when the event does not name them. */
export function blankEvent(
  body: string,
  customer_id: string,
  session_ids: ReadonlySet<string>,
): string | null {
  const event = JSON.parse(body);
  const { order, subscription, checkout_session: session } = event.data;
  const isTheirs = (record: WithCustomer | null | undefined): boolean =>
    record?.customer?.id === customer_id;
  const isTheirSession = session !== undefined && session_ids.has(session.id);
  if (!isTheirs(order) && !isTheirs(subscription) && !isTheirSession) return null;

  const data = { ...event.data };
  if (isTheirs(order)) data.order = { ...order, customer: erasedCustomer };
  if (isTheirs(subscription)) data.subscription = { ...subscription, customer: erasedCustomer };
  if (isTheirSession) data.checkout_session = { ...session, customer: erasedSessionCustomer };
  return JSON.stringify({ ...event, data });
}
