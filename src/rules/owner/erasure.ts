import type { Customer } from "../../contract/schemas.ts";
import type { Signed } from "../audit/audit-records.ts";
import type { SessionHold } from "../checkout/hold-record.ts";
import type { EntitlementRecord } from "../entitlements/entitlement-record.ts";
import type {
  AttemptRecord,
  SavedMethodRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../records.ts";
import { erasedCustomerId } from "./erased-customer.ts";

/** The customer whom a store is to forget. */
export interface Erasure extends Signed {
  readonly store_id: string;
  readonly customer_id: string;
  /** The names of the customer's revocation, as `CustomerKeys` gives them. */
  readonly customer_keys: readonly string[];
  /**
   * The time at which the erasure happens, in epoch milliseconds. Tokens that were issued before
   * are revoked.
   */
  readonly now: number;
  /** The uses of coupons by orders that were moved out. Only the first chunk has them. */
  readonly archived?: readonly (Partition & HeldCoupon)[];
}

// The functions below decide what stays of a record once its customer is erased.
// Amounts, numbers and products stay, because they are the store's books.

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

/**
 * Removes the variables. They are what the buyer has typed for a product: a name in
 * a game, an address.
 */
const withoutVariables = <Line extends object>(line: Line) => ({ ...line, variables: {} });

/** Removes the query of an address, because it may name the buyer. */
const withoutQuery = (url: string): string => url.split("?", 1)[0] ?? "";

interface Bought {
  readonly items: readonly object[];
}

/** Blanks an order as it is stored or as an event shows it. */
const withoutCustomer = <Row extends Bought>(order: Row) => ({
  ...order,
  customer: erasedCustomer,
  items: order.items.map(withoutVariables),
  metadata: {},
});

/** Gives an order without what names its buyer. */
export const blankOrder = (order: OrderRecord): OrderRecord => ({
  ...withoutCustomer(order),
  coupon_key: order.coupon_key === null ? null : "erased",
  ...(order.entitlements && { entitlements: order.entitlements.map(withoutKey) }),
});

/** Forgets a license key: nobody is left whom it could be shown to. */
const withoutKey = (entitlement: EntitlementRecord): EntitlementRecord =>
  entitlement.content.type === "license_key"
    ? {
        ...entitlement,
        content: { ...entitlement.content, sealed_key: null },
        // A machine may be named after its user.
        ...(entitlement.activations && {
          activations: entitlement.activations.map((each) => ({ ...each, name: "" })),
        }),
      }
    : entitlement;

interface Addresses {
  readonly success_url: string;
  readonly cancel_url: string;
}

const withoutQueries = ({ success_url, cancel_url }: Addresses): Addresses => ({
  success_url: withoutQuery(success_url),
  cancel_url: withoutQuery(cancel_url),
});

/**
 * Removes the customer's key. What the session holds stays held, and is given back
 * without the key.
 */
const blankHold = (hold: SessionHold): SessionHold => ({
  ...hold,
  coupon_key: hold.coupon_key === null ? null : "erased",
});

/** A use of a coupon that an order or a session holds. */
export interface HeldCoupon {
  readonly coupon_id: string | null;
  /** The use counts for this customer. Null means that it holds no use. */
  readonly coupon_key: string | null;
}

/** Gives the use of a coupon that a session holds. */
export const heldCoupon = ({ coupon_id, hold }: SessionRecord): HeldCoupon => ({
  coupon_id,
  coupon_key: hold?.coupon_key ?? null,
});

/** Gives a session without what names its buyer. */
export const blankSession = (session: SessionRecord): SessionRecord => ({
  ...session,
  ...erasedSessionCustomer,
  ...withoutQueries(session),
  customer_id: session.customer_id === null ? null : erasedCustomer.id,
  lines: session.lines.map(withoutVariables),
  metadata: {},
  ...(session.hold && { hold: blankHold(session.hold) }),
});

/**
 * Gives a subscription without what names its buyer. Nobody is charged for an erased buyer: the
 * sealed reference of the saved method stays until its gateway has forgotten the method.
 */
export function blankSubscription(
  { renewal, forget, ...subscription }: SubscriptionRecord,
  now: number,
): SubscriptionRecord {
  const waiting = forget?.methods ?? [];
  const saved = renewal?.saved;
  // A subscription that has ended waits for its own method already.
  const isNamed = waiting.some(({ attempt_id }) => attempt_id === saved?.attempt_id);
  const methods = saved && !isNamed ? [saved, ...waiting] : waiting;
  return {
    ...subscription,
    customer: erasedCustomer,
    variables: {},
    metadata: {},
    ...(methods.length > 0 && { forget: { methods: methods.map(blankMethod), tries: 0, at: now } }),
  };
}

/** Removes what the buyer knew the method by. */
export const blankMethod = (method: SavedMethodRecord): SavedMethodRecord => ({
  ...method,
  label: "",
  expires_at: null,
  consent: { ...method.consent, text: "" },
});

/**
 * Removes the words of the buyer's consent. The field stays, with an empty text: a repeated call
 * must still ask the gateway to save the method. A method of an erased buyer is then forgotten.
 */
export const withoutConsent = (attempt: AttemptRecord): AttemptRecord => ({
  ...attempt,
  ...(attempt.consent && { consent: "" }),
});

/** Removes the reason of a refund or a dispute, because it is a text about the buyer. */
export const withoutReason = <Row extends object>(row: Row) => ({ ...row, reason: null });

interface ShownSession extends Addresses {
  readonly line_items: readonly object[];
}

/** Blanks a session as a reply or an event shows it. */
const blankShownSession = <Row extends ShownSession>(session: Row) => ({
  ...session,
  customer: erasedSessionCustomer,
  ...withoutQueries(session),
  line_items: session.line_items.map(withoutVariables),
  metadata: {},
});

/** Blanks a stored reply. It shows the session, which names its customer without an id. */
export function blankReply(body: string): string {
  const reply = JSON.parse(body);
  return JSON.stringify({ ...reply, data: blankShownSession(reply.data) });
}

interface WithCustomer {
  readonly customer?: { readonly id?: string };
}

/**
 * Gives the event's bytes without the customer. It gives null when the event holds
 * nothing of the customer. An event of a session names its customer without an id:
 * `erased_session_ids` are the sessions whose orders are blank already.
 */
export function blankEvent(
  body: string,
  customer_id: string,
  erased_session_ids: ReadonlySet<string>,
): string | null {
  const event = JSON.parse(body);
  const { order, subscription, checkout_session: session, refund, dispute } = event.data;
  const isTheirs = (record: WithCustomer | null | undefined): boolean =>
    record?.customer?.id === customer_id;

  const data = { ...event.data };
  if (isTheirs(event.data)) data.customer = erasedCustomer;
  if (isTheirs(order)) {
    data.order = withoutCustomer(order);
    if (refund) data.refund = withoutReason(refund);
    if (dispute) data.dispute = withoutReason(dispute);
  }
  if (isTheirs(subscription))
    // A saved method tells a card by its last digits.
    data.subscription = {
      ...subscription,
      customer: erasedCustomer,
      saved_method: null,
      metadata: {},
    };
  if (session !== undefined && erased_session_ids.has(session.id))
    data.checkout_session = blankShownSession(session);

  const blank = JSON.stringify({ ...event, data });
  return blank === body ? null : blank;
}

/** Gives the session that the event is about. It gives null for an event of another kind. */
export const sessionOfEvent = (body: string): string | null =>
  JSON.parse(body).data.checkout_session?.id ?? null;

interface ShownArchived extends Bought {
  readonly coupon_key: string | null;
  readonly refunds: readonly object[];
  readonly disputes: readonly object[];
  readonly session: (ShownSession & { readonly customer_id: string | null }) | null;
}

/** Blanks an order as a file of the archive shows it. */
export const blankArchived = <Row extends ShownArchived>(order: Row) => ({
  ...withoutCustomer(order),
  coupon_key: order.coupon_key === null ? null : "erased",
  refunds: order.refunds.map(withoutReason),
  disputes: order.disputes.map(withoutReason),
  notes: [],
  session: order.session && {
    ...blankShownSession(order.session),
    customer_id: order.session.customer_id === null ? null : erasedCustomer.id,
  },
});
