import { exceedsMethodLimit, maxRowsPerStore } from "#core/rules/catalog/catalog-writes.ts";
import type { PaymentMethodRecord } from "#core/rules/records.ts";
import type { CatalogStore } from "#core/storage/types.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { noteChange } from "../../engine/note-change.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { bumpCatalogVersion, restoreCatalogVersion } from "../catalog-version.ts";
import { deleteRecord, isRecordStale, recordToReplace } from "./stored-records.ts";

type OwnerPaymentMethods = Pick<CatalogStore, "putPaymentMethod" | "deletePaymentMethod">;
type PutResult = Awaited<ReturnType<CatalogStore["putPaymentMethod"]>>;

/** Writes payment methods for their owner. */
export function sqlOwnerPaymentMethods(engine: SqlEngine): OwnerPaymentMethods {
  const { db } = engine;

  return {
    putPaymentMethod: (method, before) =>
      engine.write(() => putPaymentMethod(engine, method, before)),

    deletePaymentMethod: (store_id, id) =>
      engine.write(function* (): QueryGenerator<boolean> {
        if (!(yield* bumpCatalogVersion(db, store_id))) return false;

        const before = yield* deleteRecord(db, "payment_methods", { store_id, id });
        if (!before) {
          yield* restoreCatalogVersion(db, store_id);
          return false;
        }
        yield* noteChange(engine, { kind: "record", type: "payment_method", before, after: null });
        return true;
      }),
  };
}

function* putPaymentMethod(
  engine: SqlEngine,
  method: PaymentMethodRecord,
  before: PaymentMethodRecord | undefined,
): QueryGenerator<PutResult> {
  const { db } = engine;
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

  const replaced = yield* recordToReplace(engine, "payment_methods", method);
  const row = { position: method.position, record: JSON.stringify(method) };
  yield* many(
    db
      .insertInto("payment_methods")
      .values({ store_id, id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
  );
  yield* noteChange(engine, {
    kind: "record",
    type: "payment_method",
    before: replaced,
    after: method,
  });
  return { outcome: "stored" };
}
