import type { SessionWithOrder, TooManySessions } from "#core/rules/checkout/checkout-records.ts";
import { type KeyDecision, keyState } from "#core/rules/checkout/key-state.ts";
import type { OrderRecord, SessionRecord } from "#core/rules/records.ts";
import type { CheckoutStore, FoundKey, KeySubject } from "#core/storage/checkout-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { changed, many, one, prepare, type QueryGenerator } from "../engine/queries.ts";
import { bothInserter } from "./insert-both.ts";
import {
  keyDelete,
  keyInsert,
  keyUpdate,
  keyValues,
  lockKey,
  lockOf,
  putSession,
  rowValues,
  sessionInsert,
} from "./keys.ts";
import { lookupQueries, readLookup } from "./lookup.ts";
import { countSession } from "./session-days.ts";

export function sqlCheckout(engine: SqlEngine): CheckoutStore {
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

    step: keyStep(engine),

    findSession: (partition, id) =>
      engine.read(function* (): QueryGenerator<SessionWithOrder | null> {
        const row = yield* one(
          engine.db
            .selectFrom("checkout_sessions as s")
            .leftJoin("orders as o", (join) =>
              join
                .onRef("o.store_id", "=", "s.store_id")
                .onRef("o.livemode", "=", "s.livemode")
                .onRef("o.session_id", "=", "s.id"),
            )
            .select(["s.record as session", "o.record as order"])
            .where(ofPartition(partition, "s"))
            .where("s.id", "=", id),
        );
        if (!row) return null;

        const session = fromJson<SessionRecord>(row.session);
        return { session, order: row.order === null ? null : fromJson<OrderRecord>(row.order) };
      }),
  };
}

const unknownKey: FoundKey = { key: null, session: null };

/**
 * Makes the step of a key. Most keys are new: what is decided over an unknown key is
 * inserted first, and the key is locked only when it is known.
 */
function keyStep(engine: SqlEngine): CheckoutStore["step"] {
  const { db } = engine;
  const insertSession = prepare((param) => sessionInsert(db, param));
  const insertKey = prepare((param) => keyInsert(db, param, lockOf(param)));
  const insertBoth = bothInserter(engine);

  return async <Result>(
    { scope, max_per_day = null }: KeySubject,
    decide: (found: FoundKey) => KeyDecision<Result>,
  ): Promise<Result | TooManySessions> => {
    const fresh = decide(unknownKey);
    const values = fresh.key && fresh.session && rowValues(scope, fresh.key, fresh.session);
    if (values && fresh.key?.reply && max_per_day === null && engine.writeOne) {
      const inserted = await engine.writeOne(() => insertBoth(values));
      if (inserted.length > 0) return fresh.result;
    }

    return engine.write(function* (): QueryGenerator<Result | TooManySessions> {
      let found = unknownKey;
      let isInserted = false;
      do {
        isInserted = values !== null && (yield* changed(insertKey(values)));
        if (!isInserted) found = yield* lockKey(engine, scope);
        // A key that was there and is gone was purged meanwhile: it is inserted after all.
      } while (values && !isInserted && !found.key);

      const { result, key, session, is_new_session } = isInserted ? fresh : decide(found);
      if (is_new_session && session && !(yield* countSession(engine, session, max_per_day))) {
        if (isInserted) yield* many(keyDelete(db, scope));
        return { outcome: "too_many_sessions" };
      }

      if (isInserted && values) yield* many(insertSession(values));
      else {
        if (key) yield* many(keyUpdate(db, scope, keyValues(key)));
        if (session) yield* putSession(db, session);
      }
      return result;
    });
  };
}
