import type { KeyScope, KeyState, StoredReply } from "../rules/checkout-records.ts";
import { keyLifetimeMs } from "../rules/key-lifetime.ts";
import type { SessionRecord } from "../rules/records.ts";
import type { CheckoutStore } from "../storage/types.ts";
import { loadCart } from "./catalog-owner.ts";
import { type MemoryState, rowKey } from "./state.ts";

interface KeyRow {
  readonly fingerprint: string;
  readonly session_id: string;
  readonly reply: StoredReply | null;
  /** Null: freed, or done. */
  readonly lock_token: string | null;
  readonly locked_until: number;
  readonly created_at: number;
}

export interface CheckoutState {
  readonly keys: Map<string, KeyRow>;
  readonly sessions: Map<string, SessionRecord>;
}

export const createCheckoutState = (): CheckoutState => ({ keys: new Map(), sessions: new Map() });

export function memoryCheckout(state: MemoryState): CheckoutStore {
  const { keys, sessions } = state.checkout;
  const nameOf = (scope: KeyScope): string =>
    `${rowKey(scope, scope.key_kind)}\n${scope.operation}\n${scope.idempotency_key}`;
  const rowOf = (scope: KeyScope, now: number): KeyRow | undefined => {
    const row = keys.get(nameOf(scope));
    return row && row.created_at > now - keyLifetimeMs ? row : undefined;
  };
  const stateOf = (
    scope: KeyScope,
    row: KeyRow | undefined,
    fingerprint: string,
    now: number,
  ): KeyState => {
    if (!row) return { outcome: "free" };
    const running = row.lock_token !== null && row.locked_until > now;
    if (row.fingerprint !== fingerprint)
      return row.reply || running ? { outcome: "different_body" } : { outcome: "free" };
    const session = row.reply && sessions.get(rowKey(scope, row.session_id));
    if (row.reply && session) return { outcome: "replay", reply: row.reply, session };
    return running ? { outcome: "in_progress" } : { outcome: "free" };
  };

  return {
    openCheckout: async (lookup) => ({
      key: stateOf(lookup, rowOf(lookup, lookup.now), lookup.fingerprint, lookup.now),
      cart: loadCart(state, lookup, lookup.product_ids, lookup.coupon_code),
    }),
    loadCart: async (partition, product_ids, coupon_code) =>
      loadCart(state, partition, product_ids, coupon_code),
    async claimKey(scope, claim) {
      const row = rowOf(scope, claim.now);
      if (row?.lock_token === claim.lock_token)
        return { outcome: "claimed", session_id: row.session_id };
      const known = stateOf(scope, row, claim.fingerprint, claim.now);
      if (known.outcome !== "free") return known;
      // The session id survives a takeover: the builder passed it on as the provider's idempotency key.
      const session_id =
        row && row.fingerprint === claim.fingerprint ? row.session_id : claim.session_id;
      keys.set(nameOf(scope), {
        ...claim,
        session_id,
        reply: null,
        created_at: row?.created_at ?? claim.now,
      });
      return { outcome: "claimed", session_id };
    },
    async releaseKey(scope, lock_token) {
      const row = keys.get(nameOf(scope));
      if (row?.lock_token === lock_token && !row.reply)
        keys.set(nameOf(scope), { ...row, lock_token: null });
    },
    async createSession(scope, { session, reply, lock_token }) {
      const row = rowOf(scope, session.created_at);
      // The request id tells a repeat of this step from a loser that built the same session.
      if (row?.reply && row.session_id === session.id && row.reply.request_id === reply.request_id)
        return { outcome: "created" };
      if (lock_token === null || row?.lock_token !== lock_token) {
        const known = stateOf(scope, row, reply.fingerprint, session.created_at);
        if (known.outcome !== "free") return known;
        if (lock_token !== null) return { outcome: "in_progress" };
      }
      sessions.set(rowKey(session, session.id), session);
      keys.set(nameOf(scope), {
        fingerprint: reply.fingerprint,
        session_id: session.id,
        reply,
        lock_token: null,
        locked_until: 0,
        created_at: session.created_at,
      });
      return { outcome: "created" };
    },
    async findSession(partition, id) {
      const session = sessions.get(rowKey(partition, id));
      if (!session) return null;
      const order_id = state.orders.by_session.get(rowKey(partition, id));
      return {
        session,
        order: (order_id && state.orders.orders.get(rowKey(partition, order_id))) || null,
      };
    },
  };
}
