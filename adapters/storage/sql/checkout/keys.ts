import { sql } from "kysely";
import type { KeyScope } from "#core/rules/checkout/checkout-records.ts";
import type { IdempotencyKey } from "#core/rules/checkout/key-state.ts";
import type { ScopedKey } from "#core/rules/orders/order-changes.ts";
import type { SessionRecord } from "#core/rules/records.ts";
import type { FoundKey } from "#core/storage/checkout-store.ts";
import { GuardFailed } from "../catalog/stock/guard-failed.ts";
import { fromJson, ofPartition, partitionColumns, toBool } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import {
  changed,
  many,
  one,
  type Param,
  prepareRaw,
  type QueryGenerator,
} from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

// The functions of this file read and write the rows of idempotency keys.

type KeyRow = Tables["idempotency_keys"];

type KeyValues = Pick<
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

// The objects below have no spread: V8 adds the fields after one by one, at a microsecond each.

export const scopeColumns = (scope: KeyScope) => ({
  store_id: scope.store_id,
  livemode: toBool(scope.livemode),
  key_kind: scope.key_kind,
  operation: scope.operation,
  idempotency_key: scope.idempotency_key,
});

export const keyValues = (key: IdempotencyKey): KeyValues => ({
  fingerprint: key.fingerprint,
  session_id: key.session_id,
  status: key.reply?.status ?? null,
  body: key.reply?.body ?? null,
  request_id: key.reply?.request_id ?? null,
  lock_token: key.lock_token,
  locked_until: key.locked_until,
  created_at: key.created_at,
});

export function storedKey(row: KeyValues): IdempotencyKey {
  const { fingerprint, session_id, lock_token, locked_until, created_at } = row;
  const { status, body, request_id } = row;
  const hasReply = status !== null && body !== null && request_id !== null;
  const reply = hasReply ? { status, body, request_id, session_id, fingerprint, created_at } : null;
  return { fingerprint, session_id, reply, lock_token, locked_until, created_at };
}

/** Gives the values with which a key and its new session are inserted. */
export const rowValues = (scope: KeyScope, key: IdempotencyKey, session: SessionRecord) => {
  const { id, expires_at } = session;
  const row = { id, expires_at, record: JSON.stringify(session) };
  return Object.assign(scopeColumns(scope), keyValues(key), row);
};

export const sessionInsert = (db: Db, param: Param) =>
  db.insertInto("checkout_sessions").values({
    store_id: param<string>("store_id"),
    livemode: param<0 | 1>("livemode"),
    id: param<string>("id"),
    status: "open",
    expires_at: param<number>("expires_at"),
    record: param<string>("record"),
  });

/** The lock of a key that is finished. */
export const unlocked = { lock_token: null, locked_until: 0 };

export const lockOf = (param: Param) => ({
  lock_token: param<string | null>("lock_token"),
  locked_until: param<number>("locked_until"),
});

/** Inserts a key, and nothing when the key is known. */
export const keyInsert = (
  db: Db,
  param: Param,
  lock: ReturnType<typeof lockOf> | typeof unlocked,
) =>
  db
    .insertInto("idempotency_keys")
    .values({
      store_id: param<string>("store_id"),
      livemode: param<0 | 1>("livemode"),
      key_kind: param<KeyRow["key_kind"]>("key_kind"),
      operation: param<string>("operation"),
      idempotency_key: param<string>("idempotency_key"),
      fingerprint: param<string>("fingerprint"),
      session_id: param<string>("session_id"),
      status: param<number>("status"),
      body: param<string>("body"),
      request_id: param<string>("request_id"),
      ...lock,
      created_at: param<number>("created_at"),
    })
    .onConflict((conflict) => conflict.doNothing());

export type RowValues = ReturnType<typeof rowValues>;

