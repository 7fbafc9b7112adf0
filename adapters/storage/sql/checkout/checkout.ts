import type {
  KeyClaim,
  KeyClaimResult,
  KeyScope,
  SessionDraft,
  SessionDraftResult,
  SessionWithOrder,
  TooManySessions,
} from "#core/rules/checkout/checkout-records.ts";
import { decideClaim, decideSessionDraft, keyState } from "#core/rules/checkout/key-state.ts";
import type { OrderRecord, SessionRecord } from "#core/rules/records.ts";
import type { CheckoutStore } from "#core/storage/checkout-store.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { changed, many, one, prepare, type QueryGenerator } from "../engine/queries.ts";
import { bothInserter } from "./insert-both.ts";
import {
  draftValues,
  finishedKeyInsert,
  keyDelete,
  keyUpdate,
  keyValues,
  lockKey,
  putSession,
  scopeColumns,
  sessionInsert,
} from "./keys.ts";
import { lookupQueries, readLookup } from "./lookup.ts";
import { countSession } from "./session-days.ts";

export function sqlCheckout(engine: SqlEngine): CheckoutStore {
  const { db } = engine;
  const queries = lookupQueries(engine);

  return {
    async openCheckout(lookup) {
      const { fingerprint, now } = lookup;
      const query = queries.withKey(lookup);
      const { key, session, cart, revocation } = readLookup(await engine.readTextRows(query));
      return {
        key: keyState(key, session, fingerprint, now),
        cart,
        not_before: revocation?.not_before ?? null,
        customer_erased: revocation?.erased ?? false,
      };
    },

    async loadCart(partition, product_ids, coupon_code) {
      const query = queries.cart(partition, product_ids, coupon_code);
      return readLookup(await engine.readTextRows(query)).cart;
    },

    claimKey: (scope, claim) => engine.write(() => claimKey(engine, scope, claim)),

    releaseKey: (scope, lock_token) =>
      engine.write(function* (): QueryGenerator<void> {
        yield* many(
          keyUpdate(db, scope, { lock_token: null })
            .where("lock_token", "=", lock_token)
            .where("status", "is", null),
        );
      }),

    createSession: sessionCreator(engine),

    findSession: (partition, id) =>
      engine.read(function* (): QueryGenerator<SessionWithOrder | null> {
        const { store_id, livemode } = partitionColumns(partition);
        const row = yield* one(
          db
            .selectFrom("checkout_sessions as s")
            .leftJoin("orders as o", (join) =>
              join
                .onRef("o.store_id", "=", "s.store_id")
                .onRef("o.livemode", "=", "s.livemode")
                .onRef("o.session_id", "=", "s.id"),
            )
            .select(["s.record as session", "o.record as order"])
            .where("s.store_id", "=", store_id)
            .where("s.livemode", "=", livemode)
            .where("s.id", "=", id),
        );
        if (!row) return null;

        const session = fromJson<SessionRecord>(row.session);
        return { session, order: row.order === null ? null : fromJson<OrderRecord>(row.order) };
      }),
  };
}

const tooManySessions: TooManySessions = { outcome: "too_many_sessions" };

/** Deletes the key that this very step has inserted, whose session is one too many. */
function* giveKeyBack({ db }: SqlEngine, scope: KeyScope): QueryGenerator<TooManySessions> {
  yield* many(keyDelete(db, scope));
  return tooManySessions;
}

function* claimKey(
  engine: SqlEngine,
  scope: KeyScope,
  claim: KeyClaim,
): QueryGenerator<KeyClaimResult> {
  const { db } = engine;
  const fresh = decideClaim(null, null, claim);
  if (fresh.key) {
    const inserted = yield* one(
      db
        .insertInto("idempotency_keys")
        .values({ ...scopeColumns(scope), ...keyValues(fresh.key) })
        .onConflict((conflict) => conflict.doNothing())
        .returning("session_id"),
    );
    if (inserted) {
      if (!(yield* countSession(engine, claim))) return yield* giveKeyBack(engine, scope);
      if (fresh.session) yield* putSession(db, fresh.session);
      return fresh.result;
    }
  }

  const known = yield* lockKey(engine, scope);
  // The key was there and is gone: another process purged it meanwhile.
  if (!known) return { outcome: "in_progress" };

  const decision = decideClaim(known.key, known.session, claim);
  const { result, key, session, is_new_session } = decision;
  if (is_new_session && !(yield* countSession(engine, claim))) return tooManySessions;
  if (key) yield* many(keyUpdate(db, scope, keyValues(key)));
  if (session) yield* putSession(db, session);
  return result;
}

function sessionCreator(engine: SqlEngine) {
  const { db } = engine;
  const insertSession = prepare((param) => sessionInsert(db, param));
  const insertKey = prepare((param) => finishedKeyInsert(db, param));
  const insertBoth = bothInserter(engine);

  return async (scope: KeyScope, draft: SessionDraft): Promise<SessionDraftResult> => {
    const values = draftValues(scope, draft);
    const mayBeNew = draft.lock_token === null;
    const isCounted = (draft.max_per_day ?? null) !== null;
    if (mayBeNew && !isCounted && engine.writeOne) {
      const inserted = await engine.writeOne(() => insertBoth(values));
      if (inserted.length > 0) return { outcome: "created" };
    }

    return engine.write(function* (): QueryGenerator<SessionDraftResult> {
      if (mayBeNew && (yield* changed(insertKey(values)))) {
        if (!(yield* countSession(engine, draft))) return yield* giveKeyBack(engine, scope);
        yield* many(insertSession(values));
        return { outcome: "created" };
      }

      const known = yield* lockKey(engine, scope);
      const decision = decideSessionDraft(known?.key ?? null, known?.session ?? null, draft);
      const { result, key, session, is_new_session } = decision;
      if (is_new_session && !(yield* countSession(engine, draft))) return tooManySessions;
      if (key) yield* many(keyUpdate(db, scope, keyValues(key)));
      if (session) yield* putSession(db, session);
      return result;
    });
  };
}
