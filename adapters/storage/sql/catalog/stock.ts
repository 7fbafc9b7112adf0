import { sql } from "kysely";
import type { CouponRecord, Partition, ProductRecord } from "../../../../src/rules/records.ts";
import type { StockChange } from "../../../../src/rules/stock.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { many, one, prepareEach, type Step } from "../engine/step.ts";
import { bumpCatalog, productRow } from "./owner.ts";

/** A guard that failed after the step had judged it: the step is rolled back and tried again. */
export class GuardFailed extends Error {
  readonly code = "VITRINE_GUARD";
}

/** Locks the stock rows of these products, in id order. Products without one are not counted. */
export function stockLock({ db, dialect }: SqlEngine) {
  const lock = prepareEach(
    (count: number) => count,
    (count, place) =>
      dialect.forUpdate(
        db
          .selectFrom("stock")
          .select(["product_id", "stock", "held"])
          .where("store_id", "=", place<string>("store_id"))
          .where("livemode", "=", place<0 | 1>("livemode"))
          .where(
            "product_id",
            "in",
            Array.from({ length: count }, (_, at) => place<string>(`p${at}`)),
          )
          .orderBy("product_id"),
      ),
  );
  return function* lockStock(
    partition: Partition,
    product_ids: readonly string[],
  ): Step<Map<string, number>> {
    const ids = [...new Set(product_ids)];
    if (ids.length === 0) return new Map();
    const named = Object.fromEntries(ids.map((id, at) => [`p${at}`, id]));
    const rows = yield* many(lock(ids.length, { ...own(partition), ...named }));
    return new Map(rows.map((row) => [row.product_id, row.stock - row.held]));
  };
}

/** Each statement holds its own guard. What flips `available` renders the product anew and moves the catalog version in the same step. */
export function stockAdjuster({ db }: SqlEngine) {
  const adjust = prepareEach(
    (guarded: boolean) => String(guarded),
    (guarded, place) => {
      const [stock_delta, held_delta] = [place<number>("stock_delta"), place<number>("held_delta")];
      const update = db
        .updateTable("stock")
        // Never below none: the owner may have stopped counting while pieces were held.
        .set((eb) => ({
          stock: eb("stock", "+", stock_delta),
          held: sql<number>`case when held + ${held_delta} < 0 then 0 else held + ${held_delta} end`,
        }))
        .where("store_id", "=", place<string>("store_id"))
        .where("livemode", "=", place<0 | 1>("livemode"))
        .where("product_id", "=", place<string>("product_id"))
        .returning(["stock", "held"]);
      return guarded
        ? update.where((eb) => eb(eb("stock", "-", eb.ref("held")), ">=", place<number>("needed")))
        : update;
    },
  );
  return function* adjustStock(
    partition: Partition,
    changes: readonly StockChange[],
    on_hand: ReadonlyMap<string, number>,
  ): Step<void> {
    const { store_id, livemode } = own(partition);
    const flipped: string[] = [];
    for (const { product_id, stock_delta, held_delta, guarded } of changes) {
      const before = on_hand.get(product_id);
      if (before === undefined) continue;
      const needed = held_delta - stock_delta;
      const after = yield* one(
        adjust(guarded, { store_id, livemode, product_id, stock_delta, held_delta, needed }),
      );
      if (!after) throw new GuardFailed("stock");
      if (before > 0 !== after.stock - after.held > 0) flipped.push(product_id);
    }
    if (flipped.length === 0) return;
    for (const product_id of flipped) {
      const row = yield* one(
        db
          .selectFrom("products")
          .select("record")
          .where("store_id", "=", store_id)
          .where("id", "=", product_id),
      );
      if (!row) continue;
      // Only this mode's document: the other mode's stock is not locked here.
      const { document_live, document_test } = yield* productRow(
        db,
        fromJson<ProductRecord>(row.record),
      );
      const document = partition.livemode ? { document_live } : { document_test };
      yield* many(
        db
          .updateTable("products")
          .set(document)
          .where("store_id", "=", store_id)
          .where("id", "=", product_id),
      );
    }
    yield* bumpCatalog(db, store_id);
  };
}

export interface LockedCoupon extends CouponRecord {
  readonly used: number;
  readonly used_by_customer: number;
}

/** The coupon with its counters of this mode, locked in the order coupon, then customer. */
export function* lockCoupon(
  { db, dialect }: SqlEngine,
  partition: Partition,
  coupon_id: string,
  customer_key: string,
): Step<LockedCoupon | null> {
  const { store_id, livemode } = own(partition);
  const coupon = yield* one(
    db
      .selectFrom("coupons")
      .select("record")
      .where("store_id", "=", store_id)
      .where("id", "=", coupon_id),
  );
  if (!coupon) return null;
  const counter = { store_id, livemode, coupon_id };
  yield* many(
    db
      .insertInto("coupon_counters")
      .values({ ...counter, used: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const total = yield* one(
    dialect.forUpdate(
      db
        .selectFrom("coupon_counters")
        .select("used")
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("coupon_id", "=", coupon_id),
    ),
  );
  yield* many(
    db
      .insertInto("coupon_uses")
      .values({ ...counter, customer_key, used: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const uses = yield* one(
    dialect.forUpdate(
      db
        .selectFrom("coupon_uses")
        .select("used")
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("coupon_id", "=", coupon_id)
        .where("customer_key", "=", customer_key),
    ),
  );
  return {
    ...fromJson<CouponRecord>(coupon.record),
    used: total?.used ?? 0,
    used_by_customer: uses?.used ?? 0,
  };
}

export function* adjustCoupon(
  { db }: SqlEngine,
  partition: Partition,
  change: {
    readonly coupon_id: string;
    readonly used_delta: 1 | -1;
    readonly customer_key: string;
    readonly guarded: boolean;
  },
  max_uses: number | null,
): Step<void> {
  const { store_id, livemode } = own(partition);
  const { coupon_id, used_delta, customer_key, guarded } = change;
  const counter = db
    .updateTable("coupon_counters")
    .set((eb) => ({ used: eb("used", "+", used_delta) }))
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("coupon_id", "=", coupon_id)
    .returning("used");
  const counted = yield* one(
    guarded && max_uses !== null ? counter.where("used", "<", max_uses) : counter,
  );
  if (guarded && !counted) throw new GuardFailed("coupon");
  yield* many(
    db
      .updateTable("coupon_uses")
      .set((eb) => ({ used: eb("used", "+", used_delta) }))
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("coupon_id", "=", coupon_id)
      .where("customer_key", "=", customer_key),
  );
}
