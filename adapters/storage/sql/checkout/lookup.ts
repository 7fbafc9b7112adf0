import { type RawBuilder, sql } from "kysely";
import type { Cart, KeyScope, KeyState } from "../../../../src/rules/checkout-records.ts";
import { keyLifetimeMs } from "../../../../src/rules/key-lifetime.ts";
import type {
  CouponRecord,
  Partition,
  ProductRecord,
  SessionRecord,
} from "../../../../src/rules/records.ts";
import type { Db } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { type LineQuery, type Place, prepareLinesEach } from "../engine/step.ts";
import type { Tables } from "../schema/tables.ts";

export type KeyRow = Tables["idempotency_keys"];

/** The key's part of the look-up, with the JSON of its session. */
interface Known {
  readonly row: StateColumns;
  readonly session: SessionRecord | null;
}

export const keyColumns = (scope: KeyScope) => ({
  key_kind: scope.key_kind,
  operation: scope.operation,
  idempotency_key: scope.idempotency_key,
  ...own(scope),
});

/** Key and cart together, or the cart alone: one statement, compiled once for each number of products. */
export function createLookups(db: Db) {
  const withKey = prepareLinesEach(
    (products: number) => products,
    (products, place) => ({
      compile: () =>
        sql<LookupRow>`${keyRows(place)} union all ${cartRows(products, place)}`.compile(db),
    }),
  );
  const cart = prepareLinesEach(
    (products: number) => products,
    (products, place) => ({ compile: () => cartRows(products, place).compile(db) }),
  );
  const values = (
    partition: Partition,
    product_ids: readonly string[],
    coupon_code: string | null,
  ): Record<string, unknown> => {
    const { store_id, livemode } = own(partition);
    const named: Record<string, unknown> = { coupon_code, store_id, livemode };
    for (const [index, id] of product_ids.entries()) named[`p${index}`] = id;
    return named;
  };
  return {
    withKey: (
      scope: KeyScope,
      product_ids: readonly string[],
      coupon_code: string | null,
    ): LineQuery =>
      withKey(
        product_ids.length,
        Object.assign(values(scope, product_ids, coupon_code), keyColumns(scope)),
      ),
    cart: (
      partition: Partition,
      product_ids: readonly string[],
      coupon_code: string | null,
    ): LineQuery => cart(product_ids.length, values(partition, product_ids, coupon_code)),
  };
}

// A line's parts have an end of line between them; a stored reply comes last, for it alone may hold one.
const parts = (...columns: readonly RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`${sql.join(columns, sql` || ${sql.lit("\n")} || `)} as line`;

const keyRows = (place: Place): RawBuilder<LookupRow> => sql<LookupRow>`
  select ${parts(
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
  left join ${sql.table("checkout_sessions")} as s on s.store_id = k.store_id and s.livemode = k.livemode and s.id = k.session_id
  where k.store_id = ${place("store_id")} and k.livemode = ${place("livemode")} and k.key_kind = ${place("key_kind")} and k.operation = ${place("operation")}
    and k.idempotency_key = ${place("idempotency_key")}`;

function cartRows(products: number, place: Place): RawBuilder<LookupRow> {
  const coupon = sql<LookupRow>`
    select ${parts(sql`'coupon'`, sql`cast(coalesce(n.used, 0) as text)`, sql`c.record`)}
    from ${sql.table("coupons")} as c
    left join ${sql.table("coupon_counters")} as n on n.store_id = c.store_id and n.livemode = ${place("livemode")} and n.coupon_id = c.id
    where c.store_id = ${place("store_id")} and c.code = ${place("coupon_code")}`;
  if (products === 0) return coupon;
  const ids = sql.join(Array.from({ length: products }, (_, index) => place(`p${index}`)));
  return sql<LookupRow>`
    select ${parts(sql`'product'`, sql`coalesce(cast(t.stock - t.held as text), '')`, sql`p.record`)}
    from ${sql.table("products")} as p
    left join ${sql.table("stock")} as t on t.store_id = p.store_id and t.livemode = ${place("livemode")} and t.product_id = p.id
    where p.store_id = ${place("store_id")} and p.id in (${ids})
    union all ${coupon}`;
}

type LookupRow = { line: string };

/** The lines of a look-up: the key's state, when there is one, and the cart. */
export function readLookup(lines: readonly (string | null)[]): {
  readonly known: Known | null;
  readonly cart: Cart;
} {
  let known: Known | null = null;
  const products: Cart["products"][number][] = [];
  let coupon: Cart["coupon"] = null;
  for (const line of lines) {
    if (line === null) continue;
    if (line.startsWith("key\n")) {
      known = readKnown(line);
      continue;
    }
    const amount = line.indexOf("\n") + 1;
    const record = line.indexOf("\n", amount) + 1;
    const counted = line.slice(amount, record - 1);
    if (line.startsWith("product"))
      products.push(
        Object.assign(fromJson<ProductRecord>(line.slice(record)), {
          on_hand: counted === "" ? null : Number(counted),
        }),
      );
    else
      coupon = Object.assign(fromJson<CouponRecord>(line.slice(record)), { used: Number(counted) });
  }
  return { known, cart: { products, coupon } };
}

function readKnown(line: string): Known {
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
  const row = {
    fingerprint,
    session_id,
    status: status ? Number(status) : null,
    body: body.join("\n") || null,
    request_id: request_id || null,
    lock_token: lock_token || null,
    locked_until: Number(locked_until),
    created_at: Number(created_at),
  };
  return { row, session: session ? fromJson<SessionRecord>(session) : null };
}

type StateColumns = Pick<
  KeyRow,
  | "fingerprint"
  | "session_id"
  | "status"
  | "body"
  | "request_id"
  | "lock_token"
  | "locked_until"
  | "created_at"
>;

/** CONTRACT 5: what a stored key means for a request of this fingerprint. */
export function stateOf(
  row: StateColumns,
  session: SessionRecord | null,
  fingerprint: string,
  now: number,
): KeyState {
  if (row.created_at <= now - keyLifetimeMs) return { outcome: "free" };
  const running = row.lock_token !== null && row.locked_until > now;
  const done = row.status !== null && row.body !== null && row.request_id !== null;
  if (row.fingerprint !== fingerprint)
    return done || running ? { outcome: "different_body" } : { outcome: "free" };
  if (done && session) {
    const { status, body, request_id, session_id, created_at } = row;
    return {
      outcome: "replay",
      reply: {
        status: status ?? 0,
        body: body ?? "",
        request_id: request_id ?? "",
        session_id,
        fingerprint,
        created_at,
      },
      session,
    };
  }
  return running ? { outcome: "in_progress" } : { outcome: "free" };
}
