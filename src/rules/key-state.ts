import type {
  KeyClaim,
  KeyClaimResult,
  KeyState,
  SessionDraft,
  SessionDraftResult,
  StoredReply,
} from "./checkout-records.ts";
import { keyLifetimeMs } from "./lifetimes.ts";
import type { SessionRecord } from "./records.ts";

/** An idempotency key as it is stored. */
export interface StoredKey {
  readonly fingerprint: string;
  readonly session_id: string;
  /** Null until the request has its reply. */
  readonly reply: StoredReply | null;
  /** Null when nobody holds the key: it was released, or its reply is stored. */
  readonly lock_token: string | null;
  readonly locked_until: number;
  readonly created_at: number;
}

/** The answer to a request for a key, and the key to write; null when it stays as it is. */
export interface KeyDecision<Result> {
  readonly result: Result;
  readonly key: StoredKey | null;
}

const isLive = (key: StoredKey, now: number): boolean => key.created_at > now - keyLifetimeMs;

/**
 * What a stored key means for a request with this fingerprint. `session` is the one
 * that the key's reply shows; a key without a reply needs none.
 */
export function keyState(
  key: StoredKey | null,
  session: SessionRecord | null,
  fingerprint: string,
  now: number,
): KeyState {
  if (!key || !isLive(key, now)) return { outcome: "free" };

  const isHeld = key.lock_token !== null && key.locked_until > now;
  const isUsed = key.reply !== null || isHeld;
  if (key.fingerprint !== fingerprint) return { outcome: isUsed ? "different_body" : "free" };
  if (key.reply && session) return { outcome: "replay", reply: key.reply, session };
  return { outcome: isHeld ? "in_progress" : "free" };
}

/** A request claims the key before the host's code makes the session's address. */
export function decideClaim(
  known: StoredKey | null,
  session: SessionRecord | null,
  claim: KeyClaim,
): KeyDecision<KeyClaimResult> {
  const { fingerprint, lock_token, locked_until, now } = claim;
  if (known?.lock_token === lock_token)
    return { result: { outcome: "claimed", session_id: known.session_id }, key: null };

  const state = keyState(known, session, fingerprint, now);
  if (state.outcome !== "free") return { result: state, key: null };

  // A request that takes the key over keeps the session's id: the host's code may have passed it to
  // the payment provider as an idempotency key.
  const earlier = known && isLive(known, now) ? known : null;
  const isSameRequest = earlier?.fingerprint === fingerprint;
  const session_id = isSameRequest ? earlier.session_id : claim.session_id;
  const created_at = earlier?.created_at ?? now;
  return {
    result: { outcome: "claimed", session_id },
    key: { fingerprint, session_id, reply: null, lock_token, locked_until, created_at },
  };
}

/** A request stores its session and reply under the key. */
export function decideSessionDraft(
  known: StoredKey | null,
  knownSession: SessionRecord | null,
  draft: SessionDraft,
): KeyDecision<SessionDraftResult> {
  const { session, reply, lock_token } = draft;
  if (known && isRepeated(known, draft)) return { result: { outcome: "created" }, key: null };

  const isHolder = lock_token !== null && known?.lock_token === lock_token;
  if (!isHolder) {
    const state = keyState(known, knownSession, reply.fingerprint, session.created_at);
    if (state.outcome !== "free") return { result: state, key: null };
    if (lock_token !== null) return { result: { outcome: "in_progress" }, key: null };
  }
  return { result: { outcome: "created" }, key: finishedKey(draft) };
}

/**
 * True when this very step ran before. Another request for the same session has
 * another id.
 */
const isRepeated = (known: StoredKey, { session, reply }: SessionDraft): boolean =>
  known.session_id === session.id && known.reply?.request_id === reply.request_id;

/** The key once its request has a reply. */
export const finishedKey = ({ session, reply }: SessionDraft): StoredKey => ({
  fingerprint: reply.fingerprint,
  session_id: session.id,
  reply,
  lock_token: null,
  locked_until: 0,
  created_at: reply.created_at,
});
