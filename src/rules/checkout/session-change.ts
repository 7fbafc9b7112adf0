import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import { couponUse, heldStockChange, refuseHolds } from "../orders/order-goods.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { Partition, SessionRecord } from "../records.ts";
import type { KeyRefusal, KeyScope, StoredReply } from "./checkout-records.ts";
import type { SessionHold } from "./hold-record.ts";
import { finishedKey, keyState } from "./key-state.ts";
import { versionOf } from "./session-version.ts";

/** The idempotency key of a change, with the answer to keep for repeats. */
interface KeyedAnswer {
  readonly scope: KeyScope;
  readonly reply: StoredReply;
}

/** Changes an open session. */
export interface SessionChange extends Partition {
  readonly session_id: string;
  /** A use of the coupon is counted for this customer while nobody knows who buys. */
  readonly new_customer_id: string;
  /** Null for a form of the checkout page, which is sent over one version of the session. */
  readonly keyed: KeyedAnswer | null;
  /** The session as it is to be. It was priced over the version before its own. */
  readonly changed: SessionRecord;
  readonly now: number;
  /** True means that the goods are in the host's own catalog. */
  readonly from_source: boolean;
}

/** The result of a change of a session. `moved` means that another change came first. */
export type SessionChangeResult =
  | { readonly outcome: "changed"; readonly session: SessionRecord }
  | {
      readonly outcome:
        | "unknown_session"
        | "session_not_open"
        | "session_expired"
        | "payment_started"
        | "moved"
        | "insufficient_stock"
        | "coupon_invalid";
    }
  | KeyRefusal;

/** Decides the change of a session that nobody has begun to pay, and moves its hold along. */
export function decideSessionChange(
  snapshot: OrderSnapshot,
  change: SessionChange,
): Decision<SessionChangeResult> {
  const { session, key } = snapshot;
  const { changed, keyed, now } = change;
  if (!session) return withoutChanges({ outcome: "unknown_session" });

  // The step ran before, and its acknowledgement was lost.
  if (keyed && key?.reply?.request_id === keyed.reply.request_id)
    return withoutChanges({ outcome: "changed", session });

  const state = keyed && keyState(key, session, keyed.reply.fingerprint, now - snapshot.offset);
  if (state && state.outcome !== "free") return withoutChanges(state);

  const refusal = refuseChange(snapshot, session, change);
  if (refusal) return withoutChanges({ outcome: refusal });
  if (versionOf(changed) !== versionOf(session) + 1) return withoutChanges({ outcome: "moved" });

  const { hold, sweep_at } = session;
  const kept = { ...changed, hold, sweep_at };
  const decision = hold
    ? moveHold(snapshot, { session, kept, hold, now })
    : withChanges(kept, orderChanges({ session: kept }));
  // A refusal finishes no key, so that its repeat is judged anew.
  if (!keyed || decision.result.outcome !== "changed") return decision;

  const { scope, reply } = keyed;
  return {
    ...decision,
    key: { scope, key: finishedKey({ session: kept, reply, lock_token: null }) },
  };
}

/**
 * Tells why the session takes no changes, or gives null when it takes them. It takes none once
 * there is an order, while a submission reserves, or while the host's own catalog holds the goods:
 * only the host's code can move that hold.
 */
export function refuseChange(
  { order }: Pick<OrderSnapshot, "order">,
  session: SessionRecord,
  { now, from_source }: Pick<SessionChange, "now" | "from_source">,
): "session_not_open" | "session_expired" | "payment_started" | null {
  // Else a buyer could pay a period of a subscription with a cheaper cart.
  if (session.status === "complete" || session.renews) return "session_not_open";
  if (now >= session.expires_at) return "session_expired";

  const { hold } = session;
  const isSpokenFor = hold != null && (from_source || hold.of_submission === true);
  return order || isSpokenFor ? "payment_started" : null;
}

const withChanges = (
  session: SessionRecord,
  changes: Decision<SessionChangeResult>["changes"],
): Decision<SessionChangeResult> => ({ result: { outcome: "changed", session }, changes });

interface HeldChange {
  readonly session: SessionRecord;
  /** The changed session, which still names the hold of the old one. */
  readonly kept: SessionRecord;
  readonly hold: SessionHold;
  readonly now: number;
}

/** Takes the goods of the changed session in place of those that the session holds. */
function moveHold(
  snapshot: OrderSnapshot,
  { session, kept, hold, now }: HeldChange,
): Decision<SessionChangeResult> {
  const refusal = refuseHolds(withoutOwnGoods(snapshot, session, hold), kept, now);
  if (refusal) return withoutChanges({ outcome: refusal });

  const coupon_key = snapshot.coupon?.customer_key ?? null;
  const isSameUse = session.coupon_id === kept.coupon_id && hold.coupon_key === coupon_key;
  const held = { ...kept, hold: { ...hold, coupon_key } };
  const coupons = isSameUse
    ? []
    : [
        ...couponUse(session, hold, { used_delta: -1, guarded: false }),
        ...couponUse(held, held.hold, { used_delta: 1, guarded: true }),
      ];
  const changes = { session: held, stock: heldStockChange(session, held), coupons };
  return withChanges(held, orderChanges(changes));
}

/** Gives the snapshot as it would be if the session held nothing. */
function withoutOwnGoods(
  snapshot: OrderSnapshot,
  session: SessionRecord,
  hold: SessionHold,
): OrderSnapshot {
  const stock = new Map(snapshot.stock);
  for (const { product_id, quantity } of session.lines) {
    const count = stock.get(product_id);
    if (count) stock.set(product_id, { ...count, held: count.held - quantity });
  }

  const { coupon } = snapshot;
  if (!coupon || coupon.id !== session.coupon_id || hold.coupon_key === null)
    return { ...snapshot, stock };

  const own = hold.coupon_key === coupon.customer_key ? 1 : 0;
  const used = coupon.used - 1;
  const used_by_customer = coupon.used_by_customer - own;
  return { ...snapshot, stock, coupon: { ...coupon, used, used_by_customer } };
}
