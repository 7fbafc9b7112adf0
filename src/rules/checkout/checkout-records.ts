import type {
  CouponRecord,
  OrderRecord,
  Partition,
  ProductRecord,
  SessionRecord,
} from "../records.ts";

/** An idempotency key is unique within this scope. */
export interface KeyScope extends Partition {
  readonly key_kind: "publishable" | "secret";
  readonly operation: string;
  readonly idempotency_key: string;
}

/** A reply with status 2xx, which is kept for repeats of its request. */
export interface StoredReply {
  readonly status: number;
  /** A placeholder stands where the checkout token belongs: no token is stored. */
  readonly body: string;
  readonly request_id: string;
  readonly session_id: string;
  readonly fingerprint: string;
  readonly created_at: number;
}

/** A product as a cart needs it. */
export interface CartProduct extends ProductRecord {
  /**
   * The number of pieces that may be sold in the cart's mode: stock minus held. Null means that
   * they are not counted.
   */
  readonly on_hand: number | null;
}

/** A coupon as a cart needs it. */
export interface CartCoupon extends CouponRecord {
  /** The number of uses that the coupon has in the cart's mode. */
  readonly used: number;
}

/** The products and the coupon that a request names, as the storage has them. */
export interface Cart {
  /** The products that exist in the store, drafts and blocked ones too, in any order. */
  readonly products: readonly CartProduct[];
  readonly coupon: CartCoupon | null;
}

/**
 * What an idempotency key means for a request. `free` means that the request may do its work.
 * `draft` is the session that an earlier call of the same request has begun and not finished: its
 * prices and lines count.
 */
export type KeyState =
  | { readonly outcome: "free"; readonly draft: SessionRecord | null }
  | { readonly outcome: "replay"; readonly reply: StoredReply; readonly session: SessionRecord }
  | { readonly outcome: "in_progress" }
  | DifferentBody;

/** The result for a key that was used with another body or by another buyer. */
export interface DifferentBody {
  readonly outcome: "different_body";
  /** The id of the request that was answered under the key. Null while that request runs. */
  readonly request_id: string | null;
  /** The session that was begun for that request. */
  readonly known_session: SessionRecord | null;
}

/** Why a request may not use a key. */
export type KeyRefusal = Exclude<KeyState, { outcome: "free" }>;

/**
 * A session that is stored only while its store has fewer sessions on that day than
 * it may have.
 */
export interface BoundedSession {
  readonly session: SessionRecord;
  /**
   * The most sessions that the store gets in this mode on the UTC day of `session.created_at`, from
   * 1. With null, or left out, there is no limit, and nothing is counted.
   */
  readonly max_per_day?: number | null;
}

/** The store has got as many sessions as it may on that day: nothing was written. */
export interface TooManySessions {
  readonly outcome: "too_many_sessions";
}

/**
 * Takes a key for as long as the host's code makes the checkout address. Its session
 * is stored with the claim, unless an earlier call of the same request has begun one.
 */
export interface KeyClaim extends BoundedSession {
  readonly fingerprint: string;
  readonly lock_token: string;
  readonly now: number;
  readonly locked_until: number;
}

/**
 * The result of a claim of an idempotency key. `claimed` has the session to go on
 * with.
 */
export type KeyClaimResult =
  | { readonly outcome: "claimed"; readonly session: SessionRecord }
  | TooManySessions
  | KeyRefusal;

/** A session that is created under a key, with the reply to store. */
export interface SessionDraft extends BoundedSession {
  readonly reply: StoredReply;
  /** The claim's token. It is null when the key was not claimed before. */
  readonly lock_token: string | null;
}

/** The result of storing a session under its key. */
export type SessionDraftResult = { readonly outcome: "created" } | TooManySessions | KeyRefusal;

/** A checkout session, and the order that came from it, if any. */
export interface SessionWithOrder {
  readonly session: SessionRecord;
  readonly order: OrderRecord | null;
}
