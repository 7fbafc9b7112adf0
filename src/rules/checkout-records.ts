import type { CartCoupon, CartProduct, Partition, SessionRecord } from "./records.ts";

export interface KeyScope extends Partition {
  readonly key_kind: "publishable" | "secret";
  readonly operation: string;
  readonly idempotency_key: string;
}

/** A stored 2xx: `body` holds a placeholder where the checkout token stands (CONTRACT 5.6). */
export interface StoredReply {
  readonly status: number;
  readonly body: string;
  readonly request_id: string;
  readonly session_id: string;
  readonly fingerprint: string;
  readonly created_at: number;
}

export interface Cart {
  /** Those that exist in the store, drafts and blocked ones too; in no order. */
  readonly products: readonly CartProduct[];
  readonly coupon: CartCoupon | null;
}

export type KeyState =
  | { readonly outcome: "free" }
  | { readonly outcome: "replay"; readonly reply: StoredReply; readonly session: SessionRecord }
  | { readonly outcome: "in_progress" }
  | { readonly outcome: "different_body" };
