import type { Hold, HoldRelease, HoldReleased, HoldResult } from "./hold-commands.ts";
import {
  type Decision,
  type OpenHoldChange,
  orderChanges,
  withoutChanges,
} from "./order-changes.ts";
import { couponUse, holdStock, refuseHolds, refuseProducts, releaseStock } from "./order-goods.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { SessionHold, SessionRecord } from "./records.ts";

/** One address can have at most this many open holds in a store and mode. */
export const maxOpenHolds = 20;

/**
 * Decides a hold. The session takes its goods once: a further call moves the end of
 * the hold. The submission of a payment takes over what is held
 * (docs/contract.md#holds).
 */
export function decideHold(snapshot: OrderSnapshot, command: Hold): Decision<HoldResult> {
  const { session, order } = snapshot;
  const { now, until, token, address } = command;
  if (!session) return withoutChanges({ outcome: "unknown_session" });
  if (session.status === "complete") return withoutChanges({ outcome: "session_not_open" });
  if (now >= session.expires_at) return withoutChanges({ outcome: "session_expired" });
  if (order?.status === "pending") return withoutChanges({ outcome: "payment_started" });

  const known = session.hold ?? null;
  if (known) {
    const prolonged = withHold(session, { ...known, until, token });
    return {
      result: { outcome: "held", session: prolonged },
      changes: orderChanges({ session: prolonged }),
    };
  }

  const refusal = refuseProducts(snapshot, session, command) ?? refuseHolds(snapshot, session, now);
  if (refusal) return withoutChanges({ outcome: refusal });
  if (address !== null && snapshot.open_holds >= maxOpenHolds)
    return withoutChanges({ outcome: "too_many_holds" });

  const coupon_key = snapshot.coupon?.customer_key ?? null;
  const hold: SessionHold = { until, token, coupon_key, address };
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

export function decideHoldRelease(
  { session }: OrderSnapshot,
  { token, ended_by }: HoldRelease,
): Decision<HoldReleased> {
  if (!session) return withoutChanges({ outcome: "unknown_session" });

  const hold = session.hold ?? null;
  const isOthers = token !== null && hold?.token !== token;
  const lastsLonger = hold !== null && ended_by !== null && hold.until > ended_by;
  if (!hold || isOthers || lastsLonger) return withoutChanges({ outcome: "unchanged" });

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
