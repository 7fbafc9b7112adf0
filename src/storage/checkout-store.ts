import type {
  Cart,
  KeyClaim,
  KeyClaimResult,
  KeyScope,
  KeyState,
  SessionDraft,
  SessionDraftResult,
  SessionWithOrder,
} from "../rules/checkout/checkout-records.ts";
import type { Partition } from "../rules/records.ts";

/** A request for a checkout session asks for this before its work. */
export interface SessionLookup extends KeyScope {
  readonly fingerprint: string;
  readonly product_ids: readonly string[];
  readonly coupon_code: string | null;
  /**
   * A revocation of the buyer is stored under these names. They come from the token
   * of the request; without a token there are none.
   */
  readonly customer_keys: readonly string[];
  readonly now: number;
}

/** The answer to a `SessionLookup`, as of one moment. */
export interface OpenedCheckout {
  readonly key: KeyState;
  readonly cart: Cart;
  /** Tokens of the customer from before this time are revoked. Null means that none are. */
  readonly not_before: number | null;
  /** True when the customer has been erased. */
  readonly customer_erased: boolean;
}

/** Keeps checkout sessions, and the idempotency keys under which they are made. */
export interface CheckoutStore {
  /**
   * Reads the key's state, the cart and the customer's revocation at once. A key
   * that is older than 24 hours is unknown.
   */
  openCheckout(lookup: SessionLookup): Promise<OpenedCheckout>;
  /** Reads a cart alone, to validate a coupon. */
  loadCart(
    partition: Partition,
    product_ids: readonly string[],
    coupon_code: string | null,
  ): Promise<Cart>;
  /**
   * Takes the key under a lease while the host's code makes the checkout address.
   * The caller uses the `session_id` that it gets, which is its own or that of an
   * earlier claim of the same request. A new session counts for `max_per_day`. A
   * session beyond that limit is refused, and nothing is written.
   */
  claimKey(scope: KeyScope, claim: KeyClaim): Promise<KeyClaimResult>;
  /** Releases the claim held under `lock_token`. Its session id stays known for 24 hours. */
  releaseKey(scope: KeyScope, lock_token: string): Promise<void>;
  /**
   * Stores key, session and reply in one transaction. With a `lock_token` it needs
   * the claim: when another request took the key over, the result is `in_progress`
   * until that request is done, and `replay` afterwards. A repeat of the same step
   * gives `created` again. `max_per_day` counts as in `claimKey`. A session that
   * was stored with its claim has been counted already.
   */
  createSession(scope: KeyScope, draft: SessionDraft): Promise<SessionDraftResult>;
  findSession(partition: Partition, id: string): Promise<SessionWithOrder | null>;
}
