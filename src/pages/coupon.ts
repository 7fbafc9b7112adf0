import { isApiError } from "../contract/errors.ts";
import { type CouponFacts, judgeCoupon, normalizeCode } from "../domain/coupon.ts";
import { limitBuyer } from "../http/access/rate-limit.ts";
import type { HttpContext } from "../http/context.ts";
import { productIdsOf } from "../operations/cart.ts";
import { standInCoupon } from "../operations/coupons.ts";
import { priceGoods } from "../operations/goods.ts";
import { goodsOf } from "../operations/update-session.ts";
import type { CheckoutView } from "../payments/checkout/checkout-service.ts";
import { refuseChange, type SessionChangeResult } from "../rules/checkout/session-change.ts";
import { versionOf } from "../rules/checkout/session-version.ts";
import type { SessionRecord } from "../rules/records.ts";
import { changeSession } from "../steps/checkout-steps.ts";
import type { TextName } from "./texts/text-names.ts";
import type { Visit } from "./visit.ts";

/** Says why a coupon does not apply; an amount is in minor units of the session's currency. */
export interface CouponFault {
  readonly text: TextName;
  readonly amount?: number;
}

/** `closed` means that the goods of the session do not change any more. */
export type CouponOutcome =
  | { readonly outcome: "changed" | "closed" }
  | { readonly outcome: "refused"; readonly fault: CouponFault };

/** Each further try begins with the session as another change has left it. */
const maxTries = 5;

/**
 * Gives the session this coupon, or none, and prices it by today's products, as a change by
 * the API does. Throws `rate_limit_exceeded` for who tries codes too often, and
 * `insufficient_stock`.
 */
export async function changeCoupon(
  visit: Visit,
  view: CheckoutView,
  code: string | null,
): Promise<CouponOutcome> {
  const { http } = visit.ctx;
  const partition = { store_id: view.store.id, livemode: view.livemode };
  // Whose address is unknown is counted by the session.
  const ip = visit.request.ip ?? view.session.id;
  if (code !== null) await limitBuyer(http, "coupons", { ...partition, ip });

  const wanted = code === null ? null : normalizeCode(code);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await http.storage.checkout.findSession(partition, view.session.id);
    const from_source = http.catalog.cartProducts !== null;
    if (!found || refuseChange(found, found.session, { now: visit.now, from_source }) !== null)
      return { outcome: "closed" };

    const drafted = await draftWith(visit, found.session, wanted);
    if ("outcome" in drafted) return drafted;

    const result = await changeSession(http.storage.orders, {
      ...partition,
      session_id: found.session.id,
      new_customer_id: http.newId("cus"),
      keyed: null,
      changed: drafted,
      now: http.now(),
      from_source,
    });
    const outcome = outcomeOf(result);
    if (outcome) return outcome;
  }
  return { outcome: "closed" };
}

/** Gives null when another change came first. */
function outcomeOf({ outcome }: SessionChangeResult): CouponOutcome | null {
  if (outcome === "moved") return null;
  if (outcome === "changed") return { outcome };
  // The session holds its goods, and its use of the coupon is not to be had.
  if (outcome === "coupon_invalid") return refused({ text: "coupon_used_up" });
  return { outcome: "closed" };
}

const refused = (fault: CouponFault): CouponOutcome => ({ outcome: "refused", fault });

/** Prices the session with the coupon, or says why the coupon does not apply. */
async function draftWith(
  { ctx: { http }, now }: Visit,
  session: SessionRecord,
  code: string | null,
): Promise<SessionRecord | CouponOutcome> {
  const { store_id, livemode, lines } = session;
  const partition = { store_id, livemode };
  const cart = await readCart(http, session, code);
  const fault = code === null ? null : faultOf(cart.coupon, session, now);
  if (fault) return refused(fault);

  try {
    const call = { ctx: http, partition, cart, now };
    const goods = await priceGoods(call, { items: lines, coupon_code: code });
    return { ...session, ...goodsOf(session, goods), version: versionOf(session) + 1 };
  } catch (error) {
    // A product was changed or sold out meanwhile: the payment tells what is to be done.
    if (!isApiError(error)) throw error;
    return refused({ text: "coupon_unfit" });
  }
}

const readCart = (http: HttpContext, session: SessionRecord, code: string | null) => {
  const { store_id, livemode, lines } = session;
  return http.catalog.loadCart({ store_id, livemode }, productIdsOf(lines), code);
};

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
