import type {
  Cart,
  KeyClaim,
  KeyClaimResult,
  KeyScope,
  KeyState,
  SessionDraft,
  SessionDraftResult,
  SessionWithOrder,
} from "../rules/checkout-records.ts";
import type { Partition } from "../rules/records.ts";

export interface SessionLookup extends KeyScope {
  readonly fingerprint: string;
  readonly product_ids: readonly string[];
  readonly coupon_code: string | null;
  /**
   * The names of the revocation of the buyer whose token came with the request; none without one.
   */
  readonly customer_keys: readonly string[];
  readonly now: number;
}

export interface OpenedCheckout {
  readonly key: KeyState;
  readonly cart: Cart;
  /** Tokens of the customer that were issued before this time are revoked; null when none are. */
  readonly not_before: number | null;
  /** True when the customer has been erased. */
  readonly customer_erased: boolean;
}

export interface CheckoutStore {
  /**
   * The key's state, the cart and the customer's revocation, in one read. A key older than 24 hours
   * is unknown.
   */
  openCheckout(lookup: SessionLookup): Promise<OpenedCheckout>;
  /** A cart alone, to validate a coupon. */
  loadCart(
    partition: Partition,
    product_ids: readonly string[],
    coupon_code: string | null,
  ): Promise<Cart>;
  /**
   * Takes the key under a lease while the host's code makes the checkout address. The caller uses
   * the `session_id` that it gets: its own, or that of an earlier claim of the same request. A
   * session that is new counts for `max_per_day`; one too many is refused and nothing is written.
   */
  claimKey(scope: KeyScope, claim: KeyClaim): Promise<KeyClaimResult>;
  /** Releases the claim held under `lock_token`. Its session id stays known for 24 hours. */
  releaseKey(scope: KeyScope, lock_token: string): Promise<void>;
  /**
   * Stores key, session and reply in one transaction. With a `lock_token` it needs the claim: when
   * another request took the key over, the result is `replay` once that one is done, and until then
   * `in_progress`. A repeat of the same step is `created` again. `max_per_day` counts as in
   * `claimKey`; a session that was stored with its claim has been counted.
   */
  createSession(scope: KeyScope, draft: SessionDraft): Promise<SessionDraftResult>;
  findSession(partition: Partition, id: string): Promise<SessionWithOrder | null>;
}
