import type { SessionRecord } from "../records.ts";
import type {
  DifferentBody,
  KeyClaim,
  KeyClaimResult,
  KeyState,
  SessionDraft,
  SessionDraftResult,
  StoredReply,
} from "./checkout-records.ts";
import { keyLifetimeMs } from "./lifetimes.ts";

/** An idempotency key as it is stored. */
export interface IdempotencyKey {
  readonly fingerprint: string;
  readonly session_id: string;
  /** Null until the request has its reply. */
  readonly reply: StoredReply | null;
  /** Null when nobody holds the key: it was released, or its reply is stored. */
  readonly lock_token: string | null;
  readonly locked_until: number;
  readonly created_at: number;
}

/**
 * The answer to a request for a key, with the key and the session to write. Key and
 * session are null when they stay as they are.
 */
export interface KeyDecision<Result> {
  readonly result: Result;
  readonly key: IdempotencyKey | null;
  readonly session: SessionRecord | null;
  /** True when `session` is not stored yet, so that it counts for its day. */
  readonly is_new_session: boolean;
}

const unwritten = <Result>(result: Result): KeyDecision<Result> => ({
  result,
  key: null,
  session: null,
  is_new_session: false,
});

const isLive = (key: IdempotencyKey, now: number): boolean => key.created_at > now - keyLifetimeMs;

/**
 * Tells what a stored key means for a request with this fingerprint. `session` is
 * the one that the key names.
 */
export function keyState(
  key: IdempotencyKey | null,
  session: SessionRecord | null,
  fingerprint: string,
  now: number,
): KeyState {
  if (!key || !isLive(key, now)) return { outcome: "free", draft: null };

  const isHeld = key.lock_token !== null && key.locked_until > now;
  const isUsed = key.reply !== null || isHeld;
  if (key.fingerprint !== fingerprint)
    return isUsed ? differentBody(key, session) : { outcome: "free", draft: null };
  if (key.reply && session) return { outcome: "replay", reply: key.reply, session };
  if (isHeld) return { outcome: "in_progress" };

  // A draft whose time is over could not be paid any more, so the request begins anew.
  const draft = session !== null && now < session.expires_at ? session : null;
  return { outcome: "free", draft };
}

const differentBody = (
  { reply }: IdempotencyKey,
  session: SessionRecord | null,
): DifferentBody => ({
  outcome: "different_body",
  request_id: reply?.request_id ?? null,
  known_session: session,
});

/**
 * Decides whether a request may claim the key before the host's code makes the
 * session's address.
 */
export function decideClaim(
  known: IdempotencyKey | null,
  session: SessionRecord | null,
  claim: KeyClaim,
): KeyDecision<KeyClaimResult> {
  const { fingerprint, lock_token, locked_until, now } = claim;
  if (known?.lock_token === lock_token)
    return unwritten({ outcome: "claimed", session: session ?? claim.session });

  const state = keyState(known, session, fingerprint, now);
  if (state.outcome !== "free") return unwritten(state);

  // A request that takes the key over goes on with the session that was begun: the host's code may
  // have passed its id to the payment provider, with its amount.
  const earlier = known && isLive(known, now) ? known : null;
  const isSameRequest = earlier?.fingerprint === fingerprint;
  // Older versions stored no session with the claim, but its id alone.
  const id = isSameRequest && !session ? earlier.session_id : claim.session.id;
  const claimed = state.draft ?? { ...claim.session, id };

  const created_at = earlier?.created_at ?? now;
  const lock = { lock_token, locked_until, created_at };
  return {
    result: { outcome: "claimed", session: claimed },
    key: { fingerprint, session_id: claimed.id, reply: null, ...lock },
    session: state.draft ? null : claimed,
    is_new_session: state.draft === null,
  };
}

/** Ends the claim that is held under this token. */
export const decideRelease = (
  known: IdempotencyKey | null,
  lock_token: string,
): KeyDecision<null> =>
  known?.lock_token === lock_token && !known.reply
    ? { ...unwritten(null), key: { ...known, lock_token: null } }
    : unwritten(null);

/** Decides whether a request may store its session and reply under the key. */
export function decideSessionDraft(
  known: IdempotencyKey | null,
  knownSession: SessionRecord | null,
  draft: SessionDraft,
): KeyDecision<SessionDraftResult> {
  const { session, reply, lock_token } = draft;
  if (known && isRepeated(known, draft)) return unwritten({ outcome: "created" });

  const isHolder = lock_token !== null && known?.lock_token === lock_token;
  if (!isHolder) {
    const state = keyState(known, knownSession, reply.fingerprint, session.created_at);
    if (state.outcome !== "free") return unwritten(state);
    if (lock_token !== null) return unwritten({ outcome: "in_progress" });
  }

  // A session that was stored with the claim may have taken goods meanwhile: it only gets its
  // address.
  const begun = knownSession?.id === session.id ? knownSession : null;
  const { checkout_url } = session;
  return {
    result: { outcome: "created" },
    key: finishedKey(draft),
    session: begun ? { ...begun, checkout_url } : session,
    is_new_session: begun === null,
  };
}

/** Tells whether this very step ran before. Another request for the same session has another id. */
const isRepeated = (known: IdempotencyKey, { session, reply }: SessionDraft): boolean =>
  known.session_id === session.id && known.reply?.request_id === reply.request_id;

/** Gives the key once its request has a reply. */
export const finishedKey = ({ session, reply }: SessionDraft): IdempotencyKey => ({
  fingerprint: reply.fingerprint,
  session_id: session.id,
  reply,
  lock_token: null,
  locked_until: 0,
  created_at: reply.created_at,
});
