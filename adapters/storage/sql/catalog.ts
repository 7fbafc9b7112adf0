import type { CatalogStore } from "../../../src/storage/types.ts";
import { sqlOwnerEntries } from "./catalog-entries.ts";
import { sqlOwnerProducts } from "./catalog-owner.ts";
import { sqlCatalogReads } from "./catalog-reads.ts";
import type { SqlEngine } from "./engine.ts";

export const sqlCatalog = (engine: SqlEngine): CatalogStore => ({
  ...sqlOwnerProducts(engine),
  ...sqlOwnerEntries(engine),
  ...sqlCatalogReads(engine, false),
});
