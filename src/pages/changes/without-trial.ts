import type { WireReply } from "../../http/wire.ts";
import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import { changedForm } from "../form-replies.ts";
import { readBuyerForm } from "../parts/buyer-form.ts";
import { isTrial } from "../parts/renewal.ts";
import { seeOther } from "../replies.ts";
import { pathOf, type Visit } from "../visit.ts";
import { changeOnPage, priceAgain, readCart } from "./change-session.ts";

/**
 * Leaves out the trial of a buyer who has had it, and shows the form with the price of the first
 * period: nothing is paid before the buyer has seen it.
 */
export async function takeWithoutTrial(
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<WireReply> {
  if (!isTrial(view.recurring)) return seeOther(pathOf(visit));

  const { outcome } = await changeOnPage(visit, view, async (session) => {
    const wanted = { items: session.lines, coupon_code: session.coupon_code };
    const cart = await readCart(visit.ctx.http, session, wanted);
    return priceAgain(visit, session, { ...wanted, cart, trial: false });
  });
  if (outcome !== "changed") return seeOther(pathOf(visit));

  const changed = await visit.ctx.checkout.view(visit.token);
  return changedForm(visit, changed, { form: readBuyerForm(fields), notice: "trial_left" });
}