/** Inserts key and session in one statement, or neither when the key is known. */
export const keyAndSessionInsert = (db: Db) =>
  prepareRaw<{ session_id: string }>(
    db,
    (param) => sql`
    with claimed as (
      insert into ${sql.table("idempotency_keys")}
        (store_id, livemode, key_kind, operation, idempotency_key, fingerprint, session_id,
          status, body, request_id, lock_token, locked_until, created_at)
      values (${param("store_id")}, ${param("livemode")}, ${param("key_kind")},
        ${param("operation")}, ${param("idempotency_key")}, ${param("fingerprint")},
        ${param("session_id")}, ${param("status")}, ${param("body")}, ${param("request_id")},
        null, 0, ${param("created_at")})
      on conflict do nothing returning store_id, livemode, session_id)
    insert into ${sql.table("checkout_sessions")}
      (store_id, livemode, id, status, expires_at, record)
    select store_id, livemode, session_id, 'open',
      cast(${param("expires_at")} as bigint), ${param("record")}
    from claimed returning id as session_id`,
  );

export function keyUpdate(db: Db, scope: KeyScope, changes: Partial<KeyValues>) {
  const columns = scopeColumns(scope);
  return db
    .updateTable("idempotency_keys")
    .set(changes)
    .where(ofPartition(columns))
    .where("key_kind", "=", columns.key_kind)
    .where("operation", "=", columns.operation)
    .where("idempotency_key", "=", columns.idempotency_key);
}

export function keyDelete(db: Db, scope: KeyScope) {
  const columns = scopeColumns(scope);
  return db
    .deleteFrom("idempotency_keys")
    .where(ofPartition(columns))
    .where("key_kind", "=", columns.key_kind)
    .where("operation", "=", columns.operation)
    .where("idempotency_key", "=", columns.idempotency_key);
}

/** Inserts the session, or writes the record of one that the key's claim has stored. */
export function* putSession(db: Db, session: SessionRecord): QueryGenerator<void> {
  const { id, status, expires_at } = session;
  const row = { status, expires_at, record: JSON.stringify(session) };
  yield* many(
    db
      .insertInto("checkout_sessions")
      .values({ ...partitionColumns(session), id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}

/** Locks a key, with the session that it names. */
export function* lockKey(engine: SqlEngine, scope: KeyScope): QueryGenerator<FoundKey> {
  const key = yield* lockKeyRow(engine, scope);
  return { key, session: key && (yield* lockSession(engine, scope, key.session_id)) };
}

/** Locks a key alone. */
export function* lockKeyRow(
  { db, dialect }: SqlEngine,
  scope: KeyScope,
): QueryGenerator<IdempotencyKey | null> {
  const columns = scopeColumns(scope);
  const byScope = db
    .selectFrom("idempotency_keys")
    .selectAll()
    .where(ofPartition(columns))
    .where("key_kind", "=", columns.key_kind)
    .where("operation", "=", columns.operation)
    .where("idempotency_key", "=", columns.idempotency_key);
  const row = yield* one(dialect.forUpdate(byScope));
  return row ? storedKey(row) : null;
}

/**
 * Writes the key that a step of a session finishes. When another session's step has taken the
 * key meanwhile, this step begins again and sees it.
 */
export function* finishKey(
  { db }: SqlEngine,
  { scope, key }: ScopedKey,
  known: IdempotencyKey | null,
): QueryGenerator<void> {
  const values = keyValues(key);
  const write = known
    ? keyUpdate(db, scope, values)
    : db
        .insertInto("idempotency_keys")
        .values({ ...scopeColumns(scope), ...values })
        .onConflict((conflict) => conflict.doNothing());
  if (!(yield* changed(write.compile())))
    throw new GuardFailed("The same idempotency key was used by another step.");
}

function* lockSession(
  { db, dialect }: Pick<SqlEngine, "db" | "dialect">,
  scope: KeyScope,
  id: string,
): QueryGenerator<SessionRecord | null> {
  const byId = db
    .selectFrom("checkout_sessions")
    .select("record")
    .where(ofPartition(scope))
    .where("id", "=", id);
  const row = yield* one(dialect.forUpdate(byId));
  return row ? fromJson<SessionRecord>(row.record) : null;
}
