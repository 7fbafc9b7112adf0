import { sql } from "kysely";
import type { KeyScope, KeyState } from "../../../../src/rules/checkout-records.ts";
import { keyLifetimeMs } from "../../../../src/rules/key-lifetime.ts";
import type { OrderRecord, SessionRecord } from "../../../../src/rules/records.ts";
import type { CheckoutStore } from "../../../../src/storage/types.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { changed, many, one, prepare, prepareRaw, type Step } from "../engine/step.ts";
import { createLookups, type KeyRow, keyColumns, readLookup, stateOf } from "./lookup.ts";

export function sqlCheckout(engine: SqlEngine): CheckoutStore {
  const { db } = engine;
  const compiled = createLookups(db);
  const insertSession = prepare((place) =>
    db.insertInto("checkout_sessions").values({
      store_id: place<string>("store_id"),
      livemode: place<0 | 1>("livemode"),
      id: place<string>("id"),
      status: "open",
      expires_at: place<number>("expires_at"),
      record: place<string>("record"),
    }),
  );
  const insertKey = prepare((place) =>
    db
      .insertInto("idempotency_keys")
      .values({
        store_id: place<string>("store_id"),
        livemode: place<0 | 1>("livemode"),
        key_kind: place<KeyRow["key_kind"]>("key_kind"),
        operation: place<string>("operation"),
        idempotency_key: place<string>("idempotency_key"),
        fingerprint: place<string>("fingerprint"),
        session_id: place<string>("session_id"),
        status: place<number>("status"),
        body: place<string>("body"),
        request_id: place<string>("request_id"),
        lock_token: null,
        locked_until: 0,
        created_at: place<number>("created_at"),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );

  const insertBoth = prepareRaw<{ session_id: string }>(
    db,
    (place) => sql`
    with claimed as (
      insert into ${sql.table("idempotency_keys")}
        (store_id, livemode, key_kind, operation, idempotency_key, fingerprint, session_id, status, body, request_id, lock_token, locked_until, created_at)
      values (${place("store_id")}, ${place("livemode")}, ${place("key_kind")}, ${place("operation")}, ${place("idempotency_key")},
        ${place("fingerprint")}, ${place("session_id")}, ${place("status")}, ${place("body")}, ${place("request_id")}, null, 0, ${place("created_at")})
      on conflict do nothing returning store_id, livemode, session_id)
    insert into ${sql.table("checkout_sessions")} (store_id, livemode, id, status, expires_at, record)
    select store_id, livemode, session_id, 'open', cast(${place("expires_at")} as bigint), ${place("record")} from claimed returning id as session_id`,
  );

  return {
    async openCheckout(lookup) {
      const query = compiled.withKey(lookup, lookup.product_ids, lookup.coupon_code);
      const { known, cart } = readLookup(await engine.lines(query));
      return {
        key: known
          ? stateOf(known.row, known.session, lookup.fingerprint, lookup.now)
          : { outcome: "free" },
        cart,
      };
    },
    loadCart: async (partition, product_ids, coupon_code) =>
      readLookup(await engine.lines(compiled.cart(partition, product_ids, coupon_code))).cart,
    claimKey: (scope, claim) =>
      engine.write(function* (): Step<Awaited<ReturnType<CheckoutStore["claimKey"]>>> {
        const row = {
          ...keyColumns(scope),
          fingerprint: claim.fingerprint,
          session_id: claim.session_id,
          status: null,
          body: null,
          request_id: null,
        };
        const fresh = {
          ...row,
          lock_token: claim.lock_token,
          locked_until: claim.locked_until,
          created_at: claim.now,
        };
        const made = yield* one(
          db
            .insertInto("idempotency_keys")
            .values(fresh)
            .onConflict((conflict) => conflict.doNothing())
            .returning("session_id"),
        );
        if (made) return { outcome: "claimed", session_id: made.session_id };
        const known = yield* lockKey(engine, scope);
        if (!known) return { outcome: "in_progress" };
        if (known.lock_token === claim.lock_token)
          return { outcome: "claimed", session_id: known.session_id };
        const state = stateOf(
          known,
          yield* sessionOf(db, scope, known.session_id),
          claim.fingerprint,
          claim.now,
        );
        if (state.outcome !== "free") return state;
        // The session id survives a takeover: the builder passed it on as the provider's idempotency key.
        const live = known.created_at > claim.now - keyLifetimeMs;
        const session_id =
          live && known.fingerprint === claim.fingerprint ? known.session_id : claim.session_id;
        yield* many(
          updateKey(db, scope, {
            ...fresh,
            session_id,
            created_at: live ? known.created_at : claim.now,
          }),
        );
        return { outcome: "claimed", session_id };
      }),
    releaseKey: (scope, lock_token) =>
      engine.write(function* (): Step<void> {
        yield* many(
          updateKey(db, scope, { lock_token: null })
            .where("lock_token", "=", lock_token)
            .where("status", "is", null),
        );
      }),
    async createSession(scope, { session, reply, lock_token }) {
      const { status, body, request_id, fingerprint, created_at } = reply;
      const done = {
        fingerprint,
        session_id: session.id,
        status,
        body,
        request_id,
        lock_token: null,
        locked_until: 0,
        created_at,
      };
      const row = {
        id: session.id,
        expires_at: session.expires_at,
        record: JSON.stringify(session),
        ...own(session),
      };
      if (lock_token === null && engine.writeOne) {
        const both = Object.assign(keyColumns(scope), done, row);
        if ((await engine.writeOne(() => insertBoth(both))).length > 0)
          return { outcome: "created" };
        // The key is known: what of, is judged under its lock.
      }
      return engine.write(function* (): Step<Awaited<ReturnType<CheckoutStore["createSession"]>>> {
        const inserted =
          lock_token === null &&
          (yield* changed(insertKey(Object.assign(keyColumns(scope), done))));
        if (!inserted) {
          const known = yield* lockKey(engine, scope);
          // The request id tells a repeat of this step from a loser that built the same session.
          if (known?.status && known.session_id === session.id && known.request_id === request_id)
            return { outcome: "created" };
          if (lock_token === null || known?.lock_token !== lock_token) {
            const state: KeyState = known
              ? stateOf(
                  known,
                  yield* sessionOf(db, scope, known.session_id),
                  fingerprint,
                  created_at,
                )
              : { outcome: "free" };
            if (state.outcome !== "free") return state;
            if (lock_token !== null) return { outcome: "in_progress" };
          }
          yield* many(updateKey(db, scope, done));
        }
        yield* many(insertSession(row));
        return { outcome: "created" };
      });
    },
    findSession: (partition, id) =>
      engine.read(function* (): Step<{ session: SessionRecord; order: OrderRecord | null } | null> {
        const { store_id, livemode } = own(partition);
        const row = yield* one(
          db
            .selectFrom("checkout_sessions")
            .leftJoin("orders", (join) =>
              join
                .onRef("orders.store_id", "=", "checkout_sessions.store_id")
                .onRef("orders.livemode", "=", "checkout_sessions.livemode")
                .onRef("orders.session_id", "=", "checkout_sessions.id"),
            )
            .select(["checkout_sessions.record as session", "orders.record as order"])
            .where("checkout_sessions.store_id", "=", store_id)
            .where("checkout_sessions.livemode", "=", livemode)
            .where("checkout_sessions.id", "=", id),
        );
        return row
          ? {
              session: fromJson<SessionRecord>(row.session),
              order: row.order === null ? null : fromJson<OrderRecord>(row.order),
            }
          : null;
      }),
  };
}

function updateKey(db: Db, scope: KeyScope, changes: Partial<KeyRow>) {
  const columns = keyColumns(scope);
  return db
    .updateTable("idempotency_keys")
    .set(changes)
    .where("store_id", "=", columns.store_id)
    .where("livemode", "=", columns.livemode)
    .where("key_kind", "=", columns.key_kind)
    .where("operation", "=", columns.operation)
    .where("idempotency_key", "=", columns.idempotency_key);
}

/** The key's row, locked: what is decided over it stays true until the commit. */
function* lockKey({ db, dialect }: SqlEngine, scope: KeyScope): Step<KeyRow | undefined> {
  const columns = keyColumns(scope);
  return yield* one(
    dialect.forUpdate(
      db
        .selectFrom("idempotency_keys")
        .selectAll()
        .where("store_id", "=", columns.store_id)
        .where("livemode", "=", columns.livemode)
        .where("key_kind", "=", columns.key_kind)
        .where("operation", "=", columns.operation)
        .where("idempotency_key", "=", columns.idempotency_key),
    ),
  );
}

function* sessionOf(db: Db, scope: KeyScope, id: string): Step<SessionRecord | null> {
  const { store_id, livemode } = own(scope);
  const row = yield* one(
    db
      .selectFrom("checkout_sessions")
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", id),
  );
  return row ? fromJson<SessionRecord>(row.record) : null;
}
