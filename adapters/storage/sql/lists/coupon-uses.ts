import { sql } from "kysely";
import type { OrderRecord } from "#core/rules/records.ts";
import type {
  CouponUseQuery,
  CouponUses,
  ListingStore,
} from "#core/storage/reads/listing-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { listedFields } from "../schema/json-fields.ts";

type Uses = Pick<ListingStore, "listCouponUses" | "countCouponUses">;

export const sqlCouponUses = (engine: SqlEngine): Uses => ({
  listCouponUses: (query) => engine.read(() => listUses(engine, query)),

  countCouponUses: (store_id, coupon_ids) =>
    engine.read(function* (): QueryGenerator<readonly CouponUses[]> {
      if (coupon_ids.length === 0) return [];

      const rows = yield* many(
        engine.db
          .selectFrom("coupon_counters")
          .select(["coupon_id", "livemode", "used"])
          .where("store_id", "=", store_id)
          .where("livemode", "in", [0, 1])
          .where("coupon_id", "in", coupon_ids),
      );
      return rows.map(({ livemode, ...row }) => ({ ...row, livemode: livemode === 1 }));
    }),
});

function* listUses(
  { db, dialect }: SqlEngine,
  { coupon_id, after, oldest_first, limit, ...partition }: CouponUseQuery,
): QueryGenerator<readonly OrderRecord[]> {
  const field = listedFields(dialect.name);
  const { way, sign } = directionOf(oldest_first);
  const ofCoupon = sql<string>`${sql.raw(field.coupon_id)}`;

  // The conditions of the partial index are repeated word by word, so that it serves the query.
  let uses = db
    .selectFrom("orders")
    .select("record")
    .where(ofPartition(partition))
    .where(ofCoupon, "is not", null)
    .where(sql<boolean>`${sql.raw(field.coupon_holds)} <> 'none'`)
    .where(ofCoupon, "=", coupon_id);
  if (after !== undefined) uses = uses.where("number", sign, after);

  const rows = yield* many(uses.orderBy("number", way).limit(limit));
  return rows.map(({ record }) => fromJson<OrderRecord>(record));
}
