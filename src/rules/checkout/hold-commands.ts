import type { SourceAnswer } from "../orders/order-commands.ts";
import type { Partition, SessionRecord } from "../records.ts";

/** Takes pieces and coupon for a session whose payment the host's own code takes. */
export interface Hold extends Partition, SourceAnswer {
  readonly session_id: string;
  /** The time at which the hold ends, in epoch milliseconds. */
  readonly until: number;
  /** Names this call: only a release with the same token undoes it. */
  readonly token: string;
  /** Counts the open holds of an address. Null means that this one is not counted. */
  readonly address: string | null;
  /** The id for a customer whom nobody has named: their use of the coupon counts by it. */
  readonly new_customer_id: string;
  readonly now: number;
  /**
   * True means that a submission takes the goods until its order does. A hold of the
   * host's own code then stays as it is.
   */
  readonly for_submission?: true;
  /**
   * The hold of this token is the one that the caller has prolonged in the host's own
   * catalog. Null means that the caller saw none. Absent means that there is no such
   * catalog, and whatever hold stands is prolonged.
   */
  readonly prolongs?: string | null;
}

/** The result of a hold: the session holds its goods, or the reason why it does not. */
export type HoldResult =
  | { readonly outcome: "held"; readonly session: SessionRecord }
  | {
      readonly outcome:
        | "unknown_session"
        | "session_not_open"
        | "session_expired"
        | "payment_started"
        | "product_unavailable"
        | "insufficient_stock"
        | "coupon_invalid"
        | "too_many_holds"
        | "too_many_attempts"
        /** Another call has taken, moved or ended the hold: look again. */
        | "hold_changed"
        /** The goods are being given back in the host's own catalog: wait. */
        | "hold_ending";
    };

/** Gives back what a session holds. What its order has taken over meanwhile stays. */
export interface HoldRelease extends Partition {
  readonly session_id: string;
  /** The hold of this call is given back. With null it does not matter which call took it. */
  readonly token: string | null;
  /**
   * A hold that lasts longer than this time, in epoch milliseconds, stays. With
   * null each is given back.
   */
  readonly ended_by: number | null;
  /**
   * The release in the host's own catalog begins now, and may take until then: the
   * hold is only marked. Absent means that the goods are given back.
   */
  readonly releasing_until?: number;
}

/**
 * The result of a release. `unchanged` means that there was nothing to give back, and
 * `releasing` that the hold is marked.
 */
export interface HoldReleased {
  readonly outcome: "released" | "releasing" | "unchanged" | "unknown_session";
}
