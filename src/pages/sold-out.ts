import { isApiError } from "../contract/errors.ts";
import type { WireReply } from "../http/wire.ts";
import type { CheckoutView } from "../payments/checkout/checkout-service.ts";
import { goOnWithout } from "./changes/go-on.ts";
import { changedForm } from "./form-replies.ts";
import { type BuyerForm, readBuyerForm } from "./parts/buyer-form.ts";
import type { GoneProduct } from "./render-end.ts";
import { seeOther } from "./replies.ts";
import { pageReply, pathOf, sceneOf, type Visit } from "./visit.ts";

/**
 * Says which products are sold out, as far as the catalog counts them, and offers to go on
 * without them where something is left and no payment has begun.
 */
export async function soldOut(
  visit: Visit,
  view: CheckoutView,
  form: BuyerForm,
): Promise<WireReply> {
  const goods = await goneGoods(visit, view);
  const { session, order } = view;
  const isGone = (product_id: string) => goods.some(({ id }) => id === product_id);
  const isLeft = session.line_items.some(({ product_id }) => !isGone(product_id));
  const goesOn = goods.length > 0 && isLeft && order === null && session.status === "open";

  const shown = { kind: "end", name: "sold_out", goods, goOn: goesOn ? form : null } as const;
  return pageReply(await sceneOf(visit, view), shown, 409);
}

/** Finds the products of which fewer are left than the session has. */
async function goneGoods(
  { ctx }: Visit,
  { store, livemode, session }: CheckoutView,
): Promise<readonly GoneProduct[]> {
  const wanted = new Map<string, { readonly name: string; readonly quantity: number }>();
  for (const { product_id, name, quantity } of session.line_items)
    wanted.set(product_id, { name, quantity: quantity + (wanted.get(product_id)?.quantity ?? 0) });

  try {
    const partition = { store_id: store.id, livemode };
    const { products } = await ctx.http.catalog.loadCart(partition, [...wanted.keys()], null);
    const left = new Map(products.map(({ id, on_hand }) => [id, on_hand]));
    return [...wanted].flatMap(([id, { name, quantity }]) =>
      (left.get(id) ?? quantity) < quantity ? [{ id, name }] : [],
    );
  } catch (error) {
    // The page says without the names that something is sold out.
    ctx.onError(error, "checkout_page");
    return [];
  }
}

/** Takes out what the page named as sold out, and shows the form with the new total. */
export async function takeGoOn(
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<WireReply> {
  const form = readBuyerForm(fields);
  const named = fields.getAll("without");
  // Only what is sold out is taken out: the form could also name a fee that the shop has added.
  const gone = (await goneGoods(visit, view)).map(({ id }) => id);
  const without = gone.filter((id) => named.includes(id));
  try {
    const { outcome } = await goOnWithout(visit, view, without);
    if (outcome !== "changed") return seeOther(pathOf(visit));

    const changed = await visit.ctx.checkout.view(visit.token);
    const keptCoupon = changed.session.coupon_code === view.session.coupon_code;
    const notice = keptCoupon ? "goods_removed" : "goods_and_coupon_removed";
    return await changedForm(visit, changed, { form, notice });
  } catch (error) {
    // Another product has become unavailable meanwhile.
    if (!isApiError(error)) throw error;
    return soldOut(visit, await visit.ctx.checkout.view(visit.token), form);
  }
}
