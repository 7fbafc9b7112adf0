import { type RawBuilder, sql } from "kysely";
import type { Cart, KeyScope } from "../../../../src/rules/checkout-records.ts";
import type { StoredKey } from "../../../../src/rules/key-state.ts";
import type {
  CouponRecord,
  Partition,
  ProductRecord,
  SessionRecord,
} from "../../../../src/rules/records.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { Db } from "../engine/engine.ts";
import { type Param, prepareTextRowsEach, type TextRowQuery } from "../engine/queries.ts";
import { scopeColumns, storedKey } from "./keys.ts";

// One statement reads an idempotency key and a cart together, or the cart alone.

interface LookupRow {
  readonly line: string;
}

/** The statements, compiled once for each number of products. */
export function lookupQueries(db: Db) {
  const withKey = prepareTextRowsEach(
    (products: number) => products,
    (products, param) => {
      const rows = sql<LookupRow>`${keyRows(param)} union all ${cartRows(products, param)}`;
      return { compile: () => rows.compile(db) };
    },
  );
  const cart = prepareTextRowsEach(
    (products: number) => products,
    (products, param) => ({ compile: () => cartRows(products, param).compile(db) }),
  );

  return {
    withKey(
      scope: KeyScope,
      product_ids: readonly string[],
      coupon_code: string | null,
    ): TextRowQuery {
      const values = cartValues(scope, product_ids, coupon_code);
      return withKey(product_ids.length, Object.assign(values, scopeColumns(scope)));
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

/** Joins fields to one text. A reply's body stands last, for only it may hold an end of line. */
const lineOf = (...fields: readonly RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`${sql.join(fields, sql` || ${sql.lit("\n")} || `)} as line`;

const keyRows = (param: Param): RawBuilder<LookupRow> => sql<LookupRow>`
  select ${lineOf(
    sql`'key'`,
    sql`k.fingerprint`,
    sql`k.session_id`,
    sql`coalesce(cast(k.status as text), '')`,
    sql`coalesce(k.request_id, '')`,
    sql`coalesce(k.lock_token, '')`,
    sql`cast(k.locked_until as text)`,
    sql`cast(k.created_at as text)`,
    sql`coalesce(s.record, '')`,
    sql`coalesce(k.body, '')`,
  )}
  from ${sql.table("idempotency_keys")} as k
  left join ${sql.table("checkout_sessions")} as s
    on s.store_id = k.store_id and s.livemode = k.livemode and s.id = k.session_id
  where k.store_id = ${param("store_id")} and k.livemode = ${param("livemode")}
    and k.key_kind = ${param("key_kind")} and k.operation = ${param("operation")}
    and k.idempotency_key = ${param("idempotency_key")}`;

function cartRows(products: number, param: Param): RawBuilder<LookupRow> {
  const coupon = sql<LookupRow>`
    select ${lineOf(sql`'coupon'`, sql`cast(coalesce(n.used, 0) as text)`, sql`c.record`)}
    from ${sql.table("coupons")} as c
    left join ${sql.table("coupon_counters")} as n
      on n.store_id = c.store_id and n.livemode = ${param("livemode")} and n.coupon_id = c.id
    where c.store_id = ${param("store_id")} and c.code = ${param("coupon_code")}`;
  if (products === 0) return coupon;

  const ids = sql.join(Array.from({ length: products }, (_, index) => param(`p${index}`)));
  const onHand = sql`coalesce(cast(t.stock - t.held as text), '')`;
  return sql<LookupRow>`
    select ${lineOf(sql`'product'`, onHand, sql`p.record`)}
    from ${sql.table("products")} as p
    left join ${sql.table("stock")} as t
      on t.store_id = p.store_id and t.livemode = ${param("livemode")} and t.product_id = p.id
    where p.store_id = ${param("store_id")} and p.id in (${ids})
    union all ${coupon}`;
}

/** What a look-up found: the key with the session of its reply, and the cart. */
interface Lookup {
  readonly key: StoredKey | null;
  readonly session: SessionRecord | null;
  readonly cart: Cart;
}

export function readLookup(lines: readonly (string | null)[]): Lookup {
  let known: Omit<Lookup, "cart"> = { key: null, session: null };
  const products: Cart["products"][number][] = [];
  let coupon: Cart["coupon"] = null;
  for (const line of lines) {
    if (line === null) continue;

    if (line.startsWith("key\n")) known = readKey(line);
    else if (line.startsWith("product\n")) products.push(readProduct(line));
    else coupon = readCoupon(line);
  }
  return { ...known, cart: { products, coupon } };
}

function readProduct(line: string): Cart["products"][number] {
  const { count, record } = splitCounted(line);
  const on_hand = count === "" ? null : Number(count);
  return Object.assign(fromJson<ProductRecord>(record), { on_hand });
}

function readCoupon(line: string): NonNullable<Cart["coupon"]> {
  const { count, record } = splitCounted(line);
  return Object.assign(fromJson<CouponRecord>(record), { used: Number(count) });
}

/** The fields of a line that holds a kind, a count and a record. */
function splitCounted(line: string): { readonly count: string; readonly record: string } {
  const countAt = line.indexOf("\n") + 1;
  const recordAt = line.indexOf("\n", countAt) + 1;
  return { count: line.slice(countAt, recordAt - 1), record: line.slice(recordAt) };
}

function readKey(line: string): Omit<Lookup, "cart"> {
  const [
    ,
    fingerprint = "",
    session_id = "",
    status,
    request_id,
    lock_token,
    locked_until,
    created_at,
    session,
    ...body
  ] = line.split("\n");
  const key = storedKey({
    fingerprint,
    session_id,
    status: status ? Number(status) : null,
    body: body.join("\n") || null,
    request_id: request_id || null,
    lock_token: lock_token || null,
    locked_until: Number(locked_until),
    created_at: Number(created_at),
  });
  return { key, session: session ? fromJson<SessionRecord>(session) : null };
}
