import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { keyLifetimeMs } from "../../../src/storage/key-lifetime.ts";
import type { CouponRecord, Partition, ProductRecord, SessionRecord } from "../../../src/storage/records.ts";
import type { Cart, KeyScope, KeyState } from "../../../src/storage/types.ts";
import type { Db } from "./engine.ts";
import { fromJson, own } from "./json.ts";
import { type Place, prepareEach } from "./step.ts";
import type { Tables } from "./tables.ts";

export type KeyRow = Tables["idempotency_keys"];

/** One row of the look-up that reads key, products and coupon in one statement. */
interface LookupRow
  extends Partial<
    Pick<KeyRow, "fingerprint" | "session_id" | "status" | "body" | "request_id" | "lock_token" | "locked_until" | "created_at">
  > {
  readonly kind: "key" | "product" | "coupon";
  /** The session's, product's or coupon's JSON. */
  readonly record: string | null;
  /** Pieces on hand, or uses; null when not counted. */
  readonly amount: number | null;
}

export const keyColumns = (scope: KeyScope) => ({
  key_kind: scope.key_kind,
  operation: scope.operation,
  idempotency_key: scope.idempotency_key,
  ...own(scope),
});

/** Key and cart together, or the cart alone: one statement, compiled once for each number of products. */
export function createLookups(db: Db) {
  const withKey = prepareEach(
    (products: number) => products,
    (products, place) => ({ compile: () => sql<LookupRow>`${keyRows(place)} union all ${cartRows(products, place)}`.compile(db) }),
  );
  const cart = prepareEach(
    (products: number) => products,
    (products, place) => ({ compile: () => cartRows(products, place).compile(db) }),
  );
  const values = (partition: Partition, product_ids: readonly string[], coupon_code: string | null): Record<string, unknown> => {
    const named: Record<string, unknown> = { coupon_code, ...own(partition) };
    for (const [index, id] of product_ids.entries()) named[`p${index}`] = id;
    return named;
  };
  return {
    withKey: (scope: KeyScope, product_ids: readonly string[], coupon_code: string | null): CompiledQuery<LookupRow> =>
      withKey(product_ids.length, Object.assign(values(scope, product_ids, coupon_code), keyColumns(scope))),
    cart: (partition: Partition, product_ids: readonly string[], coupon_code: string | null): CompiledQuery<LookupRow> =>
      cart(product_ids.length, values(partition, product_ids, coupon_code)),
  };
}

const keyRows = (place: Place): RawBuilder<LookupRow> => sql<LookupRow>`
  select 'key' as kind, s.record as record, cast(null as bigint) as amount, k.fingerprint, k.session_id, k.status, k.body, k.request_id, k.lock_token, k.locked_until, k.created_at
  from ${sql.table("idempotency_keys")} as k
  left join ${sql.table("checkout_sessions")} as s on s.store_id = k.store_id and s.livemode = k.livemode and s.id = k.session_id
  where k.store_id = ${place("store_id")} and k.livemode = ${place("livemode")} and k.key_kind = ${place("key_kind")} and k.operation = ${place("operation")}
    and k.idempotency_key = ${place("idempotency_key")}`;

const nothing = sql`cast(null as text), cast(null as text), cast(null as integer), cast(null as text), cast(null as text), cast(null as text), cast(null as bigint), cast(null as bigint)`;

function cartRows(products: number, place: Place): RawBuilder<LookupRow> {
  const coupon = sql<LookupRow>`
    select 'coupon' as kind, c.record as record, coalesce(n.used, 0) as amount, ${nothing}
    from ${sql.table("coupons")} as c
    left join ${sql.table("coupon_counters")} as n on n.store_id = c.store_id and n.livemode = ${place("livemode")} and n.coupon_id = c.id
    where c.store_id = ${place("store_id")} and c.code = ${place("coupon_code")}`;
  if (products === 0) return coupon;
  const ids = sql.join(Array.from({ length: products }, (_, index) => place(`p${index}`)));
  return sql<LookupRow>`
    select 'product' as kind, p.record as record, t.stock - t.held as amount, ${nothing}
    from ${sql.table("products")} as p
    left join ${sql.table("stock")} as t on t.store_id = p.store_id and t.livemode = ${place("livemode")} and t.product_id = p.id
    where p.store_id = ${place("store_id")} and p.id in (${ids})
    union all ${coupon}`;
}

export function readCart(rows: readonly LookupRow[]): Cart {
  const products: Cart["products"][number][] = [];
  let coupon: Cart["coupon"] = null;
  for (const { kind, record, amount } of rows) {
    if (record === null) continue;
    if (kind === "product") products.push(Object.assign(fromJson<ProductRecord>(record), { on_hand: amount }));
    if (kind === "coupon") coupon = Object.assign(fromJson<CouponRecord>(record), { used: amount ?? 0 });
  }
  return { products, coupon };
}

type StateColumns = Pick<
  KeyRow,
  "fingerprint" | "session_id" | "status" | "body" | "request_id" | "lock_token" | "locked_until" | "created_at"
>;

export const keyRow = (row: LookupRow): StateColumns => ({
  fingerprint: row.fingerprint ?? "",
  session_id: row.session_id ?? "",
  status: row.status ?? null,
  body: row.body ?? null,
  request_id: row.request_id ?? null,
  lock_token: row.lock_token ?? null,
  locked_until: row.locked_until ?? 0,
  created_at: row.created_at ?? 0,
});

/** CONTRACT 5: what a stored key means for a request of this fingerprint. */
export function stateOf(row: StateColumns, session: SessionRecord | null, fingerprint: string, now: number): KeyState {
  if (row.created_at <= now - keyLifetimeMs) return { outcome: "free" };
  const running = row.lock_token !== null && row.locked_until > now;
  const done = row.status !== null && row.body !== null && row.request_id !== null;
  if (row.fingerprint !== fingerprint) return done || running ? { outcome: "different_body" } : { outcome: "free" };
  if (done && session) {
    const { status, body, request_id, session_id, created_at } = row;
    return {
      outcome: "replay",
      reply: { status: status ?? 0, body: body ?? "", request_id: request_id ?? "", session_id, fingerprint, created_at },
      session,
    };
  }
  return running ? { outcome: "in_progress" } : { outcome: "free" };
}
