import type { Cart } from "../../rules/checkout/checkout-records.ts";
import type { Partition } from "../../rules/records.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { onHand, rowsOfStore } from "./catalog-rows.ts";

/**
 * Gives the products that exist of those asked for, with what may be sold of them,
 * and the coupon.
 */
export function loadCart(
  state: MemoryState,
  partition: Partition,
  product_ids: readonly string[],
  coupon_code: string | null,
): Cart {
  const products = rowsOfStore(state.catalog.products, partition.store_id);
  const listed = product_ids.flatMap((id) => {
    const product = products.get(id);
    return product ? [{ on_hand: onHand(state, partition, id), ...product.record }] : [];
  });
  return { products: listed, coupon: findCoupon(state, partition, coupon_code) };
}

function findCoupon(
  { catalog }: MemoryState,
  partition: Partition,
  code: string | null,
): Cart["coupon"] {
  const coupons = [...rowsOfStore(catalog.coupons, partition.store_id).values()];
  const coupon = coupons.find((candidate) => candidate.code === code);
  if (!coupon) return null;
  return { ...coupon, used: catalog.coupon_uses.get(rowKey(partition, coupon.id)) ?? 0 };
}
