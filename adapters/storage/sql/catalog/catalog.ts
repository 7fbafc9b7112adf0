import type { CatalogStore } from "../../../../src/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlOwnerCategories } from "./owner-categories.ts";
import { sqlOwnerCoupons } from "./owner-coupons.ts";
import { sqlOwnerPaymentMethods } from "./owner-payment-methods.ts";
import { sqlOwnerProducts } from "./owner-products.ts";
import { sqlCatalogReads } from "./reads.ts";

export const sqlCatalog = (engine: SqlEngine): CatalogStore => ({
  ...sqlOwnerProducts(engine),
  ...sqlOwnerCategories(engine),
  ...sqlOwnerPaymentMethods(engine),
  ...sqlOwnerCoupons(engine),
  ...sqlCatalogReads(engine, { replica: false }),
});
