import type { CategoryRecord, CouponRecord } from "#core/rules/records.ts";
import type { CatalogStore } from "#core/storage/types.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { listOwnProducts } from "./owner-list.ts";
import { findAllRecords } from "./product-records.ts";
import { listRecords } from "./stored-records.ts";

type OwnReads = Pick<
  CatalogStore,
  "findProductRecords" | "listProductRecords" | "listCategoryRecords" | "listCoupons"
>;

/** Reads the catalog for its owner, drafts too. */
export const sqlOwnReads = (engine: SqlEngine): OwnReads => ({
  findProductRecords: (store_id, values, by) =>
    engine.read(() => findAllRecords(engine, store_id, values, by)),
  listProductRecords: (store_id, query) =>
    engine.read(() => listOwnProducts(engine, store_id, query)),
  listCategoryRecords: (store_id) =>
    engine.read(() =>
      listRecords<CategoryRecord>(engine.db, "categories", { store_id, after: null }),
    ),
  listCoupons: (store_id, page) =>
    engine.read(() => listRecords<CouponRecord>(engine.db, "coupons", { store_id, ...page })),
});
