import type { Partition } from "./records.ts";

/** A buyer token that was accepted. */
export interface Buyer {
  readonly customer_id: string;
  /** Epoch milliseconds. */
  readonly issued_at: number;
}

export interface BuyerTokens {
  /** Throws `invalid_customer_token` or `customer_token_expired`. */
  verify(token: string, partition: Partition): Promise<Buyer>;
}

/** True when the customer's tokens were revoked after this one was issued. */
export const isTokenRevoked = (issued_at: number, not_before: number | null): boolean =>
  not_before !== null && issued_at < not_before;
