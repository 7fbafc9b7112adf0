import type { SourceAnswer } from "./order-commands.ts";
import type { Partition, SessionRecord } from "./records.ts";

/** Takes pieces and coupon for a session whose payment the host's own code takes. */
export interface Hold extends Partition, SourceAnswer {
  readonly session_id: string;
  /** The hold ends at this time, in epoch milliseconds. */
  readonly until: number;
  /** Names this call: only a release with the same token undoes it. */
  readonly token: string;
  /** Counts the open holds of an address. Null means that this one is not counted. */
  readonly address: string | null;
  /** It is the id for a customer whom nobody has named: their use of the coupon counts by it. */
  readonly new_customer_id: string;
  readonly now: number;
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
        | "too_many_holds";
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
}

/** The result of a release. `unchanged` means that there was nothing to give back. */
export interface HoldReleased {
  readonly outcome: "released" | "unchanged" | "unknown_session";
}
