import { sql } from "kysely";
import { onHandOf } from "#core/rules/catalog/stock.ts";
import type { Cart } from "#core/rules/checkout/checkout-records.ts";
import { type IdempotencyKey, keyState } from "#core/rules/checkout/key-state.ts";
import type { CouponRecord, Partition, ProductRecord, SessionRecord } from "#core/rules/records.ts";
import type { CheckoutStore } from "#core/storage/checkout-store.ts";
import { type CountRow, readCount } from "../catalog/stock/stock-count.ts";
import { scopeColumns, storedKey } from "../checkout/keys.ts";
import type { FoundRow } from "../checkout/lookup-function.ts";
import { fromJson, ofPartitionParams, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, prepare, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { readRevocations, revocationsOf } from "../orders/revocations.ts";
import { functionNames } from "../schema/function-names.ts";
import type { Tables } from "../schema/tables.ts";

/**
 * The node of the store reads key and products, by one call of `lookupFunction`. The
 * coupon and the revocations, which most checkouts do not have, are statements of their
 * own and see another moment. That is enough, because the steps that write look at the
 * key, the stock and the coupon again.
 */
export function lookupOnCitus(engine: SqlEngine): Pick<CheckoutStore, "openCheckout" | "loadCart"> {
  const lookUp = lookupReader(engine);
  const findCoupon = couponReader(engine);

  return {
    openCheckout: (lookup) =>
      engine.read(function* () {
        const { fingerprint, product_ids, coupon_code, customer_keys, now } = lookup;
        const { key, session, products } = yield* lookUp(scopeColumns(lookup), product_ids);
        const coupon = coupon_code === null ? null : yield* findCoupon(lookup, coupon_code);
        const revocation =
          customer_keys.length === 0
            ? null
            : readRevocations(yield* many(revocationsOf(engine, lookup, customer_keys)));
        return {
          key: keyState(key, session, fingerprint, now),
          cart: { products, coupon },
          not_before: revocation?.not_before ?? null,
          customer_erased: revocation?.erased ?? false,
        };
      }),

    loadCart: (partition, product_ids, coupon_code) =>
      engine.read(function* () {
        const { products } = yield* lookUp(
          { ...noKey, ...partitionColumns(partition) },
          product_ids,
        );
        const coupon = coupon_code === null ? null : yield* findCoupon(partition, coupon_code);
        return { products, coupon };
      }),
  };
}

type LookupScope = { readonly [Column in keyof ReturnType<typeof scopeColumns>]: unknown };

const noKey = { key_kind: null, operation: null, idempotency_key: null } as const;

interface Found {
  readonly key: IdempotencyKey | null;
  readonly session: SessionRecord | null;
  readonly products: Cart["products"];
}

function lookupReader({ db }: SqlEngine) {
  const call = prepareRaw<FoundRow>(
    db,
    (param) => sql`
      select * from ${sql.table(functionNames.lookUp)}(${param("store_id")}, ${param("livemode")},
        ${param("key_kind")}, ${param("operation")}, ${param("idempotency_key")},
        ${param("products")})`,
  );

  return function* lookUp(
    scope: LookupScope,
    product_ids: readonly string[],
  ): QueryGenerator<Found> {
    const rows = yield* many(call({ ...scope, products: JSON.stringify(product_ids) }));
    const rowsOf = (kind: FoundRow["kind"]) => rows.filter((row) => row.kind === kind);
    const [key] = rowsOf("key");
    const [session] = rowsOf("session");
    const counts = new Map(
      rowsOf("stock").map(({ id, record }) => [id, readCount(fromJson<CountRow>(record))]),
    );
    return {
      key: key ? storedKey(fromJson<Tables["idempotency_keys"]>(key.record)) : null,
      session: session ? fromJson<SessionRecord>(session.record) : null,
      products: rowsOf("product").map(({ id, record }) => ({
        ...fromJson<ProductRecord>(record),
        on_hand: onHandOf(counts.get(id)),
      })),
    };
  };
}

function couponReader({ db }: SqlEngine) {
  const findCoupon = prepare((param) =>
    db
      .selectFrom("coupons")
      .select(["id", "record"])
      .where("store_id", "=", param<string>("store_id"))
      .where("code", "=", param<string>("coupon_code")),
  );
  const findUses = prepare((param) =>
    db
      .selectFrom("coupon_counters")
      .select("used")
      .where(ofPartitionParams(param))
      .where("coupon_id", "=", param<string>("id")),
  );

  return function* readCoupon(
    partition: Partition,
    coupon_code: string,
  ): QueryGenerator<Cart["coupon"]> {
    const values = { ...partitionColumns(partition), coupon_code };
    const row = yield* one(findCoupon(values));
    if (!row) return null;

    const counter = yield* one(findUses({ ...values, id: row.id }));
    return { ...fromJson<CouponRecord>(row.record), used: counter?.used ?? 0 };
  };
}
