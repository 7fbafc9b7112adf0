import { exceedsMethodLimit, maxRowsPerStore } from "../../../../src/rules/catalog-writes.ts";
import type { PaymentMethodRecord } from "../../../../src/rules/records.ts";
import type { CatalogStore } from "../../../../src/storage/types.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { bumpCatalogVersion, restoreCatalogVersion } from "./catalog-version.ts";
import { deleteRecord, isRecordStale } from "./stored-records.ts";

type OwnerPaymentMethods = Pick<CatalogStore, "putPaymentMethod" | "deletePaymentMethod">;
type PutResult = Awaited<ReturnType<CatalogStore["putPaymentMethod"]>>;

/** Payment methods as their owner writes them. */
export function sqlOwnerPaymentMethods(engine: SqlEngine): OwnerPaymentMethods {
  const { db } = engine;

  return {
    putPaymentMethod: (method, before) => engine.write(() => putPaymentMethod(db, method, before)),

    deletePaymentMethod: (store_id, id) =>
      engine.write(function* (): QueryGenerator<boolean> {
        if (!(yield* bumpCatalogVersion(db, store_id))) return false;

        const deleted = yield* deleteRecord(db, "payment_methods", { store_id, id });
        if (!deleted) yield* restoreCatalogVersion(db, store_id);
        return deleted;
      }),
  };
}

function* putPaymentMethod(
  db: Db,
  method: PaymentMethodRecord,
  before: PaymentMethodRecord | undefined,
): QueryGenerator<PutResult> {
  const { store_id, id } = method;
  if (!(yield* bumpCatalogVersion(db, store_id))) return { outcome: "unknown_store" };

  if (yield* isRecordStale(db, "payment_methods", before)) {
    yield* restoreCatalogVersion(db, store_id);
    return { outcome: "stale" };
  }

  const stored = yield* many(
    db
      .selectFrom("payment_methods")
      .select("id")
      .where("store_id", "=", store_id)
      .limit(maxRowsPerStore),
  );
  if (exceedsMethodLimit(id, stored)) {
    yield* restoreCatalogVersion(db, store_id);
    return { outcome: "limit" };
  }

  const row = { position: method.position, record: JSON.stringify(method) };
  yield* many(
    db
      .insertInto("payment_methods")
      .values({ store_id, id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
  );
  return { outcome: "stored" };
}
