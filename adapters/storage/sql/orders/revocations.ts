import { mergeRevocations, type Revocation } from "#core/rules/checkout/buyer.ts";
import type { Partition } from "#core/rules/records.ts";
import { ofPartition, partitionColumns, toBool } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

export interface RevocationRow {
  readonly not_before: number;
  readonly erased: 0 | 1;
}

export const readRevocations = (rows: readonly RevocationRow[]): Revocation | null =>
  mergeRevocations(rows.map(({ not_before, erased }) => ({ not_before, erased: erased === 1 })));

/** Reads the revocations that stand under the names of a customer. */
export function revocationsOf({ db }: SqlEngine, partition: Partition, keys: readonly string[]) {
  return db
    .selectFrom("customer_tokens")
    .select(["not_before", "erased"])
    .where(ofPartition(partition))
    .where("customer_id", "in", keys);
}

/** Stores the revocation under the first key, with what stood under the others. */
export function* putRevocation(
  engine: SqlEngine,
  partition: Partition,
  keys: readonly string[],
  revocation: Revocation,
): QueryGenerator<void> {
  const { db, dialect } = engine;
  const { store_id, livemode } = partitionColumns(partition);
  const known = yield* many(dialect.forUpdate(revocationsOf(engine, partition, keys)));
  const merged = mergeRevocations(
    [readRevocations(known), revocation].flatMap((each) => each ?? []),
  );
  const [name = "", ...others] = keys;
  const { not_before, erased } = merged ?? revocation;

  yield* many(
    db
      .insertInto("customer_tokens")
      .values({ store_id, livemode, customer_id: name, not_before, erased: toBool(erased) })
      // A row that another step has inserted meanwhile keeps the later time.
      .onConflict((conflict) =>
        conflict.columns(["store_id", "livemode", "customer_id"]).doUpdateSet((eb) => ({
          not_before: eb
            .case()
            .when("customer_tokens.not_before", ">", not_before)
            .then(eb.ref("customer_tokens.not_before"))
            .else(not_before)
            .end(),
          erased: eb
            .case()
            .when("customer_tokens.erased", "=", 1)
            .then(eb.lit(1))
            .else(toBool(erased))
            .end(),
        })),
      ),
  );
  if (others.length > 0)
    yield* many(
      db
        .deleteFrom("customer_tokens")
        .where(ofPartition(partition))
        .where("customer_id", "in", others),
    );
}
