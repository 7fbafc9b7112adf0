import type { SourceAnswer } from "./order-commands.ts";
import type { Partition, SessionRecord } from "./records.ts";

/** Takes pieces and coupon for a session whose payment the host's own code takes. */
export interface Hold extends Partition, SourceAnswer {
  readonly session_id: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Names this call: only a release with the same token undoes it. */
  readonly token: string;
  /** Counts the open holds of an address. Null: this one is not counted. */
  readonly address: string | null;
  /** Id of a customer whom nobody has named: their use of the coupon counts by it. */
  readonly new_customer_id: string;
  readonly now: number;
}

/** Whether the session holds its goods now, and if not, why. */
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
  /** The call whose hold is given back. Null: whichever call took it. */
  readonly token: string | null;
  /** Epoch milliseconds. A hold that lasts longer stays. Null: however long it lasts. */
  readonly ended_by: number | null;
}

/** What became of a release. `unchanged`: there was nothing to give back. */
export interface HoldReleased {
  readonly outcome: "released" | "unchanged" | "unknown_session";
}
