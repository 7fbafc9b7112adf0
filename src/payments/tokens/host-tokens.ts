import { fail } from "../../contract/errors.ts";
import { foreignId } from "../../input/fields.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { Buyer, BuyerTokens } from "../../rules/checkout/buyer.ts";
import type { Partition } from "../../rules/records.ts";

/** Names the buyer of a token or session of your own. */
export interface VerifiedBuyer {
  /** Your own user id, or any other opaque id of at most 255 characters. */
  readonly customer_id: string;
  /**
   * The time is in epoch milliseconds. `customers.revokeTokens` refuses tokens that
   * were issued before it; one without this time is refused once anything was
   * revoked.
   */
  readonly issued_at?: number | undefined;
}

type Verified = VerifiedBuyer | "expired" | null;

/** Reads a token of the host's for the store and mode of the API key. */
export type VerifyToken = (token: string, partition: Partition) => Verified | Promise<Verified>;

/**
 * Adds the host's tokens. Those that name a key of ours are `own`, all others are
 * the host's.
 */
export function withHostTokens<Own extends BuyerTokens>(
  own: Own,
  verify: VerifyToken,
  isOwn: (token: string) => boolean,
): Own {
  if (typeof verify !== "function")
    invalidOption("customerTokens.verify", "must be a function that reads a token of yours");

  return {
    ...own,
    verify: async (token: string, partition: Partition) =>
      isOwn(token) ? own.verify(token, partition) : readBuyer(await verify(token, partition)),
  };
}

function readBuyer(verified: Verified): Buyer {
  if (verified === "expired") return fail("customer_token_expired");

  const { customer_id, issued_at = 0 } = verified ?? {};
  const read = foreignId.safeParse(customer_id);
  if (!read.success || !Number.isFinite(issued_at)) return fail("invalid_customer_token");
  return { customer_id: read.data, issued_at };
}
