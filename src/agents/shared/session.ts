import type { z } from "zod";
import type { CheckoutSession, LineItem, Store } from "../../contract/schemas.ts";
import { parseUrl } from "../../domain/parse-url.ts";

/** A session as a key with the scope `orders:read` is shown it. */
export interface Session extends Omit<CheckoutSession, "checkout_url"> {
  readonly checkout_url: string | null;
  readonly order?: { readonly id: string; readonly number: number } | null;
}

/** A line of a session. */
export type Line = z.output<typeof LineItem>;

/** The amounts of a session, an order or a line. */
export interface Amounts {
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
}

export const sessionPath = (id: string): string => `/checkout/sessions/${encodeURIComponent(id)}`;

/** Tells whether this agent made a session. Its metadata holds the agent under `field`. */
export function isOfAgent({ metadata }: Session, field: string, agent: string): boolean {
  if (metadata === undefined)
    throw new Error("The option key must be a secret key with the scope orders:read.");
  return metadata[field] === agent;
}

/** Gives the parts of the discount that the lines carry, each with the path of its line. */
export const allocationsOf = ({ line_items }: Session) =>
  line_items.flatMap(({ amount_discount: amount }, index) =>
    amount > 0 ? [{ path: `$.line_items[${index}]`, amount }] : [],
  );

/** The texts of a store that an agent shows to its buyer. */
export type StoreLinks = Pick<Store, "terms_url" | "privacy_url">;

/** Gives the links of a store. The protocols have different names for its terms. */
export const linksOf = ({ terms_url, privacy_url }: StoreLinks, terms: string) =>
  [
    { type: terms, url: terms_url },
    { type: "privacy_policy", url: privacy_url },
  ].filter(({ url }) => url !== null && parseUrl(url));
