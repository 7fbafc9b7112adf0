import type { HeldCoupon } from "#core/rules/owner/erasure.ts";
import { deleteUses } from "../catalog/stock/coupon-counters.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";

interface ErasedUses {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  /** The orders and the holds of sessions, as they were before. */
  readonly holders: readonly HeldCoupon[];
}

/** Deletes the counts of coupon uses whose key names the customer. */
export function* deleteCouponUses(
  engine: SqlEngine,
  { store_id, livemode, holders }: ErasedUses,
): QueryGenerator<void> {
  const uses = new Map(
    holders.flatMap(({ coupon_id, coupon_key }) =>
      coupon_id === null || coupon_key === null
        ? []
        : [[`${coupon_id}\n${coupon_key}`, { coupon_id, customer_key: coupon_key }] as const],
    ),
  );

  for (const use of uses.values()) yield* deleteUses(engine, { store_id, livemode, ...use });
}
