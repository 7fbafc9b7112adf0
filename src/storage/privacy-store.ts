import type { Customer } from "../contract/schemas.ts";
import type { SubscriptionRecord } from "../rules/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../rules/records.ts";

/** What the law and a clean test mode ask for (CONTRACT 6). */
export interface PrivacyStore {
  /**
   * Blanks e-mail, name and ids of a customer of the store, in both modes: in sessions, stored replies, orders, subscriptions, coupon uses by
   * customer, delivery snippets and stored event bytes. False when nothing of them was found. Amounts, numbers and items stay: they are the books.
   */
  eraseCustomer(store_id: string, customer_id: string): Promise<boolean>;
  /** Everything that test keys made; stock of the test mode becomes the live one's again. Endpoints, keys and counters stay. */
  wipeTestData(store_id: string): Promise<void>;
}

/** Stands where a customer was. */
const nobody: Customer = {
  id: "cus_erased",
  email: null,
  name: null,
  discord_id: null,
  tax_id: null,
  tax_id_type: null,
  country: null,
};

export const blankOrder = (order: OrderRecord): OrderRecord => ({
  ...order,
  customer: nobody,
  coupon_key: order.coupon_key === null ? null : "erased",
});

export const blankSession = (session: SessionRecord): SessionRecord => ({
  ...session,
  email: null,
  discord_id: null,
  customer_id: session.customer_id === null ? null : nobody.id,
});

export const blankSubscription = (subscription: SubscriptionRecord): SubscriptionRecord => ({
  ...subscription,
  customer: nobody,
});

/** A stored reply shows the session, without an id of its customer. */
export function blankReply(body: string): string {
  const reply = JSON.parse(body);
  return JSON.stringify({
    ...reply,
    data: { ...reply.data, customer: { email: null, discord_id: null } },
  });
}

/** The event's bytes without the person; null when they are not in it. */
export function blankEvent(
  body: string,
  customer_id: string,
  session_ids: ReadonlySet<string>,
): string | null {
  const event = JSON.parse(body);
  const { data } = event;
  let found = false;
  const without = (
    part: { customer?: { id?: string } } | null | undefined,
  ): object | null | undefined => {
    if (part?.customer?.id !== customer_id) return part;
    found = true;
    return { ...part, customer: nobody };
  };
  const session = data.checkout_session;
  const theirs = session !== undefined && session_ids.has(session.id);
  const cleaned = {
    ...data,
    ...(data.order === undefined ? {} : { order: without(data.order) }),
    ...(data.subscription === undefined ? {} : { subscription: without(data.subscription) }),
    ...(theirs
      ? { checkout_session: { ...session, customer: { email: null, discord_id: null } } }
      : {}),
  };
  return found || theirs ? JSON.stringify({ ...event, data: cleaned }) : null;
}
