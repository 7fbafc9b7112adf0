import type { Selectable } from "kysely";
import { offsetOf } from "#core/rules/clock/test-clock.ts";
import type { StoreWithAddresses } from "#core/rules/owner/record-kinds.ts";
import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import { lockStore } from "../access/lock-store.ts";
import { readStore } from "../access/stores.ts";
import { moveTestWork, readTestWork } from "../access/test-work.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";
import { paymentMethodRows } from "./catalog-rows.ts";
import type { RecordRows } from "./record-rows.ts";

/** Keeps stores with their two lists of addresses, which stand in one row. */
export const storeRows = (engine: SqlEngine): RecordRows<"store"> => {
  const { db } = engine;
  const methods = paymentMethodRows(engine);

  return {
    *load({ id, unique, test_work_at: now }) {
      const row = yield* one(lockStore(engine, id));
      const record = row ? readRow(row) : null;
      if (record && now !== undefined) {
        const mode = { store_id: id, offset: offsetOf(record.store, false) };
        return foundRecord<"store">({ record, test_work: yield* readTestWork(engine, mode, now) });
      }
      if (unique === undefined || record) return foundRecord<"store">({ record });

      // A repeat of the call may commit between the two reads: its own store does not count.
      const others = db.selectFrom("stores").select("id").where("id", "!=", id);
      const same = others.where("slug", "=", unique);
      return foundRecord<"store">({ record, is_taken: (yield* one(same)) !== undefined });
    },
    *put(after, before) {
      const { id, slug, catalog_version } = after.store;
      const columns = {
        catalog_version,
        record: JSON.stringify(after.store),
        origins: JSON.stringify(after.origins),
        return_urls: JSON.stringify(after.return_urls),
        test_offset: offsetOf(after.store, false),
      };
      if (before) {
        const offset = offsetOf(before.store, false);
        const ms = columns.test_offset - offset;
        if (ms > 0) yield* moveTestWork(engine, { store_id: id, offset }, ms);
        yield* many(db.updateTable("stores").set(columns).where("id", "=", id));
        return true;
      }

      // No row of a new store can be locked: of two calls at once, one inserts.
      const inserted = db
        .insertInto("stores")
        .values({ id, slug, ...columns })
        .onConflict((conflict) => conflict.doNothing())
        .returning("id");
      if (!(yield* one(inserted))) return false;

      for (const method of after.payment_methods ?? []) yield* methods.put(method, null);
      return true;
    },
  };
};

const readRow = (row: Selectable<Tables["stores"]>): StoreWithAddresses => ({
  store: readStore(row),
  origins: fromJson<string[]>(row.origins),
  return_urls: fromJson<string[]>(row.return_urls),
});
