import type { KeyScope } from "../../rules/checkout/checkout-records.ts";
import { type IdempotencyKey, keyState } from "../../rules/checkout/key-state.ts";
import { startOfDay } from "../../rules/checkout/session-day.ts";
import type { SessionRecord } from "../../rules/records.ts";
import type { CheckoutStore } from "../../storage/checkout-store.ts";
import { loadCart } from "../catalog/cart.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { findKey, putKey } from "./idempotency-keys.ts";
import { findOrderOfSession } from "./order-state.ts";
import { findRevocation } from "./revocations.ts";

export function memoryCheckout(state: MemoryState): CheckoutStore {
  const { sessions } = state.checkout;
  const findKeySession = (scope: KeyScope, key: IdempotencyKey | null): SessionRecord | null =>
    (key && sessions.get(rowKey(scope, key.session_id))) ?? null;

  return {
    async openCheckout(lookup) {
      const { product_ids, coupon_code, customer_keys, fingerprint, now } = lookup;
      const known = findKey(state, lookup);
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

    async step(subject, decide) {
      const { scope } = subject;
      const known = findKey(state, scope);
      const decision = decide({ key: known, session: findKeySession(scope, known) });
      const { result, key, session, is_new_session } = decision;
      if (is_new_session && session && !countSession(state, session, subject.max_per_day))
        return { outcome: "too_many_sessions" };

      if (key) putKey(state, { scope, key });
      if (session) sessions.set(rowKey(session, session.id), session);
      return result;
    },

    async findSession(partition, id) {
      const session = sessions.get(rowKey(partition, id));
      return session ? { session, order: findOrderOfSession(state.orders, partition, id) } : null;
    },
  };
}

/** Counts one more session on its day, unless the store has as many as it may. */
function countSession(
  { checkout }: MemoryState,
  session: SessionRecord,
  max_per_day: number | null = null,
): boolean {
  if (max_per_day === null) return true;

  const day = startOfDay(session.created_at);
  const key = rowKey(session, String(day));
  const sessions = checkout.session_days.get(key)?.sessions ?? 0;
  if (sessions >= max_per_day) return false;

  checkout.session_days.set(key, { day, sessions: sessions + 1 });
  return true;
}
