import type { Cart } from "../../../../src/rules/checkout-records.ts";
import { keyState, type StoredKey } from "../../../../src/rules/key-state.ts";
import type {
  CouponRecord,
  Partition,
  ProductRecord,
  SessionRecord,
} from "../../../../src/rules/records.ts";
import { onHandOf } from "../../../../src/rules/stock.ts";
import type { CheckoutStore, SessionLookup } from "../../../../src/storage/checkout-store.ts";
import { countColumns, readCount } from "../catalog/stock-count.ts";
import { scopeColumns, storedKey } from "../checkout/keys.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import {
  many,
  one,
  type Param,
  prepare,
  prepareEach,
  type QueryGenerator,
} from "../engine/queries.ts";
import { readRevocations, revocationsOf } from "../orders/revocations.ts";

/**
 * Reads key and cart by one statement for each table. Citus sends such a statement to
 * the store's shard without planning it; the one statement that other databases get
 * takes it longer than all of these. They see different moments, as steps that follow
 * each other do: the steps that write look at the key and the stock again.
 */
export function lookupOnCitus(engine: SqlEngine): Pick<CheckoutStore, "openCheckout" | "loadCart"> {
  const findKey = keyReader(engine);
  const findCart = cartReader(engine);

  return {
    openCheckout: (lookup) =>
      engine.read(function* () {
        const { fingerprint, product_ids, coupon_code, customer_keys, now } = lookup;
        const { key, session } = yield* findKey(lookup);
        const cart = yield* findCart(lookup, product_ids, coupon_code);
        const revocation =
          customer_keys.length === 0
            ? null
            : readRevocations(yield* many(revocationsOf(engine, lookup, customer_keys)));
        return {
          key: keyState(key, session, fingerprint, now),
          cart,
          not_before: revocation?.not_before ?? null,
          customer_erased: revocation?.erased ?? false,
        };
      }),

    loadCart: (partition, product_ids, coupon_code) =>
      engine.read(() => findCart(partition, product_ids, coupon_code)),
  };
}

interface KnownKey {
  readonly key: StoredKey | null;
  readonly session: SessionRecord | null;
}

function keyReader({ db }: SqlEngine) {
  const findKey = prepare((param) =>
    db
      .selectFrom("idempotency_keys")
      .selectAll()
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
      .where("key_kind", "=", param<SessionLookup["key_kind"]>("key_kind"))
      .where("operation", "=", param<string>("operation"))
      .where("idempotency_key", "=", param<string>("idempotency_key")),
  );
  const findSession = prepare((param) =>
    db
      .selectFrom("checkout_sessions")
      .select("record")
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
      .where("id", "=", param<string>("id")),
  );

  return function* readKey(lookup: SessionLookup): QueryGenerator<KnownKey> {
    const row = yield* one(findKey(scopeColumns(lookup)));
    if (!row) return { key: null, session: null };

    const known = yield* one(findSession({ ...partitionColumns(lookup), id: row.session_id }));
    return { key: storedKey(row), session: known ? fromJson<SessionRecord>(known.record) : null };
  };
}

function cartReader(engine: SqlEngine) {
  const findProducts = productReader(engine);
  const findCoupon = couponReader(engine);

  return function* readCart(
    partition: Partition,
    product_ids: readonly string[],
    coupon_code: string | null,
  ): QueryGenerator<Cart> {
    const products = yield* findProducts(partition, product_ids);
    const coupon = coupon_code === null ? null : yield* findCoupon(partition, coupon_code);
    return { products, coupon };
  };
}

function productReader({ db }: SqlEngine) {
  const idParams = (count: number, param: Param) =>
    Array.from({ length: count }, (_, index) => param<string>(`p${index}`));
  const findProducts = prepareEach(
    (count: number) => count,
    (count, param) =>
      db
        .selectFrom("products")
        .select(["id", "record"])
        .where("store_id", "=", param<string>("store_id"))
        .where("id", "in", idParams(count, param)),
  );
  const findCounts = prepareEach(
    (count: number) => count,
    (count, param) =>
      db
        .selectFrom("stock")
        .select(["product_id", ...countColumns])
        .where("store_id", "=", param<string>("store_id"))
        .where("livemode", "=", param<0 | 1>("livemode"))
        .where("product_id", "in", idParams(count, param)),
  );

  return function* readProducts(
    partition: Partition,
    product_ids: readonly string[],
  ): QueryGenerator<Cart["products"]> {
    if (product_ids.length === 0) return [];

    const ids = Object.fromEntries(product_ids.map((id, index) => [`p${index}`, id]));
    const values = { ...partitionColumns(partition), ...ids };
    const products = yield* many(findProducts(product_ids.length, values));
    const rows = yield* many(findCounts(product_ids.length, values));
    const counts = new Map(rows.map((row) => [row.product_id, readCount(row)]));
    return products.map(({ id, record }) => ({
      ...fromJson<ProductRecord>(record),
      on_hand: onHandOf(counts.get(id)),
    }));
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
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
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
