import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import type { Customer, OrderStatus } from "../../contract/schemas.ts";
import { iso } from "../../domain/text/iso.ts";
import { check } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { renderOrder } from "../../rules/catalog/render-order.ts";
import type { OrderRecord } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { ageOrder, listFields, readListing } from "../listing.ts";

const CouponUseListInput = z.strictObject({ ...listFields, coupon_id: foreignId });

/** Selects the uses of a coupon. */
export interface CouponUseListInput extends z.input<typeof CouponUseListInput> {}

/** An order that uses a coupon. */
export interface CouponUse {
  readonly order_id: string;
  readonly order_number: number;
  readonly order_status: OrderStatus;
  /** In minor units of `currency`, as is `amount_total`. */
  readonly amount_discount: number;
  readonly amount_total: number;
  readonly currency: string;
  readonly customer: Customer;
  /** The time at which the order was made, in ISO 8601, in UTC. */
  readonly created_at: string;
}

const render = (order: OrderRecord): CouponUse => ({
  order_id: order.id,
  order_number: order.number,
  order_status: order.status,
  amount_discount: order.amount_discount,
  amount_total: order.amount_total,
  currency: order.currency,
  customer: renderOrder(order).customer,
  created_at: iso(order.created_at),
});

export function listCouponUses(
  ctx: OwnerContext,
  input: CouponUseListInput,
): Promise<Page<CouponUse>> {
  const query = check(CouponUseListInput, input);
  const { store_id, livemode, coupon_id } = query;

  return readListing(ctx, query, {
    name: "coupon uses",
    read: (place, limit) =>
      ctx.storage.lists.listCouponUses({
        store_id,
        livemode,
        coupon_id,
        ...ageOrder(query),
        ...(place && { after: place.position }),
        limit,
      }),
    placeOf: ({ number, id }) => ({ position: number, id }),
    render,
  });
}

/** Counts how often a coupon was used, in each mode. */
export interface CouponUseCount {
  readonly live: number;
  readonly test: number;
}

/** Makes a function that gives the count of any coupon of the store, by its id. */
export async function countCouponUses(
  ctx: OwnerContext,
  store_id: string,
  coupon_ids: readonly string[],
): Promise<(coupon_id: string) => CouponUseCount> {
  const counts = await ctx.storage.lists.countCouponUses(store_id, coupon_ids);
  const usedIn = (id: string, mode: boolean): number =>
    counts.find(({ coupon_id, livemode }) => coupon_id === id && livemode === mode)?.used ?? 0;

  return (id) => ({ live: usedIn(id, true), test: usedIn(id, false) });
}
