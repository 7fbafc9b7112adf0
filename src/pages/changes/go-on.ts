import { isApiError } from "../../contract/errors.ts";
import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import type { SessionRecord } from "../../rules/records.ts";
import type { Visit } from "../visit.ts";
import {
  type ChangeOutcome,
  changeOnPage,
  priceAgain,
  readCart,
  refused,
} from "./change-session.ts";

/**
 * Takes products out of the session, and prices what is left by today's products. The coupon is
 * kept where it still applies. Throws `insufficient_stock` when something of the rest is gone too.
 */
export async function goOnWithout(
  visit: Visit,
  view: CheckoutView,
  product_ids: readonly string[],
): Promise<ChangeOutcome> {
  const leave = (coupon: "kept" | "dropped") =>
    changeOnPage(visit, view, (session) => {
      const items = session.lines.filter(({ product_id }) => !product_ids.includes(product_id));
      const coupon_code = coupon === "kept" ? session.coupon_code : null;
      return draftOf(visit, session, { items, coupon_code });
    });

  const kept = await leave("kept");
  return kept.outcome === "refused" ? leave("dropped") : kept;
}

/** A form that was sent twice finds nothing to take out. */
async function draftOf(
  visit: Visit,
  session: SessionRecord,
  wanted: Parameters<typeof readCart>[2],
): Promise<SessionRecord | ChangeOutcome> {
  const left = wanted.items.length;
  if (left === 0 || left === session.lines.length) return { outcome: "closed" };

  try {
    const cart = await readCart(visit.ctx.http, session, wanted);
    return await priceAgain(visit, session, { ...wanted, cart });
  } catch (error) {
    if (!isApiError(error) || error.code !== "coupon_invalid") throw error;
    return refused({ text: "coupon_unfit" });
  }
}
