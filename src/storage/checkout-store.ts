import type {
  BoundedSession,
  Cart,
  KeyScope,
  KeyState,
  SessionWithOrder,
  TooManySessions,
} from "../rules/checkout/checkout-records.ts";
import type { IdempotencyKey, KeyDecision } from "../rules/checkout/key-state.ts";
import type { Partition, SessionRecord } from "../rules/records.ts";

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

/** Names the idempotency key of a step. */
export interface KeySubject extends Pick<BoundedSession, "max_per_day"> {
  /** The step's name, which the observer is told. */
  readonly step: string;
  readonly scope: KeyScope;
}

/** What a step of a key finds. */
export interface FoundKey {
  readonly key: IdempotencyKey | null;
  /** The session that the key names. Older versions stored none with a claim. */
  readonly session: SessionRecord | null;
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
   * Lets `decide` decide over the key and its session, both locked, and writes what was
   * decided, in one transaction. `decide` is pure: a storage may ask it first what it
   * decides over an unknown key, and try to write that.
   */
  step<Result>(
    subject: KeySubject,
    decide: (found: FoundKey) => KeyDecision<Result>,
  ): Promise<Result | TooManySessions>;
  findSession(partition: Partition, id: string): Promise<SessionWithOrder | null>;
}
