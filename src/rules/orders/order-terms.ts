import { fold } from "../../domain/text/fold.ts";
import { wordsOf } from "../../domain/text/words.ts";
import { pendingOf } from "../entitlements/pending.ts";
import { erasedCustomerId } from "../owner/erased-customer.ts";
import type { OrderRecord } from "../records.ts";
import { isPaid } from "./order-states.ts";

// The back office finds orders by these terms, and by the columns of the orders
// (docs/contract/back-office.md#back-office).

/** Gives the term by which the orders of an e-mail are found. */
export const emailTerm = (email: string): string => `e:${fold(email)}`;

/** The number of words of a name that an order is found by, at most. */
const mostWords = 8;
/** The number of characters of a name that are compared, at most. */
const longestName = 60;

const nameTerm = (words: readonly string[]): string =>
  `n:${[...words.join(" ")].slice(0, longestName).join("")}`;

/** Gives the terms for a name: one that begins at each of its words, folded. */
function nameTerms(name: string): readonly string[] {
  const words = wordsOf(fold(name)).slice(0, mostWords);
  return words.map((_, index) => nameTerm(words.slice(index)));
}

/** Gives the term by which orders with a product are found. */
export const productTerm = (product_id: string): string => `p:${product_id}`;

/** Gives the term by which the order of a license key is found, by the key's hash. */
export const keyTerm = (key_hash: string): string => `k:${key_hash}`;

/** Gives the term by which orders are found that wait for an uploaded key of a product. */
export const waitingTerm = (product_id: string): string => `w:${product_id}`;

/** Gives the term by which the orders of an agent, or of all agents of a protocol, are found. */
export const channelTerm = (channel: string): string => `c:${channel}`;

/**
 * Gives the terms by which an order is found, sorted and without repeats. Terms are made of the
 * e-mail, the words of the name, the products, the channel and its protocol, the hashes of license
 * keys, and the products of which the order still needs a key.
 */
export function orderTerms(order: OrderRecord): readonly string[] {
  const { customer, items, entitlements = [], channel } = order;
  const terms = new Set(items.map(({ product_id }) => productTerm(product_id)));
  if (channel !== undefined)
    for (const name of [channel, channel.replace(/:.*/, "")]) terms.add(channelTerm(name));
  if (customer.email !== null) terms.add(emailTerm(customer.email));
  if (customer.name !== null) for (const term of nameTerms(customer.name)) terms.add(term);
  for (const { content } of entitlements)
    if (content.type === "license_key" && content.key_hash !== null)
      terms.add(keyTerm(content.key_hash));
  for (const { product_id } of pendingOf({ customer, entitlements }))
    terms.add(waitingTerm(product_id));
  return [...terms].sort();
}

/** Tells how a step changes the order's terms. */
export function termChanges(
  before: OrderRecord | null,
  order: OrderRecord,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const earlier = before ? orderTerms(before) : [];
  const terms = orderTerms(order);
  return {
    added: terms.filter((term) => !earlier.includes(term)),
    removed: earlier.filter((term) => !terms.includes(term)),
  };
}

/** What orders count for one customer in one currency. */
export interface CustomerTotal {
  readonly customer_id: string;
  readonly currency: string;
  /** Counts the orders whose money came, whatever happened to them afterwards. */
  readonly orders: number;
  /** The sum of their totals without what was refunded, in minor units. */
  readonly spent: number;
}

/**
 * Gives what one order counts for its customer. Null means that it is not paid, or
 * the customer is erased.
 */
export function customerTotal(order: OrderRecord): CustomerTotal | null {
  const { customer, currency, amount_total, amount_refunded, status } = order;
  if (!isPaid(status) || customer.id === erasedCustomerId) return null;
  return { customer_id: customer.id, currency, orders: 1, spent: amount_total - amount_refunded };
}

/** Tells how a step changes totals, sorted by customer. An order may move to another customer. */
export function totalChanges(
  before: OrderRecord | null,
  order: OrderRecord,
): readonly CustomerTotal[] {
  const earlier = before && customerTotal(before);
  const total = customerTotal(order);
  const taken = earlier ? [{ ...earlier, orders: -earlier.orders, spent: -earlier.spent }] : [];
  return sumTotals([...taken, ...(total ? [total] : [])]).filter(
    ({ orders, spent }) => orders !== 0 || spent !== 0,
  );
}

/** Adds up what stands for the same customer and currency. The result is sorted by both. */
export function sumTotals(totals: readonly CustomerTotal[]): readonly CustomerTotal[] {
  const sums = new Map<string, CustomerTotal>();
  for (const total of totals) {
    const key = `${total.customer_id}\n${total.currency}`;
    const { orders = 0, spent = 0 } = sums.get(key) ?? {};
    sums.set(key, { ...total, orders: orders + total.orders, spent: spent + total.spent });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

/** Holds what a search text may name. */
export interface SearchedOrder {
  /** Compared with ids and references as it is. */
  readonly text: string;
  /** The order's number. Null when the text is not a number. */
  readonly number: number | null;
  /** What a term of an e-mail or a name may begin with. Empty for a text that is too short. */
  readonly prefixes: readonly string[];
}

/** A shorter text would be the beginning of too many e-mails and names to be useful. */
const minPrefixLength = 3;

/** Tells what a search for orders may name. */
export function readOrderSearch(search: string): SearchedOrder {
  const text = search.trim();
  const number = /^#?(\d{1,15})$/.exec(text)?.[1];
  const isLong = (part: string): boolean => [...part].length >= minPrefixLength;
  const words = wordsOf(fold(text));
  return {
    text,
    number: number === undefined ? null : Number(number),
    prefixes: [
      ...(isLong(text) ? [emailTerm(text)] : []),
      ...(isLong(words.join(" ")) ? [nameTerm(words)] : []),
    ],
  };
}

/** The most notes that an order has. */
export const maxNotes = 1_000;
