import { isApiError } from "../../contract/errors.ts";
import { type CouponFacts, judgeCoupon, normalizeCode } from "../../domain/coupon.ts";
import { isCleanText } from "../../domain/text/plain.ts";
import { limitBuyer } from "../../http/access/rate-limit.ts";
import { standInCoupon } from "../../operations/coupons.ts";
import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import type { SessionRecord } from "../../rules/records.ts";
import type { Visit } from "../visit.ts";
import {
  type ChangeOutcome,
  type CouponFault,
  changeOnPage,
  priceAgain,
  readCart,
  refused,
} from "./change-session.ts";

/**
 * Gives the session this coupon, or none, and prices it by today's products, as a change by
 * the API does. Throws `rate_limit_exceeded` for who tries codes too often, and
 * `insufficient_stock`.
 */
export async function changeCoupon(
  visit: Visit,
  view: CheckoutView,
  code: string | null,
): Promise<ChangeOutcome> {
  const { http } = visit.ctx;
  const partition = { store_id: view.store.id, livemode: view.livemode };
  // Whose address is unknown is counted by the session.
  const ip = visit.request.ip ?? view.session.id;
  if (code !== null) await limitBuyer(http, "coupons", { ...partition, ip });

  // No coupon has such a code, and PostgreSQL refuses NUL in a value.
  if (code !== null && !isCleanText(code)) return refused({ text: "coupon_unknown" });
  const wanted = code === null ? null : normalizeCode(code);
  return changeOnPage(visit, view, (session) => draftWith(visit, session, wanted));
}

/** Prices the session with the coupon, or says why the coupon does not apply. */
async function draftWith(
  visit: Visit,
  session: SessionRecord,
  coupon_code: string | null,
): Promise<SessionRecord | ChangeOutcome> {
  const wanted = { items: session.lines, coupon_code };
  const cart = await readCart(visit.ctx.http, session, wanted);
  const fault = coupon_code === null ? null : faultOf(cart.coupon, session, visit.now);
  if (fault) return refused(fault);

  try {
    return await priceAgain(visit, session, { ...wanted, cart });
  } catch (error) {
    // A product was changed or sold out meanwhile: the payment tells what is to be done.
    if (!isApiError(error)) throw error;
    return refused({ text: "coupon_unfit" });
  }
}

/**
 * Says which condition of a coupon is not met: each is judged alone, by the one rule. A coupon
 * that is off is as unknown as none.
 */
function faultOf(
  coupon: CouponFacts | null,
  session: SessionRecord,
  now: number,
): CouponFault | null {
  if (!coupon?.enabled) return { text: "coupon_unknown" };

  const { starts_at, ends_at, max_uses, used, currency, product_ids } = coupon;
  const { min_subtotal, min_subtotal_currency } = coupon;
  const meets = (part: Partial<CouponFacts>): boolean =>
    judgeCoupon({ ...standInCoupon, ...part }, session, now);
  if (!meets({ starts_at })) return { text: "coupon_early" };
  if (!meets({ ends_at })) return { text: "coupon_over" };
  if (!meets({ max_uses, used })) return { text: "coupon_used_up" };
  if (!meets({ currency, product_ids })) return { text: "coupon_unfit" };
  if (meets({ min_subtotal, min_subtotal_currency })) return null;

  const isSame = min_subtotal !== null && min_subtotal_currency === session.currency;
  return isSame ? { text: "coupon_minimum", amount: min_subtotal } : { text: "coupon_unfit" };
}
