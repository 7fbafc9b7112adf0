import { type RawBuilder, sql } from "kysely";
import { mergeRevocations, type Revocation } from "#core/rules/checkout/buyer.ts";
import type { Cart } from "#core/rules/checkout/checkout-records.ts";
import type { IdempotencyKey } from "#core/rules/checkout/key-state.ts";
import type { CouponRecord, Partition, ProductRecord, SessionRecord } from "#core/rules/records.ts";
import type { SessionLookup } from "#core/storage/checkout-store.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import {
  type Param,
  prepareTextRowsEach,
  type TextRow,
  type TextRowQuery,
} from "../engine/queries.ts";
import { orEmpty, TextRowReader, textRow } from "../engine/text-rows.ts";
import { scopeColumns, storedKey } from "./keys.ts";

// One statement reads an idempotency key, a customer's revocation and a cart together, or the cart
// alone.

/** Makes the statements, compiled once for each number of products. */
export function lookupQueries({ db }: SqlEngine) {
  const withKey = prepareTextRowsEach(
    ({ products, names }: { readonly products: number; readonly names: number }) =>
      `${products}:${names}`,
    ({ products, names }, param) => {
      const revocations = names === 0 ? sql`` : sql`union all ${revocationRows(names, param)}`;
      const rows = sql<TextRow>`${keyRows(param)} ${revocations}
        union all ${cartRows(products, param)}`;
      return { compile: () => rows.compile(db) };
    },
  );
  const cart = prepareTextRowsEach(
    (products: number) => products,
    (products, param) => ({ compile: () => cartRows(products, param).compile(db) }),
  );

  return {
    withKey(lookup: SessionLookup): TextRowQuery {
      const { product_ids, coupon_code, customer_keys } = lookup;
      const values = cartValues(lookup, product_ids, coupon_code);
      for (const [index, key] of customer_keys.entries()) values[`c${index}`] = key;
      const shape = { products: product_ids.length, names: customer_keys.length };
      return withKey(shape, Object.assign(values, scopeColumns(lookup)));
    },

    cart: (
      partition: Partition,
      product_ids: readonly string[],
      coupon_code: string | null,
    ): TextRowQuery => cart(product_ids.length, cartValues(partition, product_ids, coupon_code)),
  };
}

function cartValues(
  partition: Partition,
  product_ids: readonly string[],
  coupon_code: string | null,
): Record<string, unknown> {
  const { store_id, livemode } = partitionColumns(partition);
  const values: Record<string, unknown> = { coupon_code, store_id, livemode };
  for (const [index, id] of product_ids.entries()) values[`p${index}`] = id;
  return values;
}

const keyRows = (param: Param): RawBuilder<TextRow> => sql<TextRow>`
  select ${textRow(
    sql`'key'`,
    sql`k.fingerprint`,
    sql`k.session_id`,
    orEmpty(sql`k.status`),
    orEmpty(sql`k.request_id`),
    orEmpty(sql`k.lock_token`),
    sql`cast(k.locked_until as text)`,
    sql`cast(k.created_at as text)`,
    orEmpty(sql`s.record`),
    orEmpty(sql`k.body`),
  )}
  from ${sql.table("idempotency_keys")} as k
  left join ${sql.table("checkout_sessions")} as s
    on s.store_id = k.store_id and s.livemode = k.livemode and s.id = k.session_id
  where k.store_id = ${param("store_id")} and k.livemode = ${param("livemode")}
    and k.key_kind = ${param("key_kind")} and k.operation = ${param("operation")}
    and k.idempotency_key = ${param("idempotency_key")}`;

/** Selects the revocations under each of the customer's names. */
function revocationRows(names: number, param: Param): RawBuilder<TextRow> {
  const keys = sql.join(Array.from({ length: names }, (_, index) => param(`c${index}`)));
  return sql<TextRow>`
    select ${textRow(sql`'revocation'`, sql`cast(erased as text)`, sql`cast(not_before as text)`)}
    from ${sql.table("customer_tokens")}
    where store_id = ${param("store_id")} and livemode = ${param("livemode")}
      and customer_id in (${keys})`;
}

/** Null when the product is not counted. */
const onHand = sql`case when t.counted = 1 then t.stock - t.held end`;

function cartRows(products: number, param: Param): RawBuilder<TextRow> {
  const coupon = sql<TextRow>`
    select ${textRow(sql`'coupon'`, sql`cast(coalesce(n.used, 0) as text)`, sql`c.record`)}
    from ${sql.table("coupons")} as c
    left join ${sql.table("coupon_counters")} as n
      on n.store_id = c.store_id and n.livemode = ${param("livemode")} and n.coupon_id = c.id
    where c.store_id = ${param("store_id")} and c.code = ${param("coupon_code")}`;
  if (products === 0) return coupon;

  const ids = sql.join(Array.from({ length: products }, (_, index) => param(`p${index}`)));
  return sql<TextRow>`
    select ${textRow(sql`'product'`, orEmpty(onHand), sql`p.record`)}
    from ${sql.table("products")} as p
    left join ${sql.table("stock")} as t
      on t.store_id = p.store_id and t.livemode = ${param("livemode")} and t.product_id = p.id
    where p.store_id = ${param("store_id")} and p.id in (${ids})
    union all ${coupon}`;
}

/** A look-up found this: the key with the session of its reply, the revocation and the cart. */
interface Lookup extends KnownKey {
  readonly revocation: Revocation | null;
  readonly cart: Cart;
}

interface KnownKey {
  readonly key: IdempotencyKey | null;
  readonly session: SessionRecord | null;
}

export function readLookup(rows: readonly (string | null)[]): Lookup {
  let known: KnownKey = { key: null, session: null };
  const revocations: Revocation[] = [];
  const products: Cart["products"][number][] = [];
  let coupon: Cart["coupon"] = null;
  for (const text of rows) {
    if (text === null) continue;

    const row = new TextRowReader(text);
    const kind = row.text();
    if (kind === "key") known = readKey(row);
    else if (kind === "revocation") revocations.push(readRevocation(row));
    else if (kind === "product") products.push(readProduct(row));
    else coupon = readCoupon(row);
  }
  return { ...known, revocation: mergeRevocations(revocations), cart: { products, coupon } };
}

function readRevocation(row: TextRowReader): Revocation {
  const erased = row.integer() === 1;
  return { erased, not_before: Number(row.rest()) };
}

function readProduct(row: TextRowReader): Cart["products"][number] {
  const on_hand = row.integerOrNull();
  return Object.assign(fromJson<ProductRecord>(row.rest()), { on_hand });
}

function readCoupon(row: TextRowReader): NonNullable<Cart["coupon"]> {
  const used = row.integer();
  return Object.assign(fromJson<CouponRecord>(row.rest()), { used });
}

/**
 * Reads the fields in the order that `keyRows` selects them in; the reply's body
 * comes last.
 */
function readKey(row: TextRowReader): KnownKey {
  const fingerprint = row.text();
  const session_id = row.text();
  const status = row.integerOrNull();
  const request_id = row.textOrNull();
  const lock_token = row.textOrNull();
  const locked_until = row.integer();
  const created_at = row.integer();
  const session = row.textOrNull();
  const body = row.rest() || null;
  const key = storedKey({
    fingerprint,
    session_id,
    status,
    body,
    request_id,
    lock_token,
    locked_until,
    created_at,
  });
  return { key, session: session === null ? null : fromJson<SessionRecord>(session) };
}
