import { type Html, html } from "../../../contract/html.ts";
import type { StockLeft } from "../../../owner/catalog/product-stock.ts";
import type { OwnerProduct } from "../../../owner/catalog/products.ts";
import { countText } from "../../format.ts";
import { type Field, firstOf, type Values } from "../../forms/form-field.ts";
import { checkbox } from "../../forms/render-form.ts";
import type { StoreVisit } from "../../screen.ts";

/** Reads what is left of these products in the visited mode, by their ids. */
export async function stockLeft(
  { parts, store, livemode }: StoreVisit,
  products: readonly OwnerProduct[],
): Promise<ReadonlyMap<string, StockLeft>> {
  const product_ids = products.filter(({ stock }) => stock !== null).map(({ id }) => id);
  if (product_ids.length === 0) return new Map();

  const counts = await parts.owner.products.countStock({
    store_id: store.id,
    livemode,
    product_ids,
  });
  return new Map(counts.map((count) => [count.product_id, count]));
}

/** Nothing is left also where more is held than the owner has set. */
const leftOf = ({ on_hand }: StockLeft): number => Math.max(0, on_hand);

/** Shows what is left of a product, and of how many where some are gone. */
export function stockCell(
  visit: StoreVisit,
  { stock }: OwnerProduct,
  count: StockLeft | undefined,
): Html | string {
  const { say } = visit.language;
  if (stock === null || count === undefined) return say("stock_uncounted");

  const left = leftOf(count);
  if (left === stock) return countText(visit, left);
  const set = say("stock_of", { set: countText(visit, stock) });
  return html`${countText(visit, left)} <small class="soft">${set}</small>`;
}

const again = "stock_again";

/** True when the number that was set is to be set once more. */
export const isStockSetAgain = (values: Values): boolean => firstOf(values, again) !== "";

/**
 * Tells what is left. The number in the field beside it is the one that was set, so
 * whoever has filled up to the same number again ticks a box.
 */
export function stockNow({ stock }: OwnerProduct, count: StockLeft | undefined): readonly Field[] {
  if (stock === null || count === undefined) return [];

  const show = (visit: StoreVisit, values: Values): Html => {
    const { say, sayCount } = visit.language;
    const set = countText(visit, stock);
    const left = sayCount("stock_left_of", leftOf(count), { set });
    const held = count.held > 0 ? ` ${sayCount("stock_held", count.held)}` : "";
    const isSold = count.on_hand + count.held !== stock;
    const box = checkbox(again, again, {
      value: "yes",
      label: say("stock_again", { set }),
      checked: isStockSetAgain(values),
    });
    return html`<p>${left}${held}</p>${isSold ? box : null}`;
  };
  // The call takes one number; `isStockSetAgain` reads the box.
  return [{ name: "stock_now", label: "stock_now", kind: "own", show, read: noValue }];
}

const noValue = (): { readonly value: null } => ({ value: null });
