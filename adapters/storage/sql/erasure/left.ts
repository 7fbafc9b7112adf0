import type { Erasure } from "#core/rules/owner/erasure.ts";
import type { LeftErasure } from "#core/storage/privacy-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

/** Stores where an erasure goes on. Null means that it has ended, and forgets it. */
export function* noteLeft(
  { db }: SqlEngine,
  { store_id, customer_id, customer_keys, now }: Erasure,
  position: string | null,
): QueryGenerator<void> {
  if (position === null) {
    const ended = db
      .deleteFrom("erasures")
      .where("store_id", "=", store_id)
      .where("customer_id", "=", customer_id);
    yield* many(ended);
    return;
  }

  const keys = JSON.stringify(customer_keys);
  yield* many(
    db
      .insertInto("erasures")
      .values({ store_id, customer_id, customer_keys: keys, position, touched_at: now })
      .onConflict((conflict) =>
        conflict.columns(["store_id", "customer_id"]).doUpdateSet({ position, touched_at: now }),
      ),
  );
}

/** Finds an erasure whose last chunk is older than `before`. */
export function* findLeft({ db }: SqlEngine, before: number): QueryGenerator<LeftErasure | null> {
  return leftIn(yield* one(leftQuery(db, before)));
}

export const leftQuery = (db: Db, before: number) =>
  db
    .selectFrom("erasures")
    .select(["store_id", "customer_id", "customer_keys", "position"])
    .where("touched_at", "<", before)
    .limit(1);

type LeftRow = Pick<Tables["erasures"], "store_id" | "customer_id" | "customer_keys" | "position">;

export function leftIn(row: LeftRow | undefined): LeftErasure | null {
  if (!row) return null;

  const { position, customer_keys, ...customer } = row;
  return { erasure: { ...customer, customer_keys: fromJson<string[]>(customer_keys) }, position };
}
