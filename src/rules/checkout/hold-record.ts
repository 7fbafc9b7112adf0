/** Goods that a session holds before an order of it does: pieces, and a use of its coupon. */
export interface SessionHold {
  /**
   * The time at which the hold ends, in epoch milliseconds. Maintenance then gives the goods back.
   */
  readonly until: number;
  /** Names the call that took the goods, or prolonged the hold last. */
  readonly token: string;
  /**
   * The customer that the coupon's use counts for, as `couponCustomerKey` names them.
   * Null without a coupon.
   */
  readonly coupon_key: string | null;
  /** The address by which open holds are counted. Null means that this hold is not counted. */
  readonly address: string | null;
  /**
   * True means that a submission is about to reserve the pieces in the host's own
   * catalog, and will have an order take them over, or give them back.
   */
  readonly of_submission?: true;
  /**
   * Until then, in epoch milliseconds, a call is giving the pieces back in the host's
   * own catalog: nobody may count on them. Absent means that none is.
   */
  readonly releasing_until?: number;
}
