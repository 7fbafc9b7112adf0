import { fold } from "../../domain/text/fold.ts";
import { erasedCustomerId } from "../owner/erased-customer.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";
import type { BuyerFacts } from "./order-commands.ts";

/**
 * Gives the id unless its customer is erased. An erased customer is nobody: who
 * goes on with their session or order is someone new, whom a later erasure can
 * find.
 */
const unlessErased = (id: string | null): string | null => (id === erasedCustomerId ? null : id);

/**
 * Gives the order's customer after the buyer told who they are. A fact that the
 * buyer leaves out keeps its value. The session's buyer token has the last word on
 * the id.
 */
export function customerOf(
  session: SessionRecord,
  order: OrderRecord | null,
  buyer: BuyerFacts | null,
  new_customer_id: string,
): OrderRecord["customer"] {
  const customer = order?.customer ?? {
    id: unlessErased(session.customer_id) ?? new_customer_id,
    email: session.email,
    name: null,
    discord_id: session.discord_id,
    tax_id: null,
    tax_id_type: null,
    country: null,
  };
  if (!buyer) return customer;

  return {
    id:
      unlessErased(session.customer_id) ??
      unlessErased(buyer.id) ??
      unlessErased(customer.id) ??
      new_customer_id,
    email: buyer.email ?? customer.email,
    name: buyer.name ?? customer.name,
    discord_id: buyer.discord_id ?? customer.discord_id,
    tax_id: buyer.tax_id ?? customer.tax_id,
    tax_id_type: buyer.tax_id_type ?? customer.tax_id_type,
    country: buyer.country ?? customer.country,
  };
}

/**
 * Names the customer that a coupon's use counts for. A use that is taken keeps its
 * key. Otherwise the key is the id of a customer whom the host knows, else the
 * folded e-mail. The storage counts the uses under this key before a step, and the
 * step takes a use under the same key.
 */
export function couponCustomerKey(
  session: SessionRecord,
  order: OrderRecord | null,
  buyer: BuyerFacts | null,
  new_customer_id: string,
): string {
  const storedKey = order?.coupon_key ?? null;
  const isTaken = order !== null && order.holds !== "none";
  if (isTaken && storedKey !== null) return storedKey;

  const { id, email } = customerOf(session, order, buyer, new_customer_id);
  const namedByToken = unlessErased(session.customer_id) !== null;
  const namedByHost = buyer !== null && unlessErased(buyer.id) !== null;
  const namedBefore = storedKey?.startsWith("id:") ?? false;
  if (namedByToken || namedByHost || namedBefore) return `id:${id}`;
  return email === null ? `${unnamed}${id}` : `email:${fold(email)}`;
}

const unnamed = "new:";

/** Tells whether the key is that of a buyer who gave neither an id nor an e-mail. */
export const isUnnamedCustomer = (customer_key: string): boolean =>
  customer_key.startsWith(unnamed);
