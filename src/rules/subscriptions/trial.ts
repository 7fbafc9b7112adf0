import { unconditional } from "../../domain/coupon.ts";
import type { SessionLine } from "../checkout/session-line.ts";
import type { CouponRecord } from "../records.ts";

// A trial is sold as a coupon is: it takes all of the first payment, once for a buyer.

interface Bought {
  readonly lines: readonly SessionLine[];
}

/** Gives the days that the session's buyer has for nothing. Null when the first period is paid. */
export const trialDays = ({ lines: [line] }: Bought): number | null =>
  line !== undefined && line.amount_subtotal > 0 ? (line.recurring?.trial_days ?? null) : null;

/** Gives what the methods of a session must be able to charge: later periods count for a trial. */
export const chargedAmount = (
  session: Bought & { readonly amount_subtotal: number; readonly amount_total: number },
): number => (trialDays(session) === null ? session.amount_total : session.amount_subtotal);

/** Makes the coupon by which the trial of a product is counted. Owners never see it. */
export const trialCouponOf = (store_id: string, product_id: string): CouponRecord => ({
  ...unconditional,
  id: `trial_${product_id}`,
  store_id,
  code: "",
  discount_amount: 100,
  max_uses_per_customer: 1,
  created_at: 0,
});

/** Gives the coupon of a session's trial. Null when the session has none. */
export function trialCoupon(session: Bought & { readonly store_id: string }): CouponRecord | null {
  const [line] = session.lines;
  return line && trialDays(session) !== null
    ? trialCouponOf(session.store_id, line.product_id)
    : null;
}
