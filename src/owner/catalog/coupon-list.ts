import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import { check } from "../../input/check.ts";
import type { CouponRecord } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { readPlaces } from "../listing.ts";
import { PageQuery, readPage } from "../page.ts";

/** The orders of a list of coupons. */
export const couponSorts = ["oldest", "newest", "code", "-code"] as const;

const CouponListInput = PageQuery.extend({
  /** The order of the list. It is `oldest` by default. */
  sort: z.enum(couponSorts).nullish(),
});
/** Selects the coupons of a list. */
export interface CouponListInput extends z.input<typeof CouponListInput> {}

/** Reads a page. By code its cursor tells the code, so that a code that changes moves no other. */
export function listCoupons(
  { storage }: OwnerContext,
  store_id: string,
  input: CouponListInput,
): Promise<Page<CouponRecord>> {
  const { sort, ...range } = check(CouponListInput, input);
  const isCode = sort === "code" || sort === "-code";
  const order = {
    ...(isCode && { by: "code" as const }),
    ...((sort === "newest" || sort === "-code") && { descending: true as const }),
  };
  const read = (page: { after: string | null; limit: number }) =>
    storage.catalog.listCoupons(store_id, { ...page, ...order });
  const render = (coupon: CouponRecord) => coupon;
  if (!isCode) return readPage(range, read, render);

  return readPlaces(
    { ...range, store_id, sort },
    {
      name: "coupons",
      read: (place, limit) => read({ after: place?.id ?? null, limit }),
      placeOf: ({ code }) => ({ position: 0, id: code }),
      render,
    },
  );
}
