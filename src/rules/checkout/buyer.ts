import type { Partition } from "../records.ts";

/** A buyer token that was accepted. */
export interface Buyer {
  readonly customer_id: string;
  /** The time at which the token was issued, in epoch milliseconds. */
  readonly issued_at: number;
}

/** Reads the tokens that say who a buyer is. */
export interface BuyerTokens {
  /** Reads a token. It throws `invalid_customer_token` or `customer_token_expired`. */
  verify(token: string, partition: Partition): Promise<Buyer>;
}

/** A revocation outlives its customer. It is stored under a hash of the id. */
export interface Revocation {
  /** The time, in epoch milliseconds, before which the revoked buyer tokens were issued. */
  readonly not_before: number;
  /** True once the customer has been erased. */
  readonly erased: boolean;
}

/** Merges several revocations that a customer may have under different keys into one. */
export const mergeRevocations = (all: readonly Revocation[]): Revocation | null =>
  all.length === 0
    ? null
    : {
        not_before: Math.max(...all.map(({ not_before }) => not_before)),
        erased: all.some(({ erased }) => erased),
      };

/** Tells whether the customer's tokens were revoked after this one was issued. */
export const isTokenRevoked = (issued_at: number, not_before: number | null): boolean =>
  not_before !== null && issued_at < not_before;
