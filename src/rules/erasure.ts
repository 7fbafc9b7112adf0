import type { Customer } from "../contract/schemas.ts";
import type { SubscriptionRecord } from "./payment-records.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";

/** The customer whom a store is to forget. */
export interface Erasure {
  readonly store_id: string;
  readonly customer_id: string;
  /** The names of the customer's revocation, as `CustomerKeys` gives them. */
  readonly customer_keys: readonly string[];
  /** Epoch milliseconds. Tokens that were issued before are revoked. */
  readonly now: number;
}

// What stays of a record once its customer is erased. Amounts, numbers and items stay: they are the
// store's books.

/** Stands where the id of an erased customer stood. */
export const erasedCustomerId = "cus_erased";

/**
 * True for an id that we made and that names an erased customer. Whoever uses it
 * again gets a new one. An id of the host's own may come back: it names a user of
 * the host, and finds nothing of before.
 */
export const isIdSpent = (customer_id: string, erased: boolean): boolean =>
  erased && customer_id.startsWith("cus_");

/** Stands where the customer stood. */
const erasedCustomer: Customer = {
  id: erasedCustomerId,
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

/**
 * The event's bytes without the customer; null when it holds nothing of them. An
 * event of a session names its customer without an id: `erased_session_ids` are the
 * sessions whose orders are blank already.
 */
export function blankEvent(
  body: string,
  customer_id: string,
  erased_session_ids: ReadonlySet<string>,
): string | null {
  const event = JSON.parse(body);
  const { order, subscription, checkout_session: session } = event.data;
  const isTheirs = (record: WithCustomer | null | undefined): boolean =>
    record?.customer?.id === customer_id;

  const data = { ...event.data };
  if (isTheirs(order)) data.order = { ...order, customer: erasedCustomer };
  if (isTheirs(subscription)) data.subscription = { ...subscription, customer: erasedCustomer };
  if (session !== undefined && erased_session_ids.has(session.id))
    data.checkout_session = { ...session, customer: erasedSessionCustomer };

  const blank = JSON.stringify({ ...event, data });
  return blank === body ? null : blank;
}

/** The session that the event is about; null for an event of another kind. */
export const sessionOfEvent = (body: string): string | null =>
  JSON.parse(body).data.checkout_session?.id ?? null;
