import type {
  BoundedSession,
  KeyScope,
  TooManySessions,
} from "../../rules/checkout/checkout-records.ts";
import {
  decideClaim,
  decideSessionDraft,
  type KeyDecision,
  keyState,
  type StoredKey,
} from "../../rules/checkout/key-state.ts";
import { startOfDay } from "../../rules/checkout/session-day.ts";
import type { SessionRecord } from "../../rules/records.ts";
import type { CheckoutStore } from "../../storage/checkout-store.ts";
import { loadCart } from "../catalog/cart.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { findOrderOfSession } from "./order-snapshot.ts";
import { findRevocation } from "./revocations.ts";

export function memoryCheckout(state: MemoryState): CheckoutStore {
  const { keys, sessions } = state.checkout;
  const findKey = (scope: KeyScope): StoredKey | null => keys.get(keyName(scope)) ?? null;
  const findKeySession = (scope: KeyScope, key: StoredKey | null): SessionRecord | null =>
    (key && sessions.get(rowKey(scope, key.session_id))) ?? null;
  const write = <Result>(
    scope: KeyScope,
    bounded: BoundedSession,
    decision: KeyDecision<Result>,
  ): Result | TooManySessions => {
    const { result, key, session, is_new_session } = decision;
    if (is_new_session && !countSession(state, bounded)) return { outcome: "too_many_sessions" };

    if (key) keys.set(keyName(scope), key);
    if (session) sessions.set(rowKey(session, session.id), session);
    return result;
  };

  return {
    async openCheckout(lookup) {
      const { product_ids, coupon_code, customer_keys, fingerprint, now } = lookup;
      const known = findKey(lookup);
      const revocation = findRevocation(state, lookup, customer_keys);
      return {
        key: keyState(known, findKeySession(lookup, known), fingerprint, now),
        cart: loadCart(state, lookup, product_ids, coupon_code),
        not_before: revocation?.not_before ?? null,
        customer_erased: revocation?.erased ?? false,
      };
    },

    loadCart: async (partition, product_ids, coupon_code) =>
      loadCart(state, partition, product_ids, coupon_code),

    async claimKey(scope, claim) {
      const known = findKey(scope);
      const decision = decideClaim(known, findKeySession(scope, known), claim);
      return write(scope, claim, decision);
    },

    async releaseKey(scope, lock_token) {
      const key = findKey(scope);
      if (key?.lock_token === lock_token && !key.reply)
        keys.set(keyName(scope), { ...key, lock_token: null });
    },

    async createSession(scope, draft) {
      const known = findKey(scope);
      const decision = decideSessionDraft(known, findKeySession(scope, known), draft);
      return write(scope, draft, decision);
    },

    async findSession(partition, id) {
      const session = sessions.get(rowKey(partition, id));
      return session ? { session, order: findOrderOfSession(state, partition, id) } : null;
    },
  };
}

/** Counts one more session on its day, unless the store has as many as it may. */
function countSession(
  { checkout }: MemoryState,
  { session, max_per_day = null }: BoundedSession,
): boolean {
  if (max_per_day === null) return true;

  const day = startOfDay(session.created_at);
  const key = rowKey(session, String(day));
  const sessions = checkout.session_days.get(key)?.sessions ?? 0;
  if (sessions >= max_per_day) return false;

  checkout.session_days.set(key, { day, sessions: sessions + 1 });
  return true;
}

const keyName = (scope: KeyScope): string =>
  `${rowKey(scope, scope.key_kind)}\n${scope.operation}\n${scope.idempotency_key}`;
