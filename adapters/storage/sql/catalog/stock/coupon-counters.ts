import type { CouponChange } from "#core/rules/orders/order-changes.ts";
import type { CouponRecord, Partition } from "#core/rules/records.ts";
import { fromJson, ofPartition, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";
import { GuardFailed } from "./guard-failed.ts";

export interface LockedCoupon extends CouponRecord {
  readonly used: number;
  readonly used_by_customer: number;
}

export function* findCoupon(
  { db }: SqlEngine,
  { store_id }: Partition,
  coupon_id: string,
): QueryGenerator<CouponRecord | null> {
  const coupon = yield* one(
    db
      .selectFrom("coupons")
      .select("record")
      .where("store_id", "=", store_id)
      .where("id", "=", coupon_id),
  );
  return coupon ? fromJson<CouponRecord>(coupon.record) : null;
}

/**
 * Adds the counters of this mode to a coupon, and locks the coupon's. This lock
 * guards the counters of its customers too: every step that changes one of them holds it.
 */
export function* lockCoupon(
  engine: SqlEngine,
  partition: Partition,
  coupon: CouponRecord,
  customer_key: string,
): QueryGenerator<LockedCoupon> {
  const counter = { ...partitionColumns(partition), coupon_id: coupon.id };
  const used = yield* lockCouponCounter(engine, counter);
  const used_by_customer = yield* readCustomerCounter(engine, { ...counter, customer_key });
  return { ...coupon, used, used_by_customer };
}

interface CouponCounter {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly coupon_id: string;
}

interface CustomerCounter extends CouponCounter {
  readonly customer_key: string;
}

/** Inserts the counter if it is missing, because only a row can be locked. */
function* lockCouponCounter(
  { db, dialect }: SqlEngine,
  counter: CouponCounter,
): QueryGenerator<number> {
  yield* many(
    db
      .insertInto("coupon_counters")
      .values({ ...counter, used: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const row = yield* one(
    dialect.forUpdate(
      db
        .selectFrom("coupon_counters")
        .select("used")
        .where("store_id", "=", counter.store_id)
        .where("livemode", "=", counter.livemode)
        .where("coupon_id", "=", counter.coupon_id),
    ),
  );
  return row?.used ?? 0;
}

function* readCustomerCounter({ db }: SqlEngine, counter: CustomerCounter): QueryGenerator<number> {
  const row = yield* one(
    db
      .selectFrom("coupon_uses")
      .select("used")
      .where((eb) => eb.and({ ...counter })),
  );
  return row?.used ?? 0;
}

/** Counts a use of a coupon, or takes one back. */
export function* adjustCoupon(
  engine: SqlEngine,
  partition: Partition,
  change: CouponChange,
  max_uses: number | null,
): QueryGenerator<void> {
  const { store_id, livemode } = partitionColumns(partition);
  const { coupon_id, used_delta, customer_key, guarded } = change;

  const increment = engine.db
    .updateTable("coupon_counters")
    .set((eb) => ({ used: eb("used", "+", used_delta) }))
    .where(ofPartition(partition))
    .where("coupon_id", "=", coupon_id)
    .returning("used");
  const isLimited = guarded && max_uses !== null;
  const counted = yield* one(isLimited ? increment.where("used", "<", max_uses) : increment);
  if (guarded && !counted) throw new GuardFailed("coupon");

  const uses = { store_id, livemode, coupon_id, customer_key };
  yield* used_delta > 0 ? addUse(engine, uses) : takeUseBack(engine, uses);
}

function* addUse({ db }: SqlEngine, counter: CustomerCounter): QueryGenerator<void> {
  yield* many(
    db
      .insertInto("coupon_uses")
      .values({ ...counter, used: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["store_id", "livemode", "coupon_id", "customer_key"])
          .doUpdateSet((eb) => ({ used: eb("coupon_uses.used", "+", 1) })),
      ),
  );
}

/** Takes a use back. Nothing is left of the last one. */
function* takeUseBack(engine: SqlEngine, counter: CustomerCounter): QueryGenerator<void> {
  const row = yield* one(
    engine.db
      .updateTable("coupon_uses")
      .set((eb) => ({ used: eb("used", "-", 1) }))
      .where((eb) => eb.and({ ...counter }))
      .returning("used"),
  );
  if (row && row.used <= 0) yield* deleteUses(engine, counter);
}

/** Deletes the count of a customer's uses, whose key may be an e-mail address. */
export function* deleteUses({ db }: SqlEngine, counter: CustomerCounter): QueryGenerator<void> {
  yield* many(db.deleteFrom("coupon_uses").where((eb) => eb.and({ ...counter })));
}
