import type { CouponRecord } from "#core/rules/records.ts";
import type { CatalogStore } from "#core/storage/types.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { noteChange } from "../../engine/note-change.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";
import { deleteRecord, isRecordStale, listRecords, recordToReplace } from "./stored-records.ts";

type OwnerCoupons = Pick<CatalogStore, "putCoupon" | "listCoupons" | "deleteCoupon">;
type PutResult = Awaited<ReturnType<CatalogStore["putCoupon"]>>;

/** Reads and writes coupons for their owner. No catalog route shows them, so no version moves. */
export function sqlOwnerCoupons(engine: SqlEngine): OwnerCoupons {
  const { db } = engine;

  return {
    putCoupon: (coupon, before) => engine.write(() => putCoupon(engine, coupon, before)),

    listCoupons: (store_id, page) =>
      engine.read(() => listRecords<CouponRecord>(db, "coupons", { store_id, ...page })),

    deleteCoupon: (store_id, id) =>
      engine.write(function* (): QueryGenerator<boolean> {
        yield* lockStore(engine, store_id);
        const before = yield* deleteRecord(db, "coupons", { store_id, id });
        if (!before) return false;

        yield* noteChange(engine, { kind: "record", type: "coupon", before, after: null });
        return true;
      }),
  };
}

function* putCoupon(
  engine: SqlEngine,
  coupon: CouponRecord,
  before: CouponRecord | undefined,
): QueryGenerator<PutResult> {
  const { db } = engine;
  const { store_id, id, code } = coupon;

  if (!(yield* lockStore(engine, store_id))) return { outcome: "unknown_store" };
  if (yield* isRecordStale(db, "coupons", before)) return { outcome: "stale" };

  const sameCode = yield* one(
    db
      .selectFrom("coupons")
      .select("id")
      .where("store_id", "=", store_id)
      .where("code", "=", code)
      .where("id", "!=", id),
  );
  if (sameCode) return { outcome: "code_taken" };

  const replaced = yield* recordToReplace(engine, "coupons", coupon);
  const row = { code, record: JSON.stringify(coupon) };
  yield* many(
    db
      .insertInto("coupons")
      .values({ store_id, id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
  );
  yield* noteChange(engine, {
    kind: "record",
    type: "coupon",
    before: replaced,
    after: coupon,
  });
  return { outcome: "stored" };
}

/**
 * Locks the store's row, so that two writes of one coupon never meet. It gives
 * false when the store is unknown.
 */
function* lockStore({ db, dialect }: SqlEngine, store_id: string): QueryGenerator<boolean> {
  const store = yield* one(
    dialect.forUpdate(db.selectFrom("stores").select("id").where("id", "=", store_id)),
  );
  return store !== undefined;
}
