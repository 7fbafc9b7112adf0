import { changesAvailability, hasPieces, type StockChange } from "../../rules/catalog/stock.ts";
import type { CouponChange } from "../../rules/orders/order-changes.ts";
import type { Partition } from "../../rules/records.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { bumpCatalogVersion, putProduct, rowsOfStore } from "./catalog-rows.ts";

/**
 * Changes the stock of products. Gives false, with nothing written, when a guard
 * fails. When a change flips `available`, the product is rendered anew and the
 * catalog version moves.
 */
export function adjustStock(
  state: MemoryState,
  partition: Partition,
  changes: readonly StockChange[],
): boolean {
  const { stock, products } = state.catalog;
  const countOf = (product_id: string) => stock.get(rowKey(partition, product_id));
  if (changes.some((change) => change.guarded && !hasPieces(countOf(change.product_id), change)))
    return false;

  let flipped = false;
  for (const { product_id, stock_delta, held_delta } of changes) {
    const key = rowKey(partition, product_id);
    const before = stock.get(key);
    if (!before) continue;

    // The count never goes below zero: the owner may have reset it while pieces were held.
    const held = Math.max(0, before.held + held_delta);
    const after = { ...before, stock: before.stock + stock_delta, held };
    stock.set(key, after);

    const product = rowsOfStore(products, partition.store_id).get(product_id);
    if (!product || !changesAvailability(before, after)) continue;
    putProduct(state, product.record);
    flipped = true;
  }

  if (flipped) bumpCatalogVersion(state, partition.store_id);
  return true;
}

/** Counts a use of a coupon, or takes one back. Gives false when the guard fails. */
export function adjustCoupon(
  { catalog }: MemoryState,
  partition: Partition,
  { coupon_id, used_delta, guarded }: Pick<CouponChange, "coupon_id" | "used_delta" | "guarded">,
): boolean {
  const key = rowKey(partition, coupon_id);
  const used = catalog.coupon_uses.get(key) ?? 0;
  const coupon = rowsOfStore(catalog.coupons, partition.store_id).get(coupon_id);
  const maxUses = coupon?.max_uses ?? null;
  if (guarded && maxUses !== null && used >= maxUses) return false;

  catalog.coupon_uses.set(key, Math.max(0, used + used_delta));
  return true;
}
