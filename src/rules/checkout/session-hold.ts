import {
  type Decision,
  type OpenHoldChange,
  orderChanges,
  withoutChanges,
} from "../orders/order-changes.ts";
import {
  couponUse,
  holdStock,
  refuseHolds,
  refuseProducts,
  releaseStock,
} from "../orders/order-goods.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import { awaitsPayment } from "../orders/order-states.ts";
import { hasFailedTooOften } from "../payments/order-attempt.ts";
import type { SessionRecord } from "../records.ts";
import type { Hold, HoldRelease, HoldReleased, HoldResult } from "./hold-commands.ts";
import type { SessionHold } from "./hold-record.ts";

/** The most open holds that one address can have in a store and mode. */
export const maxOpenHolds = 20;

/**
 * Decides a hold. The session takes its goods once: a further call moves the end of
 * the hold. The submission of a payment takes over what is held
 * (docs/contract/checkout.md#holds).
 */
export function decideHold(snapshot: OrderSnapshot, command: Hold): Decision<HoldResult> {
  const { session, order } = snapshot;
  const { now, until, token, address } = command;
  if (!session) return withoutChanges({ outcome: "unknown_session" });
  if (session.status === "complete") return withoutChanges({ outcome: "session_not_open" });
  if (now >= session.expires_at) return withoutChanges({ outcome: "session_expired" });
  if (order && awaitsPayment(order.status)) return withoutChanges({ outcome: "payment_started" });
  if (command.for_submission && hasFailedTooOften(snapshot.attempts))
    return withoutChanges({ outcome: "too_many_attempts" });

  const known = session.hold ?? null;
  if (isEnding(known, now - snapshot.offset)) return withoutChanges({ outcome: "hold_ending" });
  if (command.prolongs !== undefined && command.prolongs !== (known?.token ?? null))
    return withoutChanges({ outcome: "hold_changed" });
  if (known) return prolong(session, known, command);

  const refusal = refuseProducts(snapshot, session, command) ?? refuseHolds(snapshot, session, now);
  if (refusal) return withoutChanges({ outcome: refusal });
  if (address !== null && snapshot.open_holds >= maxOpenHolds)
    return withoutChanges({ outcome: "too_many_holds" });

  const coupon_key = snapshot.coupon?.customer_key ?? null;
  const purpose = command.for_submission ? ({ of_submission: true } as const) : {};
  const hold: SessionHold = { until, token, coupon_key, address, ...purpose };
  const held = withHold(session, hold);
  return {
    result: { outcome: "held", session: held },
    changes: orderChanges({
      session: held,
      stock: holdStock(session),
      coupons: couponUse(session, hold, { used_delta: 1, guarded: true }),
      open_hold: address === null ? null : { address, delta: 1 },
    }),
  };
}

/** Moves the end of a hold. The submission's own hold is also one that the host may keep. */
function prolong(session: SessionRecord, known: SessionHold, command: Hold): Decision<HoldResult> {
  const { until, token, for_submission } = command;
  if (for_submission && !known.of_submission) return withoutChanges({ outcome: "held", session });

  const { of_submission, releasing_until: _over, ...kept } = known;
  const purpose = for_submission && of_submission ? { of_submission } : {};
  const prolonged = withHold(session, { ...kept, until, token, ...purpose });
  return {
    result: { outcome: "held", session: prolonged },
    changes: orderChanges({ session: prolonged }),
  };
}

/** Tells whether a call is giving the hold's goods back in the host's own catalog. */
export const isEnding = (hold: SessionHold | null | undefined, now: number): boolean =>
  hold != null && hold.releasing_until !== undefined && now < hold.releasing_until;

/**
 * Gives back what a session holds. In the host's own catalog that takes a call between
 * two steps: the first marks the hold, so that nobody counts on the goods meanwhile.
 */
export function decideHoldRelease(
  { session }: OrderSnapshot,
  release: HoldRelease,
): Decision<HoldReleased> {
  if (!session) return withoutChanges({ outcome: "unknown_session" });

  const hold = session.hold ?? null;
  if (!hold || !isMeant(hold, release)) return withoutChanges({ outcome: "unchanged" });

  const { releasing_until } = release;
  if (releasing_until !== undefined)
    return {
      result: { outcome: "releasing" },
      changes: orderChanges({ session: { ...session, hold: { ...hold, releasing_until } } }),
    };

  return {
    result: { outcome: "released" },
    changes: orderChanges({
      session: withoutHold(session),
      stock: releaseStock(session),
      coupons: couponUse(session, hold, { used_delta: -1, guarded: false }),
      open_hold: endedHold(session),
    }),
  };
}

/**
 * Tells whether the release is about this hold. What a submission is reserving only
 * that submission gives back, or maintenance after its end: whoever else closes the
 * session cannot know whether the host's catalog has yet to take the pieces.
 */
function isMeant(hold: SessionHold, { token, ended_by }: HoldRelease): boolean {
  if (token !== null && hold.token !== token) return false;
  if (ended_by !== null) return hold.until <= ended_by;
  return token !== null || !hold.of_submission;
}

const withHold = (session: SessionRecord, hold: SessionHold): SessionRecord => ({
  ...session,
  hold,
  sweep_at: hold.until,
});

/** Gives the session once its goods are given back, or belong to its order. */
export const withoutHold = (session: SessionRecord): SessionRecord =>
  session.hold ? { ...session, hold: null, sweep_at: null } : session;

/** Gives what the end of the session's hold changes in the count of its address. */
export const endedHold = ({ hold }: SessionRecord): OpenHoldChange | null =>
  hold && hold.address !== null ? { address: hold.address, delta: -1 } : null;
