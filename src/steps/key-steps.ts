import type {
  KeyClaim,
  KeyClaimResult,
  KeyScope,
  SessionDraft,
  SessionDraftResult,
} from "../rules/checkout/checkout-records.ts";
import { decideClaim, decideRelease, decideSessionDraft } from "../rules/checkout/key-state.ts";
import type { CheckoutStore } from "../storage/checkout-store.ts";

type KeySteps = Pick<CheckoutStore, "step">;

/**
 * Takes the key under a lease while the host's code makes the checkout address. The
 * caller uses the session that it gets, which is its own or that of an earlier claim of
 * the same request. A new session counts for `max_per_day`. A session beyond that limit
 * is refused, and nothing is written.
 */
export const claimKey = (
  steps: KeySteps,
  scope: KeyScope,
  claim: KeyClaim,
): Promise<KeyClaimResult> =>
  steps.step({ step: "claimKey", scope, max_per_day: claim.max_per_day }, ({ key, session }) =>
    decideClaim(key, session, claim),
  );

/** Releases the claim held under `lock_token`. Its session id stays known for 24 hours. */
export async function releaseKey(
  steps: KeySteps,
  scope: KeyScope,
  lock_token: string,
): Promise<void> {
  await steps.step({ step: "releaseKey", scope }, ({ key }) => decideRelease(key, lock_token));
}

/**
 * Stores key, session and reply in one transaction. With a `lock_token` it needs the
 * claim: when another request took the key over, the result is `in_progress` until that
 * request is done, and `replay` afterwards. A repeat of the same step gives `created`
 * again. `max_per_day` counts as in `claimKey`. A session that was stored with its claim
 * has been counted already.
 */
export const createSession = (
  steps: KeySteps,
  scope: KeyScope,
  draft: SessionDraft,
): Promise<SessionDraftResult> =>
  steps.step({ step: "createSession", scope, max_per_day: draft.max_per_day }, (found) =>
    decideSessionDraft(found.key, found.session, draft),
  );
