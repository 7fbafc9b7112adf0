import type { HttpContext } from "../../http/context.ts";
import { productIdsOf } from "../../operations/cart.ts";
import { priceGoods } from "../../operations/goods.ts";
import { goodsOf, keepsTrial, maxChangeTries } from "../../operations/update-session.ts";
import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import type { Cart } from "../../rules/checkout/checkout-records.ts";
import { refuseChange, type SessionChangeResult } from "../../rules/checkout/session-change.ts";
import { versionOf } from "../../rules/checkout/session-version.ts";
import type { SessionRecord } from "../../rules/records.ts";
import { changeSession } from "../../steps/checkout-steps.ts";
import type { TextName } from "../texts/text-names.ts";
import type { Visit } from "../visit.ts";

/** Why a coupon does not apply; an amount is in minor units of the session's currency. */
export interface CouponFault {
  readonly text: TextName;
  readonly amount?: number;
}

/** `closed` means that the goods of the session do not change any more. */
export type ChangeOutcome =
  | { readonly outcome: "changed" | "closed" }
  | { readonly outcome: "refused"; readonly fault: CouponFault };

export const refused = (fault: CouponFault): ChangeOutcome => ({ outcome: "refused", fault });

/** Changes the session as `draft` says, and tries again when another change came first. */
export async function changeOnPage(
  visit: Visit,
  view: CheckoutView,
  draft: (session: SessionRecord) => Promise<SessionRecord | ChangeOutcome>,
): Promise<ChangeOutcome> {
  const { http } = visit.ctx;
  const partition = { store_id: view.store.id, livemode: view.livemode };
  const from_source = http.catalog.cartProducts !== null;

  for (let tries = 0; tries < maxChangeTries; tries += 1) {
    const found = await http.storage.checkout.findSession(partition, view.session.id);
    if (!found || refuseChange(found, found.session, { now: visit.now, from_source }) !== null)
      return { outcome: "closed" };

    const drafted = await draft(found.session);
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
function outcomeOf({ outcome }: SessionChangeResult): ChangeOutcome | null {
  if (outcome === "moved") return null;
  if (outcome === "changed") return { outcome };
  // The session holds its goods, and the coupon has no use left.
  if (outcome === "coupon_invalid") return refused({ text: "coupon_used_up" });
  return { outcome: "closed" };
}

interface Wanted {
  readonly items: SessionRecord["lines"];
  readonly coupon_code: string | null;
}

export const readCart = (
  http: HttpContext,
  { store_id, livemode }: SessionRecord,
  { items, coupon_code }: Wanted,
): Promise<Cart> => http.catalog.loadCart({ store_id, livemode }, productIdsOf(items), coupon_code);

/** Gives the session these goods, priced by today's products. Throws what the contract says. */
export async function priceAgain(
  { ctx: { http }, now }: Visit,
  session: SessionRecord,
  wanted: Wanted & { readonly cart: Cart; readonly trial?: boolean },
): Promise<SessionRecord> {
  const { store_id, livemode } = session;
  const call = { ctx: http, partition: { store_id, livemode }, cart: wanted.cart, now };
  const goods = await priceGoods(call, { trial: keepsTrial(session), ...wanted });
  return { ...session, ...goodsOf(session, goods), version: versionOf(session) + 1 };
}
