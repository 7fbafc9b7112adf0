import type { CatalogStore } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlOwnerCategories } from "./owner/owner-categories.ts";
import { sqlOwnerCoupons } from "./owner/owner-coupons.ts";
import { sqlOwnerPaymentMethods } from "./owner/owner-payment-methods.ts";
import { sqlOwnerProducts } from "./owner/owner-products.ts";
import { sqlCatalogReads } from "./reads.ts";

export const sqlCatalog = (engine: SqlEngine): CatalogStore => ({
  ...sqlOwnerProducts(engine),
  ...sqlOwnerCategories(engine),
  ...sqlOwnerPaymentMethods(engine),
  ...sqlOwnerCoupons(engine),
  ...sqlCatalogReads(engine, { replica: false }),
});
